; In unreachable blocks, an instruction can use its own result as an operand. All passes of bpa terminate for functions
; with such instructions. LLVM's pass `lower-expect` does not terminate for some of these functions.
; RUN: %check %s
; RUN: %check-annotated %s
; RUN: %bpa -passes='rust-lower-expect,verify' -S %s | FileCheck %s

; CHECK-NOT: call i1 @llvm.expect
declare i1 @llvm.expect.i1(i1, i1)

define void @f(i1 %c) {
entry:
  br label %exit
sum:
  %sum.p = phi i1 [ %sum.p, %sum ], [ %sum.p, %sum ]
  %sum.a = add i32 %sum.a, 1
  %sum.c = icmp eq i32 %sum.a, 0
  br i1 %sum.c, label %sum, label %sum
not:
  %not.n = xor i1 %not.n, true
  %not.e = call i1 @llvm.expect.i1(i1 %not.n, i1 true)
  br i1 %not.n, label %not, label %exit
expectation:
  %expectation.e = call i1 @llvm.expect.i1(i1 %expectation.e, i1 true)
  br i1 %expectation.e, label %expectation, label %exit
phi:
  %phi.p = phi i1 [ %phi.p, %phi ]
  %phi.e = call i1 @llvm.expect.i1(i1 %phi.p, i1 true)
  br i1 %phi.e, label %phi, label %exit
not.not:
  %not.not.a = xor i1 %not.not.b, true
  %not.not.b = xor i1 %not.not.a, true
  %not.not.e = call i1 @llvm.expect.i1(i1 %not.not.b, i1 true)
  br i1 %not.not.e, label %not.not, label %exit
cast:
  %cast.wide = zext i1 %cast.narrow to i32
  %cast.narrow = trunc i32 %cast.wide to i1
  %cast.e = call i1 @llvm.expect.i1(i1 %cast.narrow, i1 true)
  br i1 %cast.e, label %cast, label %exit
constant:
  %constant.p = phi i1 [ true, %constant ]
  %constant.e = call i1 @llvm.expect.i1(i1 %constant.p, i1 false)
  br i1 %constant.e, label %constant, label %exit
exit:
  ret void
}
