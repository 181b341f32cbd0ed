; # Even probabilities
;
; If no rule applies, all edges are equally likely. For a `switch`, only the rules about successors apply.
;
;              entry
;        1/3 / 1/3| \ 1/3
;        zero   one  more
;
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @even(i32 %x) {
entry:
  switch i32 %x, label %more [
    i32 0, label %zero
    i32 1, label %one
  ]
zero:
  ret void
one:
  ret void
more:
  ret void
}

; CHECK-LABEL: 'even'
; CHECK-NEXT: ---- Branch Probabilities ----
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}more probability is 0x2aaaaaab / 0x80000000 = 33.33%
; CHECK-NEXT:       even, 1 of 3: no rule applies to a switch.
; CHECK-NEXT:       Other rules: no metadata; no estimated weights.
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}zero probability is 0x2aaaaaab / 0x80000000 = 33.33%
; CHECK-NEXT:       even, 1 of 3: no rule applies to a switch.
; CHECK-NEXT:       Other rules: no metadata; no estimated weights.
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}one probability is 0x2aaaaaab / 0x80000000 = 33.33%
; CHECK-NEXT:       even, 1 of 3: no rule applies to a switch.
; CHECK-NEXT:       Other rules: no metadata; no estimated weights.
