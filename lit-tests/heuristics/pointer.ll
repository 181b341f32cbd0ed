; # Pointers
;
; A pointer is equal to another pointer or to null in 12 of 32 cases. Most comparisons of pointers test for the
; exceptional value.
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
