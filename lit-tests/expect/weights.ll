; LLVM's flags set the weights of the likely edge and of the unlikely edges. The flags have no effect on
; `llvm.expect.with.probability`.
; RUN: %bpa -likely-branch-weight=7 -unlikely-branch-weight=3 -passes=rust-lower-expect -S %s | FileCheck %s
; RUN: %bpa --likely-branch-weight 7 -unlikely-branch-weight=0x3 -passes=rust-lower-expect -S %s | FileCheck %s
; RUN: %bpa -likely-branch-weight=7 -unlikely-branch-weight=3 -passes=rust-lower-expect -S %s -o %t.ours
; RUN: %opt -likely-branch-weight=7 -unlikely-branch-weight=3 -passes=lower-expect -S %s -o %t.llvms
; RUN: diff %t.ours %t.llvms
; RUN: %bpa -likely-branch-weight=4294967295 -passes=rust-lower-expect -S %s | FileCheck %s --check-prefix=ONE
; RUN: %bpa -likely-branch-weight=4294967295 -passes=rust-lower-expect -S %s -o %t.ours
; RUN: %opt -likely-branch-weight=4294967295 -passes=lower-expect -S %s -o %t.llvms
; RUN: diff %t.ours %t.llvms
; RUN: %bpa -likely-branch-weight=1 -unlikely-branch-weight=2000 -passes=rust-lower-expect -S %s -o %t.ours
; RUN: %opt -likely-branch-weight=1 -unlikely-branch-weight=2000 -passes=lower-expect -S %s -o %t.llvms
; RUN: diff %t.ours %t.llvms

declare i1 @llvm.expect.i1(i1, i1)
declare i64 @llvm.expect.i64(i64, i64)
declare i1 @llvm.expect.with.probability.i1(i1, i1, double)

define i32 @branch(i1 %x) {
; CHECK-LABEL: @branch(
; CHECK:         br i1 %x, label %yes, label %no, !prof [[BRANCH:![0-9]+]]
; ONE-LABEL:   @branch(
; ONE:           br i1 %x, label %yes, label %no, !prof [[BRANCH:![0-9]+]]
  %e = call i1 @llvm.expect.i1(i1 %x, i1 false)
  br i1 %e, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

define i32 @switch(i64 %x) {
; CHECK-LABEL: @switch(
; CHECK:         ], !prof [[SWITCH:![0-9]+]]
  %e = call i64 @llvm.expect.i64(i64 %x, i64 5)
  switch i64 %e, label %other [
    i64 4, label %four
    i64 5, label %five
  ]
four:
  ret i32 4
five:
  ret i32 5
other:
  ret i32 0
}

; The incoming constant differs from the expected value of the phi.
define i32 @phi(i1 %a, i1 %b) {
; CHECK-LABEL: @phi(
; CHECK:         br i1 %a, label %both, label %join, !prof [[PHI:![0-9]+]]
; CHECK:         br i1 %p, label %yes, label %no, !prof [[PHI]]
entry:
  br i1 %a, label %both, label %join
both:
  br label %join
join:
  %p = phi i1 [ false, %entry ], [ %b, %both ]
  %e = call i1 @llvm.expect.i1(i1 %p, i1 true)
  br i1 %e, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

define i32 @probability(i1 %x) {
; CHECK-LABEL: @probability(
; CHECK:         br i1 %x, label %yes, label %no, !prof [[HALF:![0-9]+]]
  %e = call i1 @llvm.expect.with.probability.i1(i1 %x, i1 true, double 0.5)
  br i1 %e, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

; CHECK-DAG: [[BRANCH]] = !{!"branch_weights", {{(!"expected", )?}}i32 3, i32 7}
; CHECK-DAG: [[SWITCH]] = !{!"branch_weights", {{(!"expected", )?}}i32 3, i32 3, i32 7}
; CHECK-DAG: [[PHI]] = !{!"branch_weights", {{(!"expected", )?}}i32 7, i32 3}
; CHECK-DAG: [[HALF]] = !{!"branch_weights", {{(!"expected", )?}}i32 1073741824, i32 1073741824}
; ONE-DAG: [[BRANCH]] = !{!"branch_weights", {{(!"expected", )?}}i32 1, i32 -1}
