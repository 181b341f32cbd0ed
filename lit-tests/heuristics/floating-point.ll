; # Floating-point numbers
;
; The rule predicts that one number in 2^20 is a NaN. The rule predicts that `fcmp oeq`, `fcmp one` and `fcmp une` are
; true, and that `fcmp ueq` is false. No rule applies to other comparisons of floating-point numbers.
;
;             entry
;        1   /     \   1048575
;        broken    fine
;
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @nan(double %x) {
entry:
  %c = fcmp uno double %x, 0.0
  br i1 %c, label %broken, label %fine
broken:
  ret void
fine:
  ret void
}

; CHECK-LABEL: 'nan'
; CHECK-NEXT: ---- Branch Probabilities ----
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}broken probability is 0x00000800 / 0x80000000 = 0.00%
; CHECK-NEXT:       floating point, 1 of 1048576: taken if fcmp uno %x, 0.000000e+00 holds; a floating point number is rarely NaN.
; CHECK-NEXT:       Other rules: no metadata; no estimated weights; even 50.00%.
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}fine probability is 0x7ffff800 / 0x80000000 = 100.00% [HOT edge]
; CHECK-NEXT:       floating point, 1048575 of 1048576: taken if fcmp uno %x, 0.000000e+00 does not hold; a floating point number is rarely NaN.
; CHECK-NEXT:       Other rules: no metadata; no estimated weights; even 50.00%.
