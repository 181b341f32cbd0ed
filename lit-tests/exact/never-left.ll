; As in LLVM, an entered infinite loop has 4096 iterations. In an infinite irreducible loop, the frequencies of
; the headers add up to 4096. If a loop has the exit probability 2^-31, it has 2^31 iterations. Two nested loops with
; this exit probability have 2^62 iterations.
; RUN: %bpa -passes='rust-bfi<exact>' -disable-output %s 2>&1 | FileCheck %s

define void @natural(i1 %c) {
; CHECK-LABEL: block-frequency-info: natural
; CHECK: - {{%?}}loop: float = 2048.0,
; CHECK-NEXT: - {{%?}}latch: float = 2048.0,
entry:
  br i1 %c, label %loop, label %end, !prof !0
loop:
  br label %latch
latch:
  br label %loop
end:
  ret void
}

; a = 1/2 + 4095/4096 b and b = 1/2 + 4095/4096 a.
define void @irreducible(i1 %c) {
; CHECK-LABEL: block-frequency-info: irreducible
; CHECK: - {{%?}}a: float = 2048.0,
; CHECK-NEXT: - {{%?}}b: float = 2048.0,
entry:
  br i1 %c, label %a, label %b, !prof !0
a:
  br label %b
b:
  br label %a
}

; Only b has an edge out of the inner loop. Half of the 2^31 outer iterations enter the inner loop at b. In each of
; these outer iterations, a is executed once less than b. The frequency of b is 2^62, and the frequency of a is
; 2^62 - 2^30.
define void @rarely(i1 %c) {
; CHECK-LABEL: block-frequency-info: rarely
; CHECK: - {{%?}}outer: float = 2147483648.0,
; CHECK-NEXT: - {{%?}}a: float = 4611686017353646080.0,
; CHECK-NEXT: - {{%?}}b: float = 4611686018427387904.0,
; CHECK: - {{%?}}end: float = 1.0,
entry:
  br label %outer
outer:
  br i1 %c, label %a, label %b, !prof !0
a:
  br label %b
b:
  br i1 %c, label %a, label %latch, !prof !1
latch:
  br i1 %c, label %outer, label %end, !prof !1
end:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 1}
!1 = !{!"branch_weights", i32 2147483647, i32 1}
