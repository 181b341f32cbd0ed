; LLVM assumes that an infinite loop has 4096 iterations.
; RUN: %bpa -passes='rust-bfi' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @f() {
; CHECK: - {{%?}}entry: float = 1.0, int =
; CHECK-NEXT: - {{%?}}loop: float = 4096.0, int =
entry:
  br label %loop
loop:
  br label %loop
}
