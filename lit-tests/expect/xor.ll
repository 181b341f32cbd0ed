; An expectation can apply to the negation of a phi. The pass then inverts each constant of the phi before it compares
; the constant with the expected value.
; RUN: %bpa -passes=rust-lower-expect -S %s | FileCheck %s
; RUN: %bpa -passes=rust-lower-expect -S %s -o %t.ours
; RUN: %opt -passes=lower-expect -S %s -o %t.llvms
; RUN: diff %t.ours %t.llvms

declare i1 @llvm.expect.i1(i1, i1)

define i32 @negated_phi(i1 %a, i1 %b) {
; The negation is expected to be true, so the phi is expected to be false. Edges for which the phi is true are
; unlikely.
; CHECK-LABEL: @negated_phi(
; CHECK:         br i1 %a, label %join, label %rest, !prof [[SECOND:![0-9]+]]
; CHECK:         %n = xor i1 %p, true
; CHECK-NEXT:    br i1 %n, label %yes, label %no, !prof [[FIRST:![0-9]+]]
entry:
  br i1 %a, label %join, label %rest
rest:
  br label %join
join:
  %p = phi i1 [ true, %entry ], [ %b, %rest ]
  %n = xor i1 %p, true
  %e = call i1 @llvm.expect.i1(i1 %n, i1 true)
  br i1 %e, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

define i32 @negated_twice(i1 %a, i1 %b) {
; CHECK-LABEL: @negated_twice(
; CHECK:         br i1 %a, label %join, label %rest{{$}}
entry:
  br i1 %a, label %join, label %rest
rest:
  br label %join
join:
  %p = phi i1 [ true, %entry ], [ %b, %rest ]
  %n = xor i1 %p, true
  %m = xor i1 %n, true
  %e = call i1 @llvm.expect.i1(i1 %m, i1 true)
  br i1 %e, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

define i32 @constant_on_the_left(i1 %a, i1 %b) {
; LLVM recognizes a negation only if the constant is the second operand of the xor.
; CHECK-LABEL: @constant_on_the_left(
; CHECK:         br i1 %a, label %join, label %rest{{$}}
entry:
  br i1 %a, label %join, label %rest
rest:
  br label %join
join:
  %p = phi i1 [ true, %entry ], [ %b, %rest ]
  %n = xor i1 true, %p
  %e = call i1 @llvm.expect.i1(i1 %n, i1 true)
  br i1 %e, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

; CHECK-DAG: [[FIRST]] = !{!"branch_weights", {{(!"expected", )?}}i32 2000, i32 1}
; CHECK-DAG: [[SECOND]] = !{!"branch_weights", {{(!"expected", )?}}i32 1, i32 2000}
