; # Zero and negative numbers
;
; The rule predicts that an integer is 0, -1 or negative with probability 12/32. Most of these numbers are error codes
; or end markers. `x < 1` means `x <= 0`, and `x > -1` means `x >= 0`. No rule applies to comparisons with other
; constants.
;
;             entry
;       12   /     \   20
;        failed    done
;
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @negative(i32 %code) {
entry:
  %c = icmp slt i32 %code, 0
  br i1 %c, label %failed, label %done
failed:
  ret void
done:
  ret void
}

; CHECK-LABEL: 'negative'
; CHECK-NEXT: ---- Branch Probabilities ----
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}failed probability is 0x30000000 / 0x80000000 = 37.50%
; CHECK-NEXT:       constant, 12 of 32: taken if icmp slt %code, 0 holds; numbers are rarely negative.
; CHECK-NEXT:       Other rules: no metadata; no estimated weights; even 50.00%.
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}done probability is 0x50000000 / 0x80000000 = 62.50%
; CHECK-NEXT:       constant, 20 of 32: taken if icmp slt %code, 0 does not hold; numbers are rarely negative.
; CHECK-NEXT:       Other rules: no metadata; no estimated weights; even 50.00%.
