; A loop whose back edge has probability 31/32 runs 32 times. The reference frequencies assume one iteration per entry,
; so the bias of the loop is 32 / 1 = 32. The blocks outside the loop have bias 1.
; RUN: %bpa -passes='print<rust-bias>' -disable-output %s 2>&1 | FileCheck %s

define void @f(i1 %c) {
; CHECK: - {{%?}}entry: bias = 1.0, float = 1.0, reference = 1.0
; CHECK-NEXT: - {{%?}}loop: bias = 32.0, float = 32.0, reference = 1.0
; CHECK-NEXT: - {{%?}}end: bias = 1.0, float = 1.0, reference = 1.0
entry:
  br label %loop
loop:
  br i1 %c, label %loop, label %end
end:
  ret void
}
