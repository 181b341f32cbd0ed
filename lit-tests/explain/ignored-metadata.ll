; If all branch weights are 0, or if all successors end in `unreachable`, branch weights have no effect. All edges get
; equal probabilities.
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s

define void @zeros(i1 %c) {
; CHECK-LABEL: 'zeros'
; CHECK: = 50.00%
; CHECK-NEXT: metadata, 1 of 2: the branch weights of %entry are all 0: equal probabilities.
entry:
  br i1 %c, label %A, label %B, !prof !0
A:
  ret void
B:
  ret void
}

define void @capped_zeros(i1 %c) {
; CHECK-LABEL: 'capped_zeros'
; CHECK: metadata, 1 of 2: the branch weights of %entry are all 0: equal probabilities.
; CHECK-NEXT: The probabilities of edges to destinations that never complete are limited, so this edge is more likely.
; CHECK: = 0.00%
; CHECK-NEXT: metadata, 1 of 2: the branch weights of %entry are all 0: equal probabilities.
; CHECK-NEXT: The probability is at most 1 / 2147483648 because the destination never completes.
entry:
  br i1 %c, label %A, label %B, !prof !0
A:
  ret void
B:
  unreachable
}

define void @dead_ends(i1 %c) {
; CHECK-LABEL: 'dead_ends'
; CHECK: = 50.00%
; CHECK-NEXT: metadata, 1 of 2: no successor of %entry completes, so its branch weights are ignored.
; CHECK-NEXT: %A never completes: it ends in unreachable.
; CHECK-NEXT: Other rules: even 50.00%.
entry:
  br i1 %c, label %A, label %B, !prof !1
A:
  unreachable
B:
  unreachable
}

!0 = !{!"branch_weights", i32 0, i32 0}
!1 = !{!"branch_weights", i32 7, i32 8}
