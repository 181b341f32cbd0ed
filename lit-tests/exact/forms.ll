; With `exact`, each output format prints exact frequencies. The irreducible loop is entered once. Through LLVM 23, its
; header %a starts an inner loop, so the number of iterations is the entries of the inner loop plus the frequency of %b:
; 1.5 + 2. The cycles of LLVM 24 have no such inner loop: 3 + 2. `diff` compares exact frequencies with LLVM's
; frequencies.
; RUN: %bpa -passes='rust-bfi<exact;explain>' -disable-output %s 2>&1 | FileCheck %s --check-prefixes=EXPLAIN,%OLD_or_NEW
; RUN: %bpa -passes='rust-bfi<json;exact>' -disable-output %s 2>&1 | FileCheck %s --check-prefixes=JSON,JSON-%OLD_or_NEW
; RUN: %bpa -passes='rust-bfi<exact;diff>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=DIFF
; RUN: %bpa -passes='rust-bfi<exact;like=22>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=LIKE
; RUN: rm -rf %t && mkdir %t
; RUN: %bpa -passes='rust-bfi<exact;dot;output=%t>' -disable-output %s && cat %t/.f.dot | FileCheck %s --check-prefix=DOT

; The pass manager caches LLVM's frequencies, not the exact frequencies.
; RUN: %bpa -passes='require<rust-bfi>,rust-bfi<exact;output=%t.exact>,rust-bfi<check>' -disable-output %s 2>&1 | count 0

; EXPLAIN: - {{%?}}a: float = 3.0,
; EXPLAIN: 1.5 from %d: 100.00% of 1.5.
; EXPLAIN: 0.5 from %entry: 50.00% of 1.0.
; OLD: irreducible: 2 headers (%a, %b) share each iteration according to the flow into each header: 0.57143 for %b.
; OLD-NEXT: irreducible loop: probability 0.28571 of leaving the loop, which makes 3.5 iterations per entry.
; NEW-NEXT: irreducible: 2 headers (%a, %b) share each iteration according to the flow into each header: 0.6 for %a.
; NEW-NEXT: irreducible loop: probability 0.2 of leaving the loop, which makes 5.0 iterations per entry.
; EXPLAIN-NEXT: entered 1.0 times per call of the function.

; JSON: "method":"exact"
; JSON-SAME: "loops":[{"headers":[1,2],"irreducible":true,"parent":null,"depth":1,"entries":{{.*}}"value":1.0},"scale":{
; JSON-OLD-SAME: {{[^}]*}}"value":3.5}
; JSON-NEW-SAME: {{[^}]*}}"value":5.0}

; DIFF: + - %a: float = 3.0,
; LIKE: - a: float = 3.0, int = 18014398509481984
; DOT: hottest %a with 3 runs per call
define void @f(i1 %c) {
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
