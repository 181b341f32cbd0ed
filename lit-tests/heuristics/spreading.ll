; # How weights are propagated
;
; If a block post-dominates one of its dominators, both blocks have equal frequencies. The dominator therefore gets the
; weight of the block. If all successors of a block have a weight, the block gets the highest of these weights. In this
; example, `%error` is cold because all paths from `%error` lead to `%report`. The successors of `%retry` have the
; weights 1 and 65535, so `%retry` has the higher of these weights, 65535.
;
;          entry -------------.
;            |                |
;          retry              |
;      1  /     \  65535      |
;      fail      error        |
;     @abort    /     \       |
;            left    right    |
;               \     /       |
;               report ---> next
;             @log_error
;
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

declare void @log_error() cold
declare void @abort() noreturn

define void @spreading(i1 %a, i1 %b, i1 %c) {
entry:
  br i1 %a, label %retry, label %next
retry:
  br i1 %b, label %fail, label %error
fail:
  call void @abort()
  unreachable
error:
  br i1 %c, label %left, label %right
left:
  br label %report
right:
  br label %report
report:
  call void @log_error()
  br label %next
next:
  ret void
}

; CHECK-LABEL: 'spreading'
; CHECK-NEXT: ---- Branch Probabilities ----
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}retry probability is 0x078780e3 / 0x80000000 = 5.88%
; CHECK-NEXT:       estimated weights, 65535 of 1114110: %retry is cold.
; CHECK-NEXT:       %report is cold: it calls @log_error (cold) -> post-dominates %error -> is the likeliest successor of %retry.
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}next probability is 0x78787f1d / 0x80000000 = 94.12% [HOT edge]
; CHECK-NEXT:       estimated weights, 1048575 of 1114110: no rule makes %next unlikely.
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
; CHECK-NEXT:   edge {{%?}}retry -> {{%?}}fail probability is 0x00008000 / 0x80000000 = 0.00%
; CHECK-NEXT:       estimated weights, 1 of 65536: %fail hardly ever runs: it calls @abort (noreturn).
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
; CHECK-NEXT:   edge {{%?}}retry -> {{%?}}error probability is 0x7fff8000 / 0x80000000 = 100.00% [HOT edge]
; CHECK-NEXT:       estimated weights, 65535 of 65536: %error is cold.
; CHECK-NEXT:       %report is cold: it calls @log_error (cold) -> post-dominates %error.
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
; CHECK-NEXT:   edge {{%?}}error -> {{%?}}left probability is 0x40000000 / 0x80000000 = 50.00%
; CHECK-NEXT:       estimated weights, 65535 of 131070: %left is cold.
; CHECK-NEXT:       %report is cold: it calls @log_error (cold) -> is the only successor of %left.
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
; CHECK-NEXT:   edge {{%?}}error -> {{%?}}right probability is 0x40000000 / 0x80000000 = 50.00%
; CHECK-NEXT:       estimated weights, 65535 of 131070: %right is cold.
; CHECK-NEXT:       %report is cold: it calls @log_error (cold) -> is the only successor of %right.
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
; CHECK-NEXT:   edge {{%?}}left -> {{%?}}report probability is 0x80000000 / 0x80000000 = 100.00% [HOT edge]
; CHECK-NEXT:       single successor, 1 of 1: %left has no other successor.
; CHECK-NEXT:   edge {{%?}}right -> {{%?}}report probability is 0x80000000 / 0x80000000 = 100.00% [HOT edge]
; CHECK-NEXT:       single successor, 1 of 1: %right has no other successor.
; CHECK-NEXT:   edge {{%?}}report -> {{%?}}next probability is 0x80000000 / 0x80000000 = 100.00% [HOT edge]
; CHECK-NEXT:       single successor, 1 of 1: %report has no other successor.
