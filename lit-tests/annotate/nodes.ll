; LLVM 24 reads header weights on all blocks of an irreducible loop. If every block has a header weight, the frequencies
; are exact: 6 : 4 : 3 for a, b and d. The sum of the scaled weights is 2^62. The weight of an inner loop is the
; frequency of the edges that enter the loop. If any block of a loop already has a weight, the loop is skipped, except
; with `overwrite`. If LLVM's frequencies in a loop are already exact, the loop gets no weights.
; REQUIRES: llvm-ge-24
; RUN: %bpa -passes='rust-bfi<annotate>,verify' -S %s | FileCheck %s --check-prefix=WEIGHTS
; RUN: %bpa -passes='rust-bfi<annotate>,function(print<block-freq>)' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='rust-bfi<annotate;overwrite>,function(print<block-freq>)' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OVERWRITTEN
; `annotate` invalidates the cached results of bpa.
; RUN: %bpa -passes='require<rust-bfi>,rust-bfi<annotate>,rust-bfi<check>,rust-bfi' -disable-output %s 2>&1 | FileCheck %s
; A second run of `annotate` changes nothing.
; RUN: %bpa -passes='rust-bfi<annotate>' -S < %s -o %t.once
; RUN: %bpa -passes='rust-bfi<annotate>' -S < %t.once -o %t.twice
; RUN: diff %t.once %t.twice

define void @f(i1 %c) {
; CHECK-LABEL: block-frequency-info: f
; CHECK: - a: float = 3.0, int = {{[0-9]+}}, irr_loop_header_weight = [[A:21284704700434[0-9]+]]
; CHECK-NEXT: - b: float = 2.0, int = {{[0-9]+}}, irr_loop_header_weight = 14189803133622[[#]]
; CHECK-NEXT: - d: float = 1.5, int = {{[0-9]+}}, irr_loop_header_weight = 10642352350217[[#]]
; WEIGHTS-LABEL: define void @f(
; WEIGHTS: br i1 %c, label %b, label %d, !prof !0, !irr_loop [[A:![0-9]+]]
; WEIGHTS: br i1 %c, label %a, label %end, !prof !0, !irr_loop [[B:![0-9]+]]
; WEIGHTS: br label %a, !irr_loop [[D:![0-9]+]]
; WEIGHTS: ret void
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

define void @loop_inside(i1 %c) {
; CHECK-LABEL: block-frequency-info: loop_inside
; CHECK: - a: float = 3.0, int = {{[0-9]+}}, irr_loop_header_weight = [[A]]
; CHECK-NEXT: - b: float = 2.0,
; CHECK-NEXT: - d: float = 12.0, int = {{[0-9]+}}, irr_loop_header_weight = 10642352350217[[#]]
; CHECK-NEXT: - latch: float = 10.5, int = {{[0-9]+$}}
entry:
  br i1 %c, label %a, label %b, !prof !0
a:
  br i1 %c, label %b, label %d, !prof !0
b:
  br i1 %c, label %a, label %end, !prof !0
d:
  br i1 %c, label %latch, label %a, !prof !1
latch:
  br label %d
end:
  ret void
}

define void @weighted(i1 %c) {
; CHECK-LABEL: block-frequency-info: weighted
; CHECK: - a: float = 4.0, int = {{[0-9]+$}}
; CHECK-NEXT: - b: float = 2.0, int = {{[0-9]+$}}
; CHECK-NEXT: - d: float = 3.0, int = {{[0-9]+}}, irr_loop_header_weight = 7{{$}}
; OVERWRITTEN-LABEL: block-frequency-info: weighted
; OVERWRITTEN: - a: float = 3.0, int = {{[0-9]+}}, irr_loop_header_weight = 21284704700434
; OVERWRITTEN-NEXT: - b: float = 2.0, int = {{[0-9]+}}, irr_loop_header_weight = 14189803133622
; OVERWRITTEN-NEXT: - d: float = 1.5, int = {{[0-9]+}}, irr_loop_header_weight = 10642352350217
; WEIGHTS-LABEL: define void @weighted(
; WEIGHTS-NOT: !irr_loop
; WEIGHTS: br label %a, !irr_loop [[OLD:![0-9]+]]
entry:
  br i1 %c, label %a, label %b, !prof !0
a:
  br i1 %c, label %b, label %d, !prof !0
b:
  br i1 %c, label %a, label %end, !prof !0
d:
  br label %a, !irr_loop !2
end:
  ret void
}

; After one iteration of LLVM's algorithm, the frequencies of a and b are exact. The loop therefore gets no weights.
; WEIGHTS-LABEL: define void @right(
; WEIGHTS-NOT: !irr_loop
; WEIGHTS: ret void
define void @right(i1 %c) {
entry:
  br i1 %c, label %a, label %b, !prof !0
a:
  br i1 %c, label %b, label %end, !prof !0
b:
  br i1 %c, label %a, label %end, !prof !0
end:
  ret void
}

; WEIGHTS-LABEL: define void @reducible(
; WEIGHTS-NOT: !irr_loop
; WEIGHTS: ret void
define void @reducible(i1 %c) {
entry:
  br label %loop
loop:
  br i1 %c, label %loop, label %end, !prof !0
end:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 1}
!1 = !{!"branch_weights", i32 7, i32 1}
!2 = !{!"loop_header_weight", i64 7}
; WEIGHTS-DAG: [[OLD]] = !{!"loop_header_weight", i64 7}
; WEIGHTS-DAG: [[A]] = !{!"loop_header_weight", i64 21284704700434{{[0-9]+}}}
; WEIGHTS-DAG: [[B]] = !{!"loop_header_weight", i64 14189803133622{{[0-9]+}}}
; WEIGHTS-DAG: [[D]] = !{!"loop_header_weight", i64 10642352350217{{[0-9]+}}}
