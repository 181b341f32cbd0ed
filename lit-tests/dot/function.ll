; `dot` writes one Graphviz file for each function. The file names are the names that LLVM's pass `dot-cfg` uses. The
; default directory is the current directory. A loop is a cluster.
; RUN: rm -rf %t && mkdir %t && cd %t
; RUN: %bpa -passes='rust-bfi<dot>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PRINTS
; RUN: FileCheck %s < %t/.f.dot
; RUN: %bpa -passes='print<rust-bfi;dot;output=%t/new/deep>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=DEEP
; RUN: diff %t/.f.dot %t/new/deep/.f.dot

; PRINTS: Writing '.f.dot'...
; PRINTS-NEXT: Writing '.g.dot'...
; PRINTS-NOT: {{.}}
; DEEP: Writing '{{.*}}/new/deep/.f.dot'...

; CHECK: digraph "f" {
; CHECK: label="f: 4 blocks, hottest %loop with 32 runs per call\n
; CHECK: b0 [label="%entry\n1",
; CHECK: subgraph cluster_0 {
; CHECK-NEXT: graph [label="loop, 32 iterations",
; CHECK-NEXT: b1 [label="%loop\n32", fillcolor="#800026", fontcolor="white",
; CHECK-NEXT: }
; If a block has only one successor, the edge has no percentage. The tooltip of an edge explains its probability.
; CHECK: b0 -> b1 [dir=forward, {{.*}}tooltip="%entry -> %loop\ntaken 1.0 times per call", {{[^%]*%entry -> %loop[^%]*$}}
; CHECK: b1 -> b1 [{{.*}}rule: estimated weights, weight 1048575, 0x7c000000 / 0x80000000"{{.*}}label="  96.88%"
; CHECK: b1 -> b2 [{{.*}}label="  3.12%"
; CHECK: b2 -> b3 [
; CHECK-NEXT: }
define void @f(i1 %c) {
entry:
  br label %loop
loop:
  br i1 %c, label %loop, label %last
last:
  br label %exit
exit:
  ret void
}
define void @g() {
  ret void
}
