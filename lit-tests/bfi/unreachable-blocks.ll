; Unreachable blocks have frequency 0.
; RUN: %bpa -passes='rust-bfi' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @f() {
; CHECK: - {{%?}}entry: float = 1.0, int =
; CHECK-NEXT: - {{%?}}dead: float = 0.0, int = 0
entry:
  ret void
dead:
  ret void
}
