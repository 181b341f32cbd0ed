; The weights of an expectation replace existing weights. The pass keeps other metadata, and the weights of branches
; without an expectation.
; RUN: %bpa -passes=rust-lower-expect -S %s | FileCheck %s
; RUN: %bpa -passes=rust-lower-expect -S %s -o %t.ours
; RUN: %opt -passes=lower-expect -S %s -o %t.llvms
; RUN: diff %t.ours %t.llvms

declare i1 @llvm.expect.i1(i1, i1)

define i32 @replaced(i1 %x, i1 %y) {
; CHECK-LABEL: @replaced(
; CHECK-NEXT:    br i1 %x, label %next, label %no, !prof [[FIRST:![0-9]+]], !kept [[KEPT:![0-9]+]]
; CHECK:         br i1 %y, label %yes, label %no, !prof [[OLD:![0-9]+]]
  %e = call i1 @llvm.expect.i1(i1 %x, i1 true)
  br i1 %e, label %next, label %no, !prof !0, !kept !1
next:
  br i1 %y, label %yes, label %no, !prof !0
yes:
  ret i32 1
no:
  ret i32 2
}

!0 = !{!"branch_weights", i32 3, i32 4}
!1 = !{}
; CHECK-DAG: [[FIRST]] = !{!"branch_weights", {{(!"expected", )?}}i32 2000, i32 1}
; CHECK-DAG: [[OLD]] = !{!"branch_weights", {{(!"expected", )?}}i32 3, i32 4}
; CHECK-DAG: [[KEPT]] = !{}
