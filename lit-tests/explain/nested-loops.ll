; The outer loop has 2 iterations, and enters the inner loop with probability 1/2. The inner loop has 4 iterations for
; each entry.
; RUN: %bpa -passes='rust-bfi<explain>' -disable-output %s 2>&1 | FileCheck %s

define void @f(i1 %c) {
; CHECK: - outer: float = 2.0
; CHECK: loop header: probability 0.5 of leaving the loop, which makes 2.0 iterations per entry.
; CHECK: - inner: float = 4.0
; CHECK: loop header: probability 0.25 of leaving the loop, which makes 4.0 iterations per entry.
; CHECK-NEXT: entered 1.0 times per call of the function, 0.5 times per iteration of the loop of %outer.
; CHECK: - body: float = 2.0
; CHECK: in the loop of %inner: 0.5 runs per iteration, 4.0 iterations per entry, 1.0 entries.
entry:
  br label %outer
outer:
  br i1 %c, label %inner, label %latch, !prof !0
inner:
  br i1 %c, label %body, label %back, !prof !0
body:
  br label %back
back:
  br i1 %c, label %inner, label %latch, !prof !1
latch:
  br i1 %c, label %outer, label %end, !prof !0
end:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 1}
!1 = !{!"branch_weights", i32 3, i32 1}
