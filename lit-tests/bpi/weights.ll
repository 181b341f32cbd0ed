; The probability of an edge is its weight divided by the sum of all weights of the terminator.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

declare void @may_throw()
declare i32 @__gxx_personality_v0(...)

define void @branch(i1 %c) {
; CHECK-LABEL: 'branch'
; 2^31 * 7 / 15 = 1002159035.73, 2^31 * 8 / 15 = 1145324612.27
; CHECK: edge {{%?}}A -> {{%?}}B probability is 0x3bbbbbbc / 0x80000000 = 46.67%
; CHECK: edge {{%?}}A -> {{%?}}C probability is 0x44444444 / 0x80000000 = 53.33%
A:
  br i1 %c, label %B, label %C, !prof !0
B:
  ret void
C:
  ret void
}

define void @switch(i32 %x) {
; The default edge of the switch is printed first.
; CHECK-LABEL: 'switch'
; CHECK: edge {{%?}}A -> {{%?}}B probability is {{.*}} = 10.00%
; CHECK: edge {{%?}}A -> {{%?}}C probability is {{.*}} = 20.00%
; CHECK: edge {{%?}}A -> {{%?}}D probability is {{.*}} = 70.00%
A:
  switch i32 %x, label %B [
    i32 1, label %C
    i32 2, label %D
  ], !prof !1
B:
  ret void
C:
  ret void
D:
  ret void
}

define void @indirect(ptr %p) {
; CHECK-LABEL: 'indirect'
; CHECK: edge {{%?}}A -> {{%?}}B probability is {{.*}} = 46.67%
; CHECK: edge {{%?}}A -> {{%?}}C probability is {{.*}} = 53.33%
A:
  indirectbr ptr %p, [label %B, label %C], !prof !0
B:
  ret void
C:
  ret void
}

define void @invoke() personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: 'invoke'
; CHECK: edge {{%?}}A -> {{%?}}B probability is {{.*}} = 46.67%
; CHECK: edge {{%?}}A -> {{%?}}C probability is {{.*}} = 53.33%
A:
  invoke void @may_throw() to label %B unwind label %C, !prof !0
B:
  ret void
C:
  %e = landingpad { ptr, i32 } cleanup
  ret void
}

!0 = !{!"branch_weights", i32 7, i32 8}
!1 = !{!"branch_weights", i32 1, i32 2, i32 7}
