; The rules predict that pointers are rarely equal. No rule applies to `<` and similar comparisons of pointers.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @equal(ptr %p, ptr %q) {
; CHECK-LABEL: 'equal'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is 0x30000000 / 0x80000000 = 37.50%
; CHECK: edge {{%?}}entry -> {{%?}}else probability is 0x50000000 / 0x80000000 = 62.50%
entry:
  %c = icmp eq ptr %p, %q
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @not_null(ptr %p) {
; CHECK-LABEL: 'not_null'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 62.50%
; CHECK: edge {{%?}}entry -> {{%?}}else probability is {{.*}} = 37.50%
entry:
  %c = icmp ne ptr %p, null
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @below(ptr %p, ptr %q) {
; CHECK-LABEL: 'below'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 50.00%
entry:
  %c = icmp ult ptr %p, %q
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
