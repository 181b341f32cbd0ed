; The exact frequencies of small irreducible regions are solutions of linear equations: f(b) is the sum of f(p) times
; the probability of p -> b, over all edges p -> b. The frequencies of the default printer match LLVM, and differ from
; the exact frequencies in some regions.
; RUN: %bpa -passes='rust-bfi<exact>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='function(print<rust-bfi;exact>)' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

; a = 1/2 + b + d/2, b = 3/5 a, d = 1/2 + 1/5 a. Therefore a = 1/2 + 3/5 a + 1/4 + 1/10 a, and 3/10 a = 3/4.
define void @five_three_two(i1 %c, i32 %x) {
; CHECK-LABEL: block-frequency-info: five_three_two
; CHECK-NEXT: - {{%?}}entry: float = 1.0,
; CHECK-NEXT: - {{%?}}a: float = 2.5,
; CHECK-NEXT: - {{%?}}b: float = 1.5,
; CHECK-NEXT: - {{%?}}d: float = 1.0,
; CHECK-NEXT: - {{%?}}end: float = 1.0,
entry:
  br i1 %c, label %a, label %d, !prof !0
a:
  switch i32 %x, label %end [
    i32 0, label %b
    i32 1, label %d
  ], !prof !1
b:
  br label %a
d:
  br i1 %c, label %a, label %end, !prof !0
end:
  ret void
}

; b = 1/2 + d/2, a = 1/2 + 3/5 b + d/2, d = a/2 + b/5. The solution is b = 1, d = 1, a = 8/5.
define void @eight_five_five(i1 %c, i32 %x) {
; CHECK-LABEL: block-frequency-info: eight_five_five
; CHECK: - {{%?}}a: float = 1.6,
; CHECK-NEXT: - {{%?}}b: float = 1.0,
; CHECK-NEXT: - {{%?}}d: float = 1.0,
; CHECK-NEXT: - {{%?}}end: float = 1.0,
entry:
  br i1 %c, label %a, label %b, !prof !0
a:
  br i1 %c, label %d, label %end, !prof !0
b:
  switch i32 %x, label %end [
    i32 0, label %a
    i32 1, label %d
  ], !prof !1
d:
  br i1 %c, label %a, label %b, !prof !0
end:
  ret void
}

; a = 1/3 + b + d, b = d = 1/3 + a/8. Therefore a = 1 + a/4 = 4/3, and b = d = 1/3 + 1/6.
define void @eight_three_three(i32 %x) {
; CHECK-LABEL: block-frequency-info: eight_three_three
; CHECK: - {{%?}}a: float = 1.3333,
; CHECK-NEXT: - {{%?}}b: float = 0.5,
; CHECK-NEXT: - {{%?}}d: float = 0.5,
; CHECK-NEXT: - {{%?}}end: float = 1.0,
entry:
  switch i32 %x, label %a [
    i32 0, label %b
    i32 1, label %d
  ], !prof !2
a:
  switch i32 %x, label %end [
    i32 0, label %b
    i32 1, label %d
  ], !prof !3
b:
  br label %a
d:
  br label %a
end:
  ret void
}

; a = 1/2 + b/2 + d, b = 1/2 + a/2, d = a/2. Therefore a = 1/2 + 1/4 + a/4 + a/2, and a/4 = 3/4.
define void @six_four_three(i1 %c) {
; CHECK-LABEL: block-frequency-info: six_four_three
; CHECK: - {{%?}}a: float = 3.0,
; CHECK-NEXT: - {{%?}}b: float = 2.0,
; CHECK-NEXT: - {{%?}}d: float = 1.5,
; CHECK-NEXT: - {{%?}}end: float = 1.0,
entry:
  br i1 %c, label %a, label %b, !prof !0
a:
  br i1 %c, label %b, label %d, !prof !0
b:
  br i1 %c, label %a, label %end, !prof !0
d:
  br label %a
end:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 1}
!1 = !{!"branch_weights", i32 1, i32 3, i32 1}
!2 = !{!"branch_weights", i32 1, i32 1, i32 1}
!3 = !{!"branch_weights", i32 6, i32 1, i32 1}
