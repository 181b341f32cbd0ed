; A select gets weights like a branch. The expectation must be in the block of the select, or in a later block in layout
; order.
; RUN: %bpa -passes=rust-lower-expect -S %s | FileCheck %s
; RUN: %bpa -passes=rust-lower-expect -S %s -o %t.ours
; RUN: %opt -passes=lower-expect -S %s -o %t.llvms
; RUN: diff %t.ours %t.llvms

declare i64 @llvm.expect.i64(i64, i64)
declare i1 @llvm.expect.i1(i1, i1)

define i32 @compared(i64 %x, i32 %y, i32 %z) {
; CHECK-LABEL: @compared(
; CHECK-NEXT:    %c = icmp ne i64 %x, 0
; CHECK-NEXT:    %s = select i1 %c, i32 %y, i32 %z, !prof [[SECOND:![0-9]+]]
  %e = call i64 @llvm.expect.i64(i64 %x, i64 0)
  %c = icmp ne i64 %e, 0
  %s = select i1 %c, i32 %y, i32 %z
  ret i32 %s
}

define i32 @direct(i1 %x, i32 %y, i32 %z) {
; CHECK-LABEL: @direct(
; CHECK-NEXT:    %s = select i1 %x, i32 %y, i32 %z, !prof [[FIRST:![0-9]+]]
; CHECK:         %t = select i1 %x, i32 %y, i32 %z{{$}}
  %e = call i1 @llvm.expect.i1(i1 %x, i1 true)
  %s = select i1 %e, i32 %y, i32 %z
  br label %next
next:
  %t = select i1 %e, i32 %y, i32 %z
  ret i32 %t
}

; CHECK-DAG: [[FIRST]] = !{!"branch_weights", {{(!"expected", )?}}i32 2000, i32 1}
; CHECK-DAG: [[SECOND]] = !{!"branch_weights", {{(!"expected", )?}}i32 1, i32 2000}
