; An irreducible loop is a cluster too, with the loops in it; arrows back are drawn from below to above.
; RUN: rm -rf %t
; RUN: %bpa -passes='rust-bfi<dot;output=%t>' -disable-output %s 2>/dev/null
; RUN: FileCheck %s < %t/.f.dot

; CHECK: subgraph cluster_0 {
; CHECK-NEXT: graph [label="irreducible loop of 2 headers, {{.*}} at %a, %b
; CHECK: subgraph cluster_1 {
; CHECK-NEXT: graph [label="loop,
; CHECK-NEXT: b1 [label="%a
; CHECK-NEXT: }
; CHECK-NEXT: }
; CHECK: b1 -> b2 [dir=back,
define void @f(i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %b
a:
  br i1 %d, label %a, label %b
b:
  br i1 %d, label %a, label %exit
exit:
  ret void
}
