; # Branch weights of edges to unreachable blocks
;
; An edge to a block that ends in `unreachable` gets a probability of at most 2^-31, independent of its branch weight.
; The remaining probability is divided between the reachable edges in proportion to their branch weights.
;
;             entry
;        7   /     \   8
;        next      dead
;                  unreachable
;
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @capped(i1 %c) {
entry:
  br i1 %c, label %next, label %dead, !prof !0
next:
  ret void
dead:
  unreachable
}

!0 = !{!"branch_weights", i32 7, i32 8}

; CHECK-LABEL: 'capped'
; CHECK-NEXT: ---- Branch Probabilities ----
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}next probability is 0x7fffffff / 0x80000000 = 100.00% [HOT edge]
; CHECK-NEXT:       metadata, 7 of 15: its branch weight.
; CHECK-NEXT:       The probabilities of edges to destinations that never complete are limited, so this edge is more likely.
; CHECK-NEXT:       Other rules: estimated weights 1048575 of 1048575 = 100.00%; even 50.00%.
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}dead probability is 0x00000001 / 0x80000000 = 0.00%
; CHECK-NEXT:       metadata, 8 of 15: its branch weight.
; CHECK-NEXT:       The probability is at most 1 / 2147483648 because the destination never completes.
; CHECK-NEXT:       %dead never completes: it ends in unreachable.
; CHECK-NEXT:       Other rules: estimated weights 0 of 1048575 = 0.00%; even 50.00%.
