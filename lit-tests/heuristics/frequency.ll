; # From probabilities to frequencies
;
; The frequency of a block is the sum of the frequencies of its incoming edges. The probability of the back edge
; determines the number of iterations of a loop: with 31/32, the loop has 1 / (1 - 31/32) = 32 iterations. The branches
; inside the loop determine how often each block runs per iteration.
;
;         entry
;           |
;         loop <-------.
;     3  /    \  1     |
;    usual    rare     |
;        \    /        |
;         latch -------'
;           |    31/32
;          end
;
; RUN: %bpa -passes='rust-bfi<explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

declare i1 @more()

define void @iterations(i1 %c) {
entry:
  br label %loop
loop:
  br i1 %c, label %usual, label %rare, !prof !0
usual:
  br label %latch
rare:
  br label %latch
latch:
  %again = call i1 @more()
  br i1 %again, label %loop, label %end
end:
  ret void
}

!0 = !{!"branch_weights", i32 3, i32 1}

; CHECK-LABEL: 'iterations'
; CHECK-NEXT: block-frequency-info: iterations
; CHECK-NEXT:  - entry: float = 1.0, int = {{[0-9]+}}
; CHECK-NEXT:       entry: every call of the function starts here.
; CHECK-NEXT:  - loop: float = 32.0, int = {{[0-9]+}}
; CHECK-NEXT:       31.0 from %latch: 96.88% of 32.0.
; CHECK-NEXT:       1.0 from %entry: 100.00% of 1.0.
; CHECK-NEXT:       loop header: probability 0.03125 of leaving the loop, which makes 32.0 iterations per entry.
; CHECK-NEXT:       entered 1.0 times per call of the function.
; CHECK-NEXT:  - usual: float = 24.0, int = {{[0-9]+}}
; CHECK-NEXT:       24.0 from %loop: 75.00% of 32.0.
; CHECK-NEXT:       in the loop of %loop: 0.75 runs per iteration, 32.0 iterations per entry, 1.0 entries.
; CHECK-NEXT:  - rare: float = 8.0, int = {{[0-9]+}}
; CHECK-NEXT:       8.0 from %loop: 25.00% of 32.0.
; CHECK-NEXT:       in the loop of %loop: 0.25 runs per iteration, 32.0 iterations per entry, 1.0 entries.
; CHECK-NEXT:  - latch: float = 32.0, int = {{[0-9]+}}
; CHECK-NEXT:       24.0 from %usual: 100.00% of 24.0.
; CHECK-NEXT:       8.0 from %rare: 100.00% of 8.0.
; CHECK-NEXT:       in the loop of %loop: 1.0 runs per iteration, 32.0 iterations per entry, 1.0 entries.
; CHECK-NEXT:  - end: float = 1.0, int = {{[0-9]+}}
; CHECK-NEXT:       1.0 from %latch: 3.12% of 32.0.
