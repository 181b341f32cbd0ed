; If an expectation implies nothing about a branch, the pass adds no weights, but removes the call of the expectation.
; RUN: %bpa -passes=rust-lower-expect -S %s | FileCheck %s
; RUN: %bpa -passes=rust-lower-expect -S %s -o %t.ours
; RUN: %opt -passes=lower-expect -S %s -o %t.llvms
; RUN: diff %t.ours %t.llvms

; CHECK-NOT: call{{.*}}expect
; CHECK-NOT: !prof
; CHECK-NOT: branch_weights

declare i64 @llvm.expect.i64(i64, i64)
declare i128 @llvm.expect.i128(i128, i128)
declare <2 x i1> @llvm.expect.v2i1(<2 x i1>, <2 x i1>)
declare i1 @llvm.expect.i1(i1, i1)

define i1 @expectation_is_a_variable(i64 %x, i64 %y) {
  %e = call i64 @llvm.expect.i64(i64 %x, i64 %y)
  %c = icmp eq i64 %e, 0
  br i1 %c, label %A, label %B
A:
  %u = call i64 @llvm.expect.i64(i64 %x, i64 undef)
  %d = icmp eq i64 %u, 0
  br i1 %d, label %B, label %C
B:
  %p = call i64 @llvm.expect.i64(i64 %x, i64 poison)
  %f = icmp eq i64 %p, 0
  br i1 %f, label %A, label %C
C:
  ret i1 %c
}

define i1 @compared_by_size(i64 %x) {
  %e = call i64 @llvm.expect.i64(i64 %x, i64 7)
  %c = icmp slt i64 %e, 9
  br i1 %c, label %A, label %B
A:
  ret i1 %c
B:
  ret i1 true
}

define i1 @compared_with_a_variable(i64 %x, i64 %y) {
  %e = call i64 @llvm.expect.i64(i64 %x, i64 7)
  %c = icmp eq i64 %e, %y
  br i1 %c, label %A, label %B
A:
  ret i1 %c
B:
  ret i1 true
}

define i1 @constant_on_the_left(i64 %x) {
  %e = call i64 @llvm.expect.i64(i64 %x, i64 7)
  %c = icmp eq i64 7, %e
  br i1 %c, label %A, label %B
A:
  ret i1 %c
B:
  ret i1 true
}

define i1 @wider_than_64_bits(i128 %x) {
  %e = call i128 @llvm.expect.i128(i128 %x, i128 7)
  %c = icmp eq i128 %e, 7
  br i1 %c, label %A, label %B
A:
  ret i1 %c
B:
  ret i1 true
}

define <2 x i32> @vectors(<2 x i1> %x, <2 x i32> %y, <2 x i32> %z) {
  %e = call <2 x i1> @llvm.expect.v2i1(<2 x i1> %x, <2 x i1> <i1 true, i1 true>)
  %s = select <2 x i1> %e, <2 x i32> %y, <2 x i32> %z
  ret <2 x i32> %s
}

define i1 @truncated(i64 %x) {
  %e = call i64 @llvm.expect.i64(i64 %x, i64 7)
  %t = trunc i64 %e to i32
  %c = icmp eq i32 %t, 7
  br i1 %c, label %A, label %B
A:
  ret i1 %c
B:
  ret i1 true
}

define i1 @negated_afterwards(i1 %x) {
  %e = call i1 @llvm.expect.i1(i1 %x, i1 true)
  %c = xor i1 %e, true
  br i1 %c, label %A, label %B
A:
  ret i1 %c
B:
  ret i1 true
}

