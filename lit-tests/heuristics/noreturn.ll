; # Calls that do not return
;
; If a call that does not return precedes `unreachable`, the block has weight 1, the lowest weight above 0. A program
; executes the block at most once.
;
;             entry
;        1   /     \   1048575
;        fail      next
;       @abort
;
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

declare void @abort() noreturn

define void @not_returning(i1 %c) {
entry:
  br i1 %c, label %fail, label %next
fail:
  call void @abort()
  unreachable
next:
  ret void
}

; CHECK-LABEL: 'not_returning'
; CHECK-NEXT: ---- Branch Probabilities ----
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}fail probability is 0x00000800 / 0x80000000 = 0.00%
; CHECK-NEXT:       estimated weights, 1 of 1048576: %fail hardly ever runs: it calls @abort (noreturn).
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}next probability is 0x7ffff800 / 0x80000000 = 100.00% [HOT edge]
; CHECK-NEXT:       estimated weights, 1048575 of 1048576: no rule makes %next unlikely.
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
