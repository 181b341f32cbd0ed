; The printed edge probabilities of an unreachable block are equal, and its branch weights are ignored.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @f(i1 %c) {
; CHECK: edge {{%?}}dead -> {{%?}}dead probability is {{.*}} = 50.00%
; CHECK: edge {{%?}}dead -> {{%?}}live probability is {{.*}} = 50.00%
entry:
  br label %live
dead:
  br i1 %c, label %dead, label %live, !prof !0
live:
  ret void
}

!0 = !{!"branch_weights", i32 99, i32 1}
