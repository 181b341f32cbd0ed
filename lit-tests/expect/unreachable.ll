; In unreachable code, a call of `llvm.expect` can be its own operand, and negations can form a cycle.
; LLVM's pass does not terminate for these functions. bpa breaks the cycles before it runs LLVM's pass.
; RUN: %bpa -passes=rust-lower-expect,verify -S %s | FileCheck %s

declare i1 @llvm.expect.i1(i1, i1)

define void @about_itself() {
; CHECK-LABEL: @about_itself(
; CHECK:         br i1 poison, label %A, label %A
  ret void
A:
  %e = call i1 @llvm.expect.i1(i1 %e, i1 true)
  br i1 %e, label %A, label %A
}

define void @about_each_other() {
; CHECK-LABEL: @about_each_other(
; CHECK:         br i1 poison, label %A, label %A
  ret void
A:
  %e = call i1 @llvm.expect.i1(i1 %f, i1 true)
  %f = call i1 @llvm.expect.i1(i1 %e, i1 true)
  br i1 %e, label %A, label %A
}

define void @negations() {
; CHECK-LABEL: @negations(
; CHECK:         br i1 poison, label %A, label %A
  ret void
A:
  %a = xor i1 %b, true
  %b = xor i1 %a, true
  %e = call i1 @llvm.expect.i1(i1 %a, i1 true)
  br i1 %e, label %A, label %A
}
