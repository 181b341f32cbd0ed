; # Loops
;
; If an edge leaves the innermost loop around its source block, LLVM divides the weight of the edge by 31. The exit gets
; the weight 1048575 / 31 = 33825, so the back edge has the probability 96.88%, and the exit has the probability 3.12%.
;
;          entry
;            |
;          loop <--.
;     33825 |  \___| 1048575
;          end
;
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

declare i1 @more()

define void @turning() {
entry:
  br label %loop
loop:
  %c = call i1 @more()
  br i1 %c, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: 'turning'
; CHECK-NEXT: ---- Branch Probabilities ----
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}loop probability is 0x80000000 / 0x80000000 = 100.00% [HOT edge]
; CHECK-NEXT:       single successor, 1 of 1: %entry has no other successor.
; CHECK-NEXT:   edge {{%?}}loop -> {{%?}}loop probability is 0x7c000000 / 0x80000000 = 96.88% [HOT edge]
; CHECK-NEXT:       estimated weights, 1048575 of 1082400: it starts the next iteration of the loop of %loop.
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
; CHECK-NEXT:   edge {{%?}}loop -> {{%?}}end probability is 0x04000000 / 0x80000000 = 3.12%
; CHECK-NEXT:       estimated weights, 33825 of 1082400: it leaves the loop of %loop: 1048575 / 31.
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
