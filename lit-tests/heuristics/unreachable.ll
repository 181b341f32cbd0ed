; # Unreachable blocks
;
; A block that ends in `unreachable` has weight 0, because the program never executes it. If the only successor of a
; block has weight 0, the block has weight 0. The default weight is 1048575 (0xfffff).
;
;             entry
;        0   /     \   1048575
;        dead      next
;     unreachable
;
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @dead_end(i1 %c) {
entry:
  br i1 %c, label %dead, label %next
dead:
  unreachable
next:
  ret void
}

; CHECK-LABEL: 'dead_end'
; CHECK-NEXT: ---- Branch Probabilities ----
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}dead probability is 0x00000000 / 0x80000000 = 0.00%
; CHECK-NEXT:       estimated weights, 0 of 1048575: %dead never completes: it ends in unreachable.
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}next probability is 0x80000000 / 0x80000000 = 100.00% [HOT edge]
; CHECK-NEXT:       estimated weights, 1048575 of 1048575: no rule makes %next unlikely.
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
