; If a branch compares an expected value with a constant, the likely edge gets the weight 2000, and the other edge gets
; the weight 1. The pass replaces the compared `llvm.expect` call by the first argument of the call. The pass then
; removes the call.
; RUN: %bpa -passes=rust-lower-expect -S %s | FileCheck %s
; RUN: %bpa -passes=rust-lower-expect -S %s -o %t.ours
; RUN: %opt -passes=lower-expect -S %s -o %t.llvms
; RUN: diff %t.ours %t.llvms

declare i64 @llvm.expect.i64(i64, i64)

define i32 @expected_equal(i64 %x) {
; CHECK-LABEL: @expected_equal(
; CHECK-NEXT:    %c = icmp eq i64 %x, 7
; CHECK-NEXT:    br i1 %c, label %yes, label %no, !prof [[FIRST:![0-9]+]]
  %e = call i64 @llvm.expect.i64(i64 %x, i64 7)
  %c = icmp eq i64 %e, 7
  br i1 %c, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

define i32 @expected_unequal(i64 %x) {
; The expected value is 7, so `icmp ne 0` and `icmp ne 8` are expected to be true.
; CHECK-LABEL: @expected_unequal(
; CHECK:         icmp ne i64 %x, 0
; CHECK:         br i1 {{.*}}, !prof [[FIRST]]
; CHECK:         icmp ne i64 %x, 8
; CHECK:         br i1 {{.*}}, !prof [[FIRST]]
  %e = call i64 @llvm.expect.i64(i64 %x, i64 7)
  %c = icmp ne i64 %e, 0
  br i1 %c, label %next, label %no
next:
  %f = call i64 @llvm.expect.i64(i64 %x, i64 7)
  %d = icmp ne i64 %f, 8
  br i1 %d, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

define i32 @second_edge_likely(i64 %x) {
; CHECK-LABEL: @second_edge_likely(
; CHECK:         br i1 {{.*}}, !prof [[SECOND:![0-9]+]]
; CHECK:         br i1 {{.*}}, !prof [[SECOND]]
  %e = call i64 @llvm.expect.i64(i64 %x, i64 0)
  %c = icmp ne i64 %e, 0
  br i1 %c, label %yes, label %next
next:
  %f = call i64 @llvm.expect.i64(i64 %x, i64 7)
  %d = icmp eq i64 %f, 8
  br i1 %d, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

; CHECK-DAG: [[FIRST]] = !{!"branch_weights", {{(!"expected", )?}}i32 2000, i32 1}
; CHECK-DAG: [[SECOND]] = !{!"branch_weights", {{(!"expected", )?}}i32 1, i32 2000}
