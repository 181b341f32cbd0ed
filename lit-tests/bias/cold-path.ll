; The block with the cold call has weight 65535, and the second successor has weight 1048575. The frequency of the cold
; block is 65535 / 1114110 = 0.058823 instead of 1/2. The bias of the cold block is 2 * 0.058823 = 0.11765. The
; bias of the second successor is 2 * 0.94118 = 1.8824. In the block where the two paths join, the bias is 1.0.
; RUN: %bpa -passes='print<rust-bias>' -disable-output %s 2>&1 | FileCheck %s

declare void @cold() cold

define void @f(i1 %c) {
; CHECK: - {{%?}}entry: bias = 1.0, float = 1.0, reference = 1.0
; CHECK-NEXT: - {{%?}}rare: bias = 0.11765, float = 0.058823, reference = 0.5
; CHECK-NEXT: - {{%?}}usual: bias = 1.8824, float = 0.94118, reference = 0.5
; CHECK-NEXT: - {{%?}}end: bias = 1.0, float = 1.0, reference = 1.0
entry:
  br i1 %c, label %rare, label %usual
rare:
  call void @cold()
  br label %end
usual:
  br label %end
end:
  ret void
}
