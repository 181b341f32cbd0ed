; If several expectations apply to a branch, the pass uses the last expectation in LLVM's order. In this function, the
; last expectation is the expected value of the phi `%p`. The block of this phi is executed after the branch.
; RUN: %bpa -passes=rust-lower-expect -S %s | FileCheck %s
; RUN: %bpa -passes=rust-lower-expect -S %s -o %t.ours
; RUN: %opt -passes=lower-expect -S %s -o %t.llvms
; RUN: diff %t.ours %t.llvms

declare i1 @llvm.expect.i1(i1, i1)

define i1 @f(i1 %a, i1 %b) {
; According to the first call of `llvm.expect`, `%a` is false. If `%a` is false, the phi `%p` is false. According to
; the second call, `%p` is true.
; CHECK:         br i1 %a, label %rest, label %join, !prof [[FIRST:![0-9]+]]
entry:
  %ea = call i1 @llvm.expect.i1(i1 %a, i1 false)
  br i1 %ea, label %rest, label %join
rest:
  br label %join
join:
  %p = phi i1 [ false, %entry ], [ %b, %rest ]
  %e = call i1 @llvm.expect.i1(i1 %p, i1 true)
  ret i1 %e
}

; CHECK: [[FIRST]] = !{!"branch_weights", {{(!"expected", )?}}i32 2000, i32 1}
