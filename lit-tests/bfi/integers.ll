; Up to LLVM 17, the smallest integer frequency is 8.
; RUN: %bpa -passes='rust-bfi' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

; UNSUPPORTED: llvm-ge-18
define void @f(i1 %c) {
; CHECK: - {{%?}}entry: float = 1.0, int = 8
; CHECK-NEXT: - {{%?}}loop: float = 32.0, int = 255
; CHECK-NEXT: - {{%?}}end: float = 1.0, int = 8
entry:
  br label %loop
loop:
  br i1 %c, label %loop, label %end
end:
  ret void
}
