; The explanation prints the weight of each parallel edge. The line of LLVM's printer contains the sum of the
; probabilities of all parallel edges.
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s

define void @f(i32 %x) {
; CHECK: edge {{%?}}entry -> {{%?}}A probability is {{.*}} = 60.00%
; CHECK-NEXT: metadata, 1 of 10: its branch weight.
; CHECK-NEXT: Other rules: even 33.33%.
; CHECK-NEXT: 2 parallel edges; the probability is their sum.
; CHECK-NEXT: edge {{%?}}entry -> {{%?}}B probability is {{.*}} = 40.00%
; CHECK-NEXT: metadata, 4 of 10: its branch weight.
; CHECK-NEXT: Other rules: even 33.33%.
; CHECK-NEXT: edge {{%?}}entry -> {{%?}}A probability is {{.*}} = 60.00%
; CHECK-NEXT: metadata, 5 of 10: its branch weight.
entry:
  switch i32 %x, label %A [
    i32 1, label %B
    i32 2, label %A
  ], !prof !0
A:
  ret void
B:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 4, i32 5}
