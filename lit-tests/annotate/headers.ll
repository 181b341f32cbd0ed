; From the header weights of `annotate`, LLVM computes exact frequencies. The ratio of a, b and d is 6 : 4 : 3. Block a
; is the header of an inner natural loop, so its weight is 3/2: the frequency of the entries into this loop. The weight
; of block b is 2. The header weights are scaled to the sum 2^31. Loops that already have weights are skipped, unless
; `overwrite` is given. If LLVM's frequencies in a loop are exact, the loop gets no weights. For LLVM 24, see nodes.ll.
; UNSUPPORTED: llvm-ge-24
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
; CHECK: - {{%?}}a: float = {{3.0|2.99.*}}, int = {{[0-9]+}}, irr_loop_header_weight = 920350135
; CHECK-NEXT: - {{%?}}b: float = 2.0{{.*}}, int = {{[0-9]+}}, irr_loop_header_weight = 1227133513
; CHECK-NEXT: - {{%?}}d: float = 1.5, int = {{[0-9]+$}}
; WEIGHTS-LABEL: define void @f(
; WEIGHTS: br i1 %c, label %b, label %d, !prof !0, !irr_loop [[A:![0-9]+]]
; WEIGHTS: br i1 %c, label %a, label %end, !prof !0, !irr_loop [[B:![0-9]+]]
; WEIGHTS-NOT: !irr_loop
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

define void @weighted(i1 %c) {
; CHECK-LABEL: block-frequency-info: weighted
; CHECK: - {{%?}}a: float = {{.*}} irr_loop_header_weight = 7
; CHECK-NEXT: - {{%?}}b: float = {{.*}}, int = {{[0-9]+$}}
; OVERWRITTEN-LABEL: block-frequency-info: weighted
; OVERWRITTEN: - {{%?}}a: float = {{.*}} irr_loop_header_weight = 920350135
; OVERWRITTEN-NEXT: - {{%?}}b: float = {{.*}} irr_loop_header_weight = 1227133513
; WEIGHTS-LABEL: define void @weighted(
; WEIGHTS: br i1 %c, label %b, label %d, !prof !0, !irr_loop [[OLD:![0-9]+]]
; WEIGHTS-NOT: !irr_loop
; WEIGHTS: ret void
entry:
  br i1 %c, label %a, label %b, !prof !0
a:
  br i1 %c, label %b, label %d, !prof !0, !irr_loop !1
b:
  br i1 %c, label %a, label %end, !prof !0
d:
  br label %a
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
!1 = !{!"loop_header_weight", i64 7}
; WEIGHTS-DAG: [[OLD]] = !{!"loop_header_weight", i64 7}
; WEIGHTS-DAG: [[A]] = !{!"loop_header_weight", i64 920350135}
; WEIGHTS-DAG: [[B]] = !{!"loop_header_weight", i64 1227133513}
