; The weights 7 : 8 give the frequencies 7/15 = 0.46667 and 8/15 = 0.53333. The reference frequency of each block is
; 0.5. The biases of the two blocks are 14/15 = 0.93333 and 16/15 = 1.0667.
; RUN: %bpa -passes='print<rust-bias>' -disable-output %s 2>&1 | FileCheck %s

define void @f(i1 %c) {
; CHECK: - {{%?}}less: bias = 0.93333, float = 0.46667, reference = 0.5
; CHECK-NEXT: - {{%?}}more: bias = 1.0667, float = 0.53333, reference = 0.5
entry:
  br i1 %c, label %less, label %more, !prof !0
less:
  ret void
more:
  ret void
}

!0 = !{!"branch_weights", i32 7, i32 8}
