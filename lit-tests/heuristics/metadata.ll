; # Branch weights
;
; `!prof` metadata with the name `branch_weights` has precedence over all other rules. The probability of an edge is its
; weight divided by the sum of the weights. The explanation also lists the predictions of the other rules.
;
;             entry
;       70   /     \   30
;        often     rarely
;
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @weights(ptr %p) {
entry:
  %c = icmp ne ptr %p, null
  br i1 %c, label %often, label %rarely, !prof !0
often:
  ret void
rarely:
  ret void
}

!0 = !{!"branch_weights", i32 70, i32 30}

; CHECK-LABEL: 'weights'
; CHECK-NEXT: ---- Branch Probabilities ----
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}often probability is 0x5999999a / 0x80000000 = 70.00%
; CHECK-NEXT:       metadata, 70 of 100: its branch weight.
; CHECK-NEXT:       Other rules: pointer 20 of 32 = 62.50%; even 50.00%.
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}rarely probability is 0x26666666 / 0x80000000 = 30.00%
; CHECK-NEXT:       metadata, 30 of 100: its branch weight.
; CHECK-NEXT:       Other rules: pointer 12 of 32 = 37.50%; even 50.00%.
