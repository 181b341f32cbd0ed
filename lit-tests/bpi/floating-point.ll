; The rules predict that one value in 2^20 is a NaN. LLVM predicts that the comparisons `oeq`, `one` and `une` are true,
; and that `ueq` is false. The result of `ueq` is true for any two identical operands, also for two NaNs.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @uno(double %x, double %y) {
; CHECK-LABEL: 'uno'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 0.00%
; CHECK: edge {{%?}}entry -> {{%?}}else probability is {{.*}} = 100.00%
entry:
  %c = fcmp uno double %x, %y
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @ord(double %x, double %y) {
; CHECK-LABEL: 'ord'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 100.00%
; CHECK: edge {{%?}}entry -> {{%?}}else probability is {{.*}} = 0.00%
entry:
  %c = fcmp ord double %x, %y
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @oeq(double %x, double %y) {
; CHECK-LABEL: 'oeq'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 62.50%
; CHECK: edge {{%?}}entry -> {{%?}}else probability is {{.*}} = 37.50%
entry:
  %c = fcmp oeq double %x, %y
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @une(double %x, double %y) {
; CHECK-LABEL: 'une'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 62.50%
; CHECK: edge {{%?}}entry -> {{%?}}else probability is {{.*}} = 37.50%
entry:
  %c = fcmp une double %x, %y
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @one(double %x, double %y) {
; CHECK-LABEL: 'one'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 62.50%
; CHECK: edge {{%?}}entry -> {{%?}}else probability is {{.*}} = 37.50%
entry:
  %c = fcmp one double %x, %y
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @ueq(double %x, double %y) {
; CHECK-LABEL: 'ueq'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 37.50%
; CHECK: edge {{%?}}entry -> {{%?}}else probability is {{.*}} = 62.50%
entry:
  %c = fcmp ueq double %x, %y
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @olt(double %x, double %y) {
; CHECK-LABEL: 'olt'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 50.00%
; CHECK: edge {{%?}}entry -> {{%?}}else probability is {{.*}} = 50.00%
entry:
  %c = fcmp olt double %x, %y
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
