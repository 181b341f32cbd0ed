; LLVM divides the mass of an irreducible cycle between the headers in proportion to the mass of their back edges. In
; this function, A and B get equal mass. Only A has an edge that leaves the cycle. This edge has the probability 1/32,
; so A and B run about 32 times each.
; RUN: %bpa -passes='rust-bfi' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @f(i1 %c, i1 %d) {
; CHECK: - {{%?}}entry: float = 1.0,
; CHECK-NEXT: - {{%?}}A: float = 32.{{[0-9]+}},
; CHECK-NEXT: - {{%?}}B: float = 3{{[12]}}.{{[0-9]+}},
; CHECK-NEXT: - {{%?}}end: float = {{1.0|1.0[0-9]+|0.99[0-9]+}},
entry:
  br i1 %c, label %A, label %B
A:
  br i1 %d, label %B, label %end
B:
  br label %A
end:
  ret void
}
