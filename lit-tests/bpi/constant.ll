; The rules predict that integers are rarely zero, negative or minus one. `x < 1` means `x <= 0`, and `x > -1` means `x
; >= 0`.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @eq_zero(i32 %x) {
; CHECK-LABEL: 'eq_zero'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 37.50%
entry:
  %c = icmp eq i32 %x, 0
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @ne_zero(i32 %x) {
; CHECK-LABEL: 'ne_zero'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 62.50%
entry:
  %c = icmp ne i32 %x, 0
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @slt_zero(i32 %x) {
; CHECK-LABEL: 'slt_zero'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 37.50%
entry:
  %c = icmp slt i32 %x, 0
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @sgt_zero(i32 %x) {
; CHECK-LABEL: 'sgt_zero'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 62.50%
entry:
  %c = icmp sgt i32 %x, 0
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @sge_zero(i32 %x) {
; CHECK-LABEL: 'sge_zero'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 50.00%
entry:
  %c = icmp sge i32 %x, 0
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @eq_minus_one(i32 %x) {
; CHECK-LABEL: 'eq_minus_one'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 37.50%
entry:
  %c = icmp eq i32 %x, -1
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @ne_minus_one(i32 %x) {
; CHECK-LABEL: 'ne_minus_one'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 62.50%
entry:
  %c = icmp ne i32 %x, -1
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @sgt_minus_one(i32 %x) {
; CHECK-LABEL: 'sgt_minus_one'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 62.50%
entry:
  %c = icmp sgt i32 %x, -1
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @slt_minus_one(i32 %x) {
; CHECK-LABEL: 'slt_minus_one'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 50.00%
entry:
  %c = icmp slt i32 %x, -1
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @slt_one(i32 %x) {
; CHECK-LABEL: 'slt_one'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 37.50%
entry:
  %c = icmp slt i32 %x, 1
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @eq_one(i32 %x) {
; CHECK-LABEL: 'eq_one'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 50.00%
entry:
  %c = icmp eq i32 %x, 1
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @sgt_one(i32 %x) {
; CHECK-LABEL: 'sgt_one'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 50.00%
entry:
  %c = icmp sgt i32 %x, 1
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @eq_seven(i32 %x) {
; CHECK-LABEL: 'eq_seven'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 50.00%
entry:
  %c = icmp eq i32 %x, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @wide_minus_one(i128 %x) {
; CHECK-LABEL: 'wide_minus_one'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 62.50%
entry:
  %c = icmp sgt i128 %x, -1
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @odd_width(i3 %x) {
; CHECK-LABEL: 'odd_width'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 37.50%
entry:
  %c = icmp slt i3 %x, 1
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
