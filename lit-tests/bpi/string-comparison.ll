; The rules predict that strings are rarely equal. For unequal strings, the comparison functions can return any number
; other than 0. Therefore `== 5` is as unlikely as `== 0`, and no rule applies to `< 0`. LLVM identifies the function by
; its name without a leading \1, and from LLVM 24 on also by its prototype.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefixes=CHECK,%OLD_or_NEW
; RUN: %check %s

declare i32 @bcmp(ptr, ptr, i64)
declare i32 @strcmp(ptr)
declare i32 @"\01memcmp"(ptr, ptr, i64)
declare i32 @strncmp(ptr, ptr, i64)
declare i32 @strcasecmp(ptr, ptr)
declare i32 @strncasecmp(ptr, ptr, i64)
declare i32 @compare(ptr, ptr)

define void @unequal(ptr %p, ptr %q, i64 %n) {
; CHECK-LABEL: 'unequal'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 62.50%
; CHECK: edge {{%?}}entry -> {{%?}}else probability is {{.*}} = 37.50%
entry:
  %r = call i32 @bcmp(ptr %p, ptr %q, i64 %n)
  %c = icmp ne i32 %r, 0
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @five(ptr %p) {
; CHECK-LABEL: 'five'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 37.50%
entry:
  %r = call i32 @strncmp(ptr %p, ptr %p, i64 8)
  %c = icmp eq i32 %r, 5
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @one_pointer(ptr %p) {
; CHECK-LABEL: 'one_pointer'
; OLD: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 37.50%
; NEW: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 50.00%
entry:
  %r = call i32 @strcmp(ptr %p)
  %c = icmp eq i32 %r, 5
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @less(ptr %p, ptr %q, i64 %n) {
; CHECK-LABEL: 'less'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 50.00%
entry:
  %r = call i32 @"\01memcmp"(ptr %p, ptr %q, i64 %n)
  %c = icmp slt i32 %r, 0
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @another_function(ptr %p, ptr %q) {
; CHECK-LABEL: 'another_function'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 50.00%
entry:
  %r = call i32 @compare(ptr %p, ptr %q)
  %c = icmp eq i32 %r, 5
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @bcmp_is_seven(ptr %p, ptr %q, i64 %n) {
; CHECK-LABEL: 'bcmp_is_seven'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 37.50%
entry:
  %r = call i32 @bcmp(ptr %p, ptr %q, i64 %n)
  %c = icmp eq i32 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @strncmp_is_seven(ptr %p, ptr %q, i64 %n) {
; CHECK-LABEL: 'strncmp_is_seven'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 37.50%
entry:
  %r = call i32 @strncmp(ptr %p, ptr %q, i64 %n)
  %c = icmp eq i32 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @strcasecmp_is_seven(ptr %p, ptr %q, i64 %n) {
; CHECK-LABEL: 'strcasecmp_is_seven'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 37.50%
entry:
  %r = call i32 @strcasecmp(ptr %p, ptr %q)
  %c = icmp eq i32 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @strncasecmp_is_seven(ptr %p, ptr %q, i64 %n) {
; CHECK-LABEL: 'strncasecmp_is_seven'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 37.50%
entry:
  %r = call i32 @strncasecmp(ptr %p, ptr %q, i64 %n)
  %c = icmp eq i32 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
