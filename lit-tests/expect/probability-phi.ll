; If the probability is at most one half, the expected value is unlikely. In this case, a branch that selects a constant
; for the phi gets weights only if the constant equals the expected value.
; REQUIRES: llvm-ge-16
; RUN: %bpa -passes=rust-lower-expect -S %s | FileCheck %s
; RUN: %bpa -passes=rust-lower-expect -S %s -o %t.ours
; RUN: %opt -passes=lower-expect -S %s -o %t.llvms
; RUN: diff %t.ours %t.llvms

declare i1 @llvm.expect.with.probability.i1(i1, i1, double)

define i1 @likely(i1 %a, i1 %b) {
; CHECK-LABEL: @likely(
; CHECK:         br i1 %a, label %rest, label %join, !prof [[THREE_TO_ONE:![0-9]+]]
entry:
  br i1 %a, label %rest, label %join
rest:
  br label %join
join:
  %p = phi i1 [ false, %entry ], [ %b, %rest ]
  %e = call i1 @llvm.expect.with.probability.i1(i1 %p, i1 true, double 7.500000e-01)
  ret i1 %e
}

define i1 @unlikely_other(i1 %a, i1 %b) {
; CHECK-LABEL: @unlikely_other(
; CHECK:         br i1 %a, label %rest, label %join{{$}}
entry:
  br i1 %a, label %rest, label %join
rest:
  br label %join
join:
  %p = phi i1 [ false, %entry ], [ %b, %rest ]
  %e = call i1 @llvm.expect.with.probability.i1(i1 %p, i1 true, double 2.500000e-01)
  ret i1 %e
}

define i1 @unlikely_expected(i1 %a, i1 %b) {
; CHECK-LABEL: @unlikely_expected(
; CHECK:         br i1 %a, label %rest, label %join, !prof [[THREE_TO_ONE]]
entry:
  br i1 %a, label %rest, label %join
rest:
  br label %join
join:
  %p = phi i1 [ true, %entry ], [ %b, %rest ]
  %e = call i1 @llvm.expect.with.probability.i1(i1 %p, i1 true, double 2.500000e-01)
  ret i1 %e
}

; CHECK: [[THREE_TO_ONE]] = !{!"branch_weights", {{(!"expected", )?}}i32 1610612736, i32 536870913}
