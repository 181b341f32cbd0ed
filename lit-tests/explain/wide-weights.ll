; If the sum of the weights does not fit in 32 bits, LLVM divides the weights. The explanation prints the
; weights after the division.
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s

define void @f(i1 %c) {
; CHECK: = 75.00%
; CHECK-NEXT: metadata, 2147483647 of 2863311529: its branch weight.
; CHECK-NEXT: All weights are divided by 2 so that their sum fits in 32 bits.
entry:
  br i1 %c, label %A, label %B, !prof !0
A:
  ret void
B:
  ret void
}

!0 = !{!"branch_weights", i32 -1, i32 1431655765}
