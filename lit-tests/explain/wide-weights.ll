; If the sum of the weights does not fit in 32 bits, LLVM divides the weights. The explanation prints the weights before
; and after the division. A weight can become 0.
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s

define void @f(i1 %c) {
; CHECK: = 75.00%
; CHECK-NEXT: metadata, 2147483647 of 2863311529: its branch weight 4294967295.
; CHECK-NEXT: All weights are divided so that their sum fits in 32 bits: 4294967295 / 2.
entry:
  br i1 %c, label %A, label %B, !prof !0
A:
  ret void
B:
  ret void
}

define void @zero(i1 %c) {
; CHECK-LABEL: 'zero'
; CHECK: edge {{%?}}entry -> {{%?}}B
; CHECK-NEXT: metadata, 0 of 2147483647: its branch weight 1.
; CHECK-NEXT: All weights are divided so that their sum fits in 32 bits: 1 / 2.
entry:
  br i1 %c, label %A, label %B, !prof !1
A:
  ret void
B:
  ret void
}

!0 = !{!"branch_weights", i32 -1, i32 1431655765}
!1 = !{!"branch_weights", i32 -1, i32 1}
