; A loop whose back edge has probability 31/32 runs 32 times. Up to LLVM 17, the integer frequency of the rarest block
; is 8. From LLVM 18 on, the integer frequency of the most frequent block is 2^54.
; RUN: %bpa -passes='rust-bfi' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @f(i1 %c) {
; CHECK: block-frequency-info: f
; CHECK-NEXT: - {{%?}}entry: float = 1.0, int =
; CHECK-NEXT: - {{%?}}loop: float = 32.0, int =
; CHECK-NEXT: - {{%?}}end: float = 1.0, int =
entry:
  br label %loop
loop:
  br i1 %c, label %loop, label %end
end:
  ret void
}
