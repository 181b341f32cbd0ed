; # Cold calls
;
; A block that contains a `cold` call has weight 65535 (0xffff), a sixteenth of the default weight. The call site or the
; callee can have the attribute `cold`. The rule does not apply to an `invoke`.
;
;             entry
;    65535   /     \   1048575
;        error     next
;        @log_error
;
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

declare void @log_error() cold

define void @cold_call(i1 %c) {
entry:
  br i1 %c, label %error, label %next
error:
  call void @log_error()
  br label %next
next:
  ret void
}

; CHECK-LABEL: 'cold_call'
; CHECK-NEXT: ---- Branch Probabilities ----
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}error probability is 0x078780e3 / 0x80000000 = 5.88%
; CHECK-NEXT:       estimated weights, 65535 of 1114110: %error is cold: it calls @log_error (cold).
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}next probability is 0x78787f1d / 0x80000000 = 94.12% [HOT edge]
; CHECK-NEXT:       estimated weights, 1048575 of 1114110: no rule makes %next unlikely.
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
; CHECK-NEXT:   edge {{%?}}error -> {{%?}}next probability is 0x80000000 / 0x80000000 = 100.00% [HOT edge]
; CHECK-NEXT:       single successor, 1 of 1: %error has no other successor.
