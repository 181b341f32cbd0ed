; The condition of a branch is the `i1` result of `llvm.expect`, without a comparison.
; RUN: %bpa -passes=rust-lower-expect -S %s | FileCheck %s
; RUN: %bpa -passes=rust-lower-expect -S %s -o %t.ours
; RUN: %opt -passes=lower-expect -S %s -o %t.llvms
; RUN: diff %t.ours %t.llvms

declare i1 @llvm.expect.i1(i1, i1)

define i32 @expected_true(i1 %x) {
; CHECK-LABEL: @expected_true(
; CHECK-NEXT:    br i1 %x, label %yes, label %no, !prof [[FIRST:![0-9]+]]
  %e = call i1 @llvm.expect.i1(i1 %x, i1 true)
  br i1 %e, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

define i32 @expected_false(i1 %x) {
; CHECK-LABEL: @expected_false(
; CHECK-NEXT:    br i1 %x, label %yes, label %no, !prof [[SECOND:![0-9]+]]
  %e = call i1 @llvm.expect.i1(i1 %x, i1 false)
  br i1 %e, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

; CHECK-DAG: [[FIRST]] = !{!"branch_weights", {{(!"expected", )?}}i32 2000, i32 1}
; CHECK-DAG: [[SECOND]] = !{!"branch_weights", {{(!"expected", )?}}i32 1, i32 2000}
