; In a switch on an expected value, the case with this value is likely. If no case has this value, the default successor
; is likely.
; RUN: %bpa -passes=rust-lower-expect -S %s | FileCheck %s
; RUN: %bpa -passes=rust-lower-expect -S %s -o %t.ours
; RUN: %opt -passes=lower-expect -S %s -o %t.llvms
; RUN: diff %t.ours %t.llvms

declare i32 @llvm.expect.i32(i32, i32)
declare i128 @llvm.expect.i128(i128, i128)

define i32 @case(i32 %x) {
; CHECK-LABEL: @case(
; CHECK-NEXT:    switch i32 %x, label %A [
; CHECK:         ], !prof [[CASE:![0-9]+]]
  %e = call i32 @llvm.expect.i32(i32 %x, i32 2)
  switch i32 %e, label %A [
    i32 1, label %B
    i32 2, label %C
    i32 3, label %C
  ]
A:
  ret i32 1
B:
  ret i32 2
C:
  ret i32 3
}

define i32 @no_case(i32 %x) {
; CHECK-LABEL: @no_case(
; CHECK:         ], !prof [[DEFAULT:![0-9]+]]
  %e = call i32 @llvm.expect.i32(i32 %x, i32 20)
  switch i32 %e, label %A [
    i32 1, label %B
    i32 2, label %C
    i32 3, label %C
  ]
A:
  ret i32 1
B:
  ret i32 2
C:
  ret i32 3
}

define i32 @default_alone(i32 %x) {
; CHECK-LABEL: @default_alone(
; CHECK:         ], !prof [[ALONE:![0-9]+]]
  %e = call i32 @llvm.expect.i32(i32 %x, i32 20)
  switch i32 %e, label %A []
A:
  ret i32 1
}

define i32 @wide(i128 %x) {
; Integers of any width are supported. In this function, the value of one case is 2^100.
; CHECK-LABEL: @wide(
; CHECK:         ], !prof [[WIDE:![0-9]+]]
  %e = call i128 @llvm.expect.i128(i128 %x, i128 1267650600228229401496703205376)
  switch i128 %e, label %A [
    i128 1267650600228229401496703205376, label %B
  ]
A:
  ret i32 1
B:
  ret i32 2
}

define i32 @variable(i32 %x, i32 %y) {
; CHECK-LABEL: @variable(
; CHECK:         ]{{$}}
  %e = call i32 @llvm.expect.i32(i32 %x, i32 %y)
  switch i32 %e, label %A [
    i32 1, label %B
  ]
A:
  ret i32 1
B:
  ret i32 2
}

; CHECK-DAG: [[CASE]] = !{!"branch_weights", {{(!"expected", )?}}i32 1, i32 1, i32 2000, i32 1}
; CHECK-DAG: [[DEFAULT]] = !{!"branch_weights", {{(!"expected", )?}}i32 2000, i32 1, i32 1, i32 1}
; CHECK-DAG: [[ALONE]] = !{!"branch_weights", {{(!"expected", )?}}i32 2000}
; CHECK-DAG: [[WIDE]] = !{!"branch_weights", {{(!"expected", )?}}i32 1, i32 2000}
