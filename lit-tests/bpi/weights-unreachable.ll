; An edge to `unreachable` gets a probability of at most 2^-31, independent of its weight. The remaining probability is
; divided between the reachable edges in proportion to their weights. If all successors are unreachable, the weights
; have no effect.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @capped(i32 %x) {
; CHECK-LABEL: 'capped'
; CHECK: edge {{%?}}A -> {{%?}}dead probability is 0x00000001 / 0x80000000 = 0.00%
; CHECK: edge {{%?}}A -> {{%?}}B probability is {{.*}} = 33.33%
; CHECK: edge {{%?}}A -> {{%?}}C probability is {{.*}} = 66.67%
A:
  switch i32 %x, label %dead [
    i32 1, label %B
    i32 2, label %C
  ], !prof !0
B:
  ret void
C:
  ret void
dead:
  unreachable
}

define void @nowhere(i1 %c) {
; CHECK-LABEL: 'nowhere'
; CHECK: edge {{%?}}A -> {{%?}}B probability is {{.*}} = 50.00%
; CHECK: edge {{%?}}A -> {{%?}}C probability is {{.*}} = 50.00%
A:
  br i1 %c, label %B, label %C, !prof !1
B:
  unreachable
C:
  unreachable
}

!0 = !{!"branch_weights", i32 70, i32 10, i32 20}
!1 = !{!"branch_weights", i32 7, i32 8}
