; The predictor file with the weights of LLVM, and `predictor=llvm`, give the results of LLVM in every output format.
; RUN: %bpa -passes='rust-bpi,rust-bfi,rust-bpi<explain>,rust-bfi<explain>,print<rust-bias>' -disable-output %s 2> %t.llvm
; RUN: %bpa -passes='rust-bpi<predictor=%predictors/llvm.toml>,rust-bfi<predictor=%predictors/llvm.toml>,rust-bpi<explain;predictor=%predictors/llvm.toml>,rust-bfi<explain;predictor=%predictors/llvm.toml>,print<rust-bias;predictor=%predictors/llvm.toml>' -disable-output %s 2> %t.file
; RUN: diff %t.llvm %t.file
; RUN: %bpa -passes='rust-bpi<predictor=llvm>,print<rust-bfi;predictor=llvm>,rust-bpi<explain;predictor=llvm>,rust-bfi<explain;predictor=llvm>,print<rust-bias;predictor=llvm>' -disable-output %s 2> %t.name
; RUN: diff %t.llvm %t.name
; RUN: %bpa -passes='rust-bpi<annotate>' -S %s -o %t.annotated.llvm
; RUN: %bpa -passes='rust-bpi<annotate;predictor=%predictors/llvm.toml>' -S %s -o %t.annotated.file
; RUN: diff %t.annotated.llvm %t.annotated.file
; RUN: %bpa -passes='rust-bpi<diff;predictor=%predictors/llvm.toml>' -disable-output %s 2>&1 | count 0

declare void @log() cold
declare void @exit(i32) noreturn
declare i32 @strcmp(ptr, ptr)

define void @f(ptr %p, ptr %q, i32 %x, double %d) {
entry:
  %null = icmp eq ptr %p, null
  br i1 %null, label %failed, label %head
failed:
  call void @exit(i32 1)
  unreachable
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %order = call i32 @strcmp(ptr %p, ptr %q)
  %same = icmp eq i32 %order, 0
  br i1 %same, label %cold, label %latch
cold:
  call void @log()
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %x
  br i1 %more, label %head, label %out
out:
  %nan = fcmp uno double %d, 0.0
  br i1 %nan, label %a, label %b, !prof !0
a:
  %negative = icmp slt i32 %x, 0
  br i1 %negative, label %b, label %c
b:
  ret void
c:
  ret void
}

!0 = !{!"branch_weights", i32 3, i32 5}
