; # Pointers
;
; The rule predicts that two pointers, or a pointer and null, are equal with probability 12/32. Most comparisons of
; pointers test for a rare value such as null.
;
;             entry
;       12   /     \   20
;        none      some
;
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @pointers(ptr %p) {
entry:
  %c = icmp eq ptr %p, null
  br i1 %c, label %none, label %some
none:
  ret void
some:
  ret void
}

; CHECK-LABEL: 'pointers'
; CHECK-NEXT: ---- Branch Probabilities ----
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}none probability is 0x30000000 / 0x80000000 = 37.50%
; CHECK-NEXT:       pointer, 12 of 32: taken if icmp eq %p, null holds; pointers are rarely equal.
; CHECK-NEXT:       Other rules: no metadata; no estimated weights; even 50.00%.
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}some probability is 0x50000000 / 0x80000000 = 62.50%
; CHECK-NEXT:       pointer, 20 of 32: taken if icmp eq %p, null does not hold; pointers are rarely equal.
; CHECK-NEXT:       Other rules: no metadata; no estimated weights; even 50.00%.
