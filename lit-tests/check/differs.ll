; `check` prints the first difference and its two values in one line. The exit status is 1, and `opt` writes no module.

; The option `-use-iterative-bfi-inference` changes the frequencies of LLVM, but not the frequencies of bpa.
; RUN: rm -f %t.out
; RUN: not %bpa -use-iterative-bfi-inference -passes='rust-bfi<check>' -o %t.out %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=FREQUENCY --implicit-check-not={{.}}
; RUN: sh -c '%bpa -use-iterative-bfi-inference -passes="function(print<rust-bfi;check>)" -o %t.out %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s --check-prefix=FREQUENCY --implicit-check-not={{.}}
; FREQUENCY: bpa: rust-bfi<check>: function 'f"\u{1}', frequency of {{.*}}: LLVM has {{[0-9]+}}, we have {{[0-9]+}}{{$}}

; The option does not change probabilities.
; RUN: %bpa -use-iterative-bfi-inference -passes='rust-bpi<check>' -disable-output %s 2>&1 | count 0

; With `BPA_FAULT=check`, a debug build changes every probability by 2^-31. Frequencies depend on probabilities, so
; `rust-bfi<check>` compares probabilities first.
; RUN: not env BPA_FAULT=check %debug_bpa -passes='rust-bpi<check>' -o %t.out %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=EDGE -DPASS='rust-bpi<check>' --implicit-check-not={{.}}
; RUN: not env BPA_FAULT=check %debug_bpa -passes='rust-bfi<check>' -o %t.out %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=EDGE -DPASS='rust-bfi<check>' --implicit-check-not={{.}}
; EDGE: bpa: [[PASS]]: function 'f"\u{1}', probability of edge 0 of %0, which leads to %"a b": LLVM has 0x60000001 / 0x80000000, we have 0x60000000 / 0x80000000{{$}}

; RUN: %debug_bpa -passes='rust-bpi<check>,rust-bfi<check>' -disable-output %s 2>&1 | count 0
; RUN: not ls %t.out

define void @before() {
  ret void
}

define void @"f\22\01"(i1 %c) !prof !0 {
  br i1 %c, label %"a b", label %right, !prof !1
"a b":
  br i1 %c, label %right, label %end, !prof !1
right:
  br i1 %c, label %"a b", label %end, !prof !1
end:
  ret void
}

!0 = !{!"function_entry_count", i64 1000}
!1 = !{!"branch_weights", i32 3, i32 1}
