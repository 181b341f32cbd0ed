; # Loops with cold exits
;
; The weight of a loop is the highest weight of its exits, and an edge into a loop has the weight of the loop. The only
; exit of this loop is cold, so the edge into the loop has the weight of an edge to a cold block. LLVM divides the
; weight of each edge that leaves a loop by 31.
;
;             entry
;      65535  /     \  1048575
;    .--> search    next
;    \___/   |
;   1048575  | 65535 / 31
;          error
;        @log_error
;
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

declare void @log_error() cold
declare i1 @more()

define void @cold_loop(i1 %c) {
entry:
  br i1 %c, label %search, label %next
search:
  %again = call i1 @more()
  br i1 %again, label %search, label %error
error:
  call void @log_error()
  ret void
next:
  ret void
}

; CHECK-LABEL: 'cold_loop'
; CHECK-NEXT: ---- Branch Probabilities ----
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}search probability is 0x078780e3 / 0x80000000 = 5.88%
; CHECK-NEXT:       estimated weights, 65535 of 1114110: the loop of %search is cold.
; CHECK-NEXT:       %error is cold: it calls @log_error (cold) -> is the only exit of the loop of %search.
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}next probability is 0x78787f1d / 0x80000000 = 94.12% [HOT edge]
; CHECK-NEXT:       estimated weights, 1048575 of 1114110: no rule makes %next unlikely.
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
; CHECK-NEXT:   edge {{%?}}search -> {{%?}}search probability is 0x7fbe1203 / 0x80000000 = 99.80% [HOT edge]
; CHECK-NEXT:       estimated weights, 1048575 of 1050689: it starts the next iteration of the loop of %search.
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
; CHECK-NEXT:   edge {{%?}}search -> {{%?}}error probability is 0x0041edfd / 0x80000000 = 0.20%
; CHECK-NEXT:       estimated weights, 2114 of 1050689: it leaves the loop of %search for %error, which is cold: 65535 / 31.
; CHECK-NEXT:       %error is cold: it calls @log_error (cold).
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
