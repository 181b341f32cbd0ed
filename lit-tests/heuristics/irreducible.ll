; # Loops with several headers, through LLVM 23
;
; An irreducible loop has several headers, and LLVM treats it as one loop. Up to version 23, LLVM divides each iteration
; among the headers in proportion to the mass that returns to each header. If the profile has `irr_loop` metadata, LLVM
; uses the weights of this metadata instead of the mass. The result is an estimate: the frequency of a block can differ
; from the sum of the frequencies of its incoming edges.
;
;          entry
;     1/2 /     \ 1/2
;        a <---> b
;        |  31/32
;       end
;
; RUN: %bpa -passes='rust-bfi<explain;like=23>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='rust-bfi<explain%through23>' -disable-output %s 2>&1 | FileCheck %s
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
; CHECK-NEXT:  - a: float = 32.508, int = {{[0-9]+}}
; CHECK-NEXT:       31.492 from %b: 100.00% of 31.492.
; CHECK-NEXT:       0.5 from %entry: 50.00% of 1.0.
; CHECK-NEXT:       the edges add up to 31.992; LLVM approximates the flow in the irreducible loop of %a.
; CHECK-NEXT:       irreducible: 2 headers (%a, %b) share each iteration according to their back-edge mass: 0.50794 for %a.
; CHECK-NEXT:       irreducible loop: probability 0.015625 of leaving the loop, which makes 64.0 iterations per entry.
; CHECK-NEXT:       entered 1.0 times per call of the function.
; CHECK-NEXT:  - b: float = 31.492, int = {{[0-9]+}}
; CHECK-NEXT:       31.492 from %a: 96.88% of 32.508.
; CHECK-NEXT:       0.5 from %entry: 50.00% of 1.0.
; CHECK-NEXT:       the edges add up to 31.992; LLVM approximates the flow in the irreducible loop of %a.
; CHECK-NEXT:       irreducible: 2 headers (%a, %b) share each iteration according to their back-edge mass: 0.49206 for %b.
; CHECK-NEXT:       irreducible loop: probability 0.015625 of leaving the loop, which makes 64.0 iterations per entry.
; CHECK-NEXT:       entered 1.0 times per call of the function.
; CHECK-NEXT:  - end: float = 1.0, int = {{[0-9]+}}
; CHECK-NEXT:       1.0159 from %a: 3.12% of 32.508.
; CHECK-NEXT:       the edges add up to 1.0159; LLVM approximates the flow in the irreducible loop of %a.
