; If the sum of the weights exceeds 32 bits, LLVM divides the weights. In this function, the divisor is 3. The
; probabilities are computed from the rounded quotients. If all weights are zero, all probabilities are equal.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @wide(i32 %x) {
; CHECK-LABEL: 'wide'
; 4294967295 / 3 = 1431655765, 4294967294 / 3 = 1431655764, 2 / 3 = 0
; CHECK: edge {{%?}}A -> {{%?}}B probability is 0x40000000 / 0x80000000 = 50.00%
; CHECK: edge {{%?}}A -> {{%?}}C probability is 0x40000000 / 0x80000000 = 50.00%
; CHECK: edge {{%?}}A -> {{%?}}D probability is 0x00000000 / 0x80000000 = 0.00%
A:
  switch i32 %x, label %B [
    i32 1, label %C
    i32 2, label %D
  ], !prof !0
B:
  ret void
C:
  ret void
D:
  ret void
}

define void @zero(i1 %c) {
; CHECK-LABEL: 'zero'
; CHECK: edge {{%?}}A -> {{%?}}B probability is {{.*}} = 50.00%
; CHECK: edge {{%?}}A -> {{%?}}C probability is {{.*}} = 50.00%
A:
  br i1 %c, label %B, label %C, !prof !1
B:
  ret void
C:
  ret void
}

!0 = !{!"branch_weights", i32 4294967295, i32 4294967294, i32 2}
!1 = !{!"branch_weights", i32 0, i32 0}
