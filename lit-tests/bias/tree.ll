; The function is a tree of branches with five levels. No block has two predecessors, and no rule applies. A
; leaf is rare only because of its position in the CFG, so its bias is 1.0.
; RUN: %bpa -passes='print<rust-bias>' -disable-output %s 2>&1 | FileCheck %s

define void @f(i1 %c) {
; CHECK: block-bias-info: f
; CHECK-NEXT: - {{%?}}root: bias = 1.0, float = 1.0, reference = 1.0
; CHECK-NEXT: - {{%?}}n0: bias = 1.0, float = 0.5, reference = 0.5
; CHECK-NEXT: - {{%?}}n00: bias = 1.0, float = 0.25, reference = 0.25
; CHECK-NEXT: - {{%?}}n000: bias = 1.0, float = 0.125, reference = 0.125
; CHECK-NEXT: - {{%?}}n0000: bias = 1.0, float = 0.0625, reference = 0.0625
; CHECK-NEXT: - {{%?}}n00000: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n00001: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n0001: bias = 1.0, float = 0.0625, reference = 0.0625
; CHECK-NEXT: - {{%?}}n00010: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n00011: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n001: bias = 1.0, float = 0.125, reference = 0.125
; CHECK-NEXT: - {{%?}}n0010: bias = 1.0, float = 0.0625, reference = 0.0625
; CHECK-NEXT: - {{%?}}n00100: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n00101: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n0011: bias = 1.0, float = 0.0625, reference = 0.0625
; CHECK-NEXT: - {{%?}}n00110: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n00111: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n01: bias = 1.0, float = 0.25, reference = 0.25
; CHECK-NEXT: - {{%?}}n010: bias = 1.0, float = 0.125, reference = 0.125
; CHECK-NEXT: - {{%?}}n0100: bias = 1.0, float = 0.0625, reference = 0.0625
; CHECK-NEXT: - {{%?}}n01000: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n01001: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n0101: bias = 1.0, float = 0.0625, reference = 0.0625
; CHECK-NEXT: - {{%?}}n01010: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n01011: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n011: bias = 1.0, float = 0.125, reference = 0.125
; CHECK-NEXT: - {{%?}}n0110: bias = 1.0, float = 0.0625, reference = 0.0625
; CHECK-NEXT: - {{%?}}n01100: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n01101: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n0111: bias = 1.0, float = 0.0625, reference = 0.0625
; CHECK-NEXT: - {{%?}}n01110: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n01111: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n1: bias = 1.0, float = 0.5, reference = 0.5
; CHECK-NEXT: - {{%?}}n10: bias = 1.0, float = 0.25, reference = 0.25
; CHECK-NEXT: - {{%?}}n100: bias = 1.0, float = 0.125, reference = 0.125
; CHECK-NEXT: - {{%?}}n1000: bias = 1.0, float = 0.0625, reference = 0.0625
; CHECK-NEXT: - {{%?}}n10000: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n10001: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n1001: bias = 1.0, float = 0.0625, reference = 0.0625
; CHECK-NEXT: - {{%?}}n10010: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n10011: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n101: bias = 1.0, float = 0.125, reference = 0.125
; CHECK-NEXT: - {{%?}}n1010: bias = 1.0, float = 0.0625, reference = 0.0625
; CHECK-NEXT: - {{%?}}n10100: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n10101: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n1011: bias = 1.0, float = 0.0625, reference = 0.0625
; CHECK-NEXT: - {{%?}}n10110: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n10111: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n11: bias = 1.0, float = 0.25, reference = 0.25
; CHECK-NEXT: - {{%?}}n110: bias = 1.0, float = 0.125, reference = 0.125
; CHECK-NEXT: - {{%?}}n1100: bias = 1.0, float = 0.0625, reference = 0.0625
; CHECK-NEXT: - {{%?}}n11000: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n11001: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n1101: bias = 1.0, float = 0.0625, reference = 0.0625
; CHECK-NEXT: - {{%?}}n11010: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n11011: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n111: bias = 1.0, float = 0.125, reference = 0.125
; CHECK-NEXT: - {{%?}}n1110: bias = 1.0, float = 0.0625, reference = 0.0625
; CHECK-NEXT: - {{%?}}n11100: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n11101: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n1111: bias = 1.0, float = 0.0625, reference = 0.0625
; CHECK-NEXT: - {{%?}}n11110: bias = 1.0, float = 0.03125, reference = 0.03125
; CHECK-NEXT: - {{%?}}n11111: bias = 1.0, float = 0.03125, reference = 0.03125
root:
  br i1 %c, label %n0, label %n1
n0:
  br i1 %c, label %n00, label %n01
n00:
  br i1 %c, label %n000, label %n001
n000:
  br i1 %c, label %n0000, label %n0001
n0000:
  br i1 %c, label %n00000, label %n00001
n00000:
  ret void
n00001:
  ret void
n0001:
  br i1 %c, label %n00010, label %n00011
n00010:
  ret void
n00011:
  ret void
n001:
  br i1 %c, label %n0010, label %n0011
n0010:
  br i1 %c, label %n00100, label %n00101
n00100:
  ret void
n00101:
  ret void
n0011:
  br i1 %c, label %n00110, label %n00111
n00110:
  ret void
n00111:
  ret void
n01:
  br i1 %c, label %n010, label %n011
n010:
  br i1 %c, label %n0100, label %n0101
n0100:
  br i1 %c, label %n01000, label %n01001
n01000:
  ret void
n01001:
  ret void
n0101:
  br i1 %c, label %n01010, label %n01011
n01010:
  ret void
n01011:
  ret void
n011:
  br i1 %c, label %n0110, label %n0111
n0110:
  br i1 %c, label %n01100, label %n01101
n01100:
  ret void
n01101:
  ret void
n0111:
  br i1 %c, label %n01110, label %n01111
n01110:
  ret void
n01111:
  ret void
n1:
  br i1 %c, label %n10, label %n11
n10:
  br i1 %c, label %n100, label %n101
n100:
  br i1 %c, label %n1000, label %n1001
n1000:
  br i1 %c, label %n10000, label %n10001
n10000:
  ret void
n10001:
  ret void
n1001:
  br i1 %c, label %n10010, label %n10011
n10010:
  ret void
n10011:
  ret void
n101:
  br i1 %c, label %n1010, label %n1011
n1010:
  br i1 %c, label %n10100, label %n10101
n10100:
  ret void
n10101:
  ret void
n1011:
  br i1 %c, label %n10110, label %n10111
n10110:
  ret void
n10111:
  ret void
n11:
  br i1 %c, label %n110, label %n111
n110:
  br i1 %c, label %n1100, label %n1101
n1100:
  br i1 %c, label %n11000, label %n11001
n11000:
  ret void
n11001:
  ret void
n1101:
  br i1 %c, label %n11010, label %n11011
n11010:
  ret void
n11011:
  ret void
n111:
  br i1 %c, label %n1110, label %n1111
n1110:
  br i1 %c, label %n11100, label %n11101
n11100:
  ret void
n11101:
  ret void
n1111:
  br i1 %c, label %n11110, label %n11111
n11110:
  ret void
n11111:
  ret void
}
