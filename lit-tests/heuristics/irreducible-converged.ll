; # Loops with several headers, from LLVM 24 on
;
; From LLVM 24 on, LLVM repeatedly moves mass along the edges inside an irreducible loop. LLVM stops when the masses
; converge, or after 16 repetitions. LLVM then divides the iterations of the loop among its blocks, in proportion to
; their masses. The edges that enter the loop do not affect the masses inside the loop. The frequency of a block can
; therefore differ from the sum of the frequencies of its incoming edges.
;
;          entry
;     1/2 /     \ 1/2
;        a <---> b
;        |  31/32
;       end
;
; RUN: %bpa -passes='rust-bfi<explain;like=24>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

declare i1 @more()

define void @two_headers(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %again = call i1 @more()
  br i1 %again, label %b, label %end
b:
  br label %a
end:
  ret void
}

; CHECK-LABEL: 'two_headers'
; CHECK-NEXT: block-frequency-info: two_headers
; CHECK-NEXT:  - entry: float = 1.0, int = {{[0-9]+}}
; CHECK-NEXT:       entry: every call of the function starts here.
; CHECK-NEXT:  - a: float = 32.0, int = {{[0-9]+}}
; CHECK-NEXT:       32.0 from %b: 100.00% of 32.0.
; CHECK-NEXT:       0.5 from %entry: 50.00% of 1.0.
; CHECK-NEXT:       the edges add up to 32.5; LLVM approximates the flow in the irreducible loop of %a.
; CHECK-NEXT:       irreducible: 2 headers (%a, %b) and the other blocks share all iterations according to the propagated mass of each block: 0.5 for %a.
; CHECK-NEXT:       irreducible loop: each run of a block or inner loop is an iteration; probability 0.015625 of leaving the loop, which makes 64.0 iterations per entry.
; CHECK-NEXT:       entered 1.0 times per call of the function.
; CHECK-NEXT:  - b: float = 32.0, int = {{[0-9]+}}
; CHECK-NEXT:       31.0 from %a: 96.88% of 32.0.
; CHECK-NEXT:       0.5 from %entry: 50.00% of 1.0.
; CHECK-NEXT:       the edges add up to 31.5; LLVM approximates the flow in the irreducible loop of %a.
; CHECK-NEXT:       irreducible: 2 headers (%a, %b) and the other blocks share all iterations according to the propagated mass of each block: 0.5 for %b.
; CHECK-NEXT:       irreducible loop: each run of a block or inner loop is an iteration; probability 0.015625 of leaving the loop, which makes 64.0 iterations per entry.
; CHECK-NEXT:       entered 1.0 times per call of the function.
; CHECK-NEXT:  - end: float = 1.0, int = {{[0-9]+}}
; CHECK-NEXT:       1.0 from %a: 3.12% of 32.0.
