; `rust-bpi<explain>` prints why LLVM ignores `!prof` metadata: the name of the metadata is not `branch_weights`, the
; number of weights is wrong, or a weight is not a number.
; RUN: %bpa -disable-verify -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s

define void @kind(i1 %c) {
; CHECK-LABEL: 'kind'
; CHECK: even, 1 of 2: no rule applies to %c.
; CHECK-NEXT: Other rules: metadata 'other' is not branch_weights; no estimated weights.
  br i1 %c, label %A, label %B, !prof !0
A:
  ret void
B:
  ret void
}

define void @count(ptr %p) {
; CHECK-LABEL: 'count'
; CHECK: pointer, 12 of 32
; CHECK-NEXT: Other rules: metadata not read: 1 weight for 2 successors; no estimated weights; even 50.00%.
  %c = icmp eq ptr %p, null
  br i1 %c, label %A, label %B, !prof !1
A:
  ret void
B:
  ret void
}

define void @number(i1 %c) {
; CHECK-LABEL: 'number'
; CHECK: Other rules: metadata not read: a weight is not a number; no estimated weights.
  br i1 %c, label %A, label %B, !prof !2
A:
  ret void
B:
  ret void
}

!0 = !{!"other", i32 1, i32 2, i32 3}
!1 = !{!"branch_weights", i32 1}
!2 = !{!"branch_weights", i32 2, !"x"}
