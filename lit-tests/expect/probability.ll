; A probability p becomes the weight p * (2^31 - 2) + 1, rounded up. The remaining weight is divided equally between the
; other edges.
; RUN: %bpa -passes=rust-lower-expect -S %s | FileCheck %s
; RUN: %bpa -passes=rust-lower-expect -S %s -o %t.ours
; RUN: %opt -passes=lower-expect -S %s -o %t.llvms
; RUN: diff %t.ours %t.llvms

declare i1 @llvm.expect.with.probability.i1(i1, i1, double)
declare i32 @llvm.expect.with.probability.i32(i32, i32, double)

define i32 @branch(i1 %x) {
; CHECK-LABEL: @branch(
; CHECK-NEXT:    br i1 %x, label %yes, label %no, !prof [[QUARTER:![0-9]+]]
  %e = call i1 @llvm.expect.with.probability.i1(i1 %x, i1 true, double 2.500000e-01)
  br i1 %e, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

define i32 @second_edge(i1 %x) {
; CHECK-LABEL: @second_edge(
; CHECK-NEXT:    br i1 %x, label %yes, label %no, !prof [[SECOND:![0-9]+]]
  %e = call i1 @llvm.expect.with.probability.i1(i1 %x, i1 false, double 2.500000e-01)
  br i1 %e, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

define i32 @extremes(i1 %x, i32 %y, i32 %z) {
; CHECK-LABEL: @extremes(
; CHECK-NEXT:    select {{.*}}, !prof [[SURE:![0-9]+]]
; CHECK-NEXT:    select {{.*}}, !prof [[NEVER:![0-9]+]]
  %e = call i1 @llvm.expect.with.probability.i1(i1 %x, i1 true, double 1.0)
  %s = select i1 %e, i32 %y, i32 %z
  %f = call i1 @llvm.expect.with.probability.i1(i1 %x, i1 true, double 0.0)
  %t = select i1 %f, i32 %y, i32 %s
  ret i32 %t
}

define i32 @switch(i32 %x) {
; CHECK-LABEL: @switch(
; CHECK:         ], !prof [[SWITCH:![0-9]+]]
  %e = call i32 @llvm.expect.with.probability.i32(i32 %x, i32 1, double 5.000000e-01)
  switch i32 %e, label %yes [
    i32 1, label %no
    i32 2, label %no
  ]
yes:
  ret i32 1
no:
  ret i32 2
}

define i32 @no_probability(i1 %x, i32 %y, i32 %z) {
; LLVM does not check that the probability is at most 1. The weights are computed modulo 2^32, as on x86-64.
; CHECK-LABEL: @no_probability(
; CHECK-NEXT:    select {{.*}}, !prof [[NONE:![0-9]+]]
  %e = call i1 @llvm.expect.with.probability.i1(i1 %x, i1 true, double 5.0)
  %s = select i1 %e, i32 %y, i32 %z
  ret i32 %s
}

; CHECK-DAG: [[QUARTER]] = !{!"branch_weights", {{(!"expected", )?}}i32 536870913, i32 1610612736}
; CHECK-DAG: [[SECOND]] = !{!"branch_weights", {{(!"expected", )?}}i32 1610612736, i32 536870913}
; CHECK-DAG: [[SURE]] = !{!"branch_weights", {{(!"expected", )?}}i32 2147483647, i32 1}
; CHECK-DAG: [[NEVER]] = !{!"branch_weights", {{(!"expected", )?}}i32 1, i32 2147483647}
; CHECK-DAG: [[SWITCH]] = !{!"branch_weights", {{(!"expected", )?}}i32 536870913, i32 1073741824, i32 536870913}
; CHECK-DAG: [[NONE]] = !{!"branch_weights", {{(!"expected", )?}}i32 2147483639, i32 9}
