; After `rust-lower-expect`, the use lists have the same order as after LLVM's pass. The use order determines the order
; of predecessors, and LLVM can write the use order to files.
; RUN: %bpa -passes=rust-lower-expect -S %s -o %t.ours
; RUN: %opt -passes=lower-expect -S %s -o %t.llvms
; RUN: diff %t.ours %t.llvms
; RUN: %bpa -passes=rust-lower-expect -S -preserve-ll-uselistorder %s -o %t.ours
; RUN: %opt -passes=lower-expect -S -preserve-ll-uselistorder %s -o %t.llvm
; RUN: diff %t.ours %t.llvm

declare i64 @llvm.expect.i64(i64, i64)

define i64 @f(i64 %x, i64 %y) {
  %e = call i64 @llvm.expect.i64(i64 %x, i64 1)
  %c = icmp eq i64 %e, 1
  %d = icmp ne i64 %e, 5
  %s = select i1 %d, i64 %y, i64 %e
  %f = call i64 @llvm.expect.i64(i64 %x, i64 2)
  %t = add i64 %f, %x
  br i1 %c, label %A, label %B
A:
  %sum = add i64 %e, %f
  ret i64 %sum
B:
  %sum2 = add i64 %x, %t
  ret i64 %sum2
}
