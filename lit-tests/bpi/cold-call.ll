; The attribute `cold` of a call site or of a callee makes the block of the call cold, but not the block of an `invoke`.
; The cold block has the weight 0xffff, and the second successor has the weight 0xfffff.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

declare void @cold() cold
declare void @plain()
declare i32 @__gxx_personality_v0(...)

define void @on_function(i1 %c) {
; CHECK-LABEL: 'on_function'
; CHECK: edge {{%?}}A -> {{%?}}B probability is {{.*}} = 5.88%
; CHECK: edge {{%?}}A -> {{%?}}C probability is {{.*}} = 94.12% [HOT edge]
A:
  br i1 %c, label %B, label %C
B:
  call void @cold()
  ret void
C:
  ret void
}

define void @on_call_site(i1 %c) {
; CHECK-LABEL: 'on_call_site'
; CHECK: edge {{%?}}A -> {{%?}}B probability is {{.*}} = 5.88%
A:
  br i1 %c, label %B, label %C
B:
  call void @plain() cold
  ret void
C:
  ret void
}

define void @indirect(i1 %c, ptr %f) {
; CHECK-LABEL: 'indirect'
; CHECK: edge {{%?}}A -> {{%?}}B probability is {{.*}} = 5.88%
A:
  br i1 %c, label %B, label %C
B:
  call void %f() cold
  ret void
C:
  ret void
}

define void @invoked(i1 %c) personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: 'invoked'
; CHECK: edge {{%?}}A -> {{%?}}B probability is {{.*}} = 50.00%
A:
  br i1 %c, label %B, label %C
B:
  invoke void @cold() to label %C unwind label %D
C:
  ret void
D:
  %e = landingpad { ptr, i32 } cleanup
  ret void
}
