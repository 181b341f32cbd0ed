; An irreducible loop is a cluster, and contains its inner loops. Back edges point upwards. From LLVM 24 on, the header
; of an inner loop cannot be an entry of the outer loop.
; RUN: rm -rf %t && mkdir %t
; RUN: %bpa -passes='rust-bfi<dot;output=%t/host>' -disable-output %s 2>/dev/null
; RUN: FileCheck %s --check-prefixes=CHECK,%OLD_or_NEW < %t/host/.f.dot
; RUN: %bpa -passes='rust-bfi<dot;like=23;output=%t/23>' -disable-output %s 2>/dev/null
; RUN: FileCheck %s --check-prefixes=CHECK,OLD < %t/23/.f.dot
; RUN: %bpa -passes='rust-bfi<dot;like=24;output=%t/24>' -disable-output %s 2>/dev/null
; RUN: FileCheck %s --check-prefixes=CHECK,NEW < %t/24/.f.dot

; CHECK: subgraph cluster_0 {
; CHECK-NEXT: graph [label="irreducible loop of 2 headers, {{.*}} at %a, %b
; OLD: subgraph cluster_1 {
; OLD-NEXT: graph [label="loop,
; OLD-NEXT: b1 [label="%a
; OLD-NEXT: }
; OLD-NEXT: }
; NEW-NEXT: b1 [label="%a
; NEW-NEXT: b2 [label="%b
; NEW-NEXT: }
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
