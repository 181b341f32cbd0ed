target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
; If the weights are 15 : 1, opt -S -passes=loop-vectorize loop-weights.ll vectorizes the loop. Each vector has four
; elements. A check before the loop ensures that %to and %from do not overlap. If the weights are 14 : 1, opt does not
; vectorize the loop.
define void @add(ptr %to, ptr %from, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = getelementptr i32, ptr %from, i64 %i
  %y = getelementptr i32, ptr %to, i64 %i
  %a = load i32, ptr %x
  %b = load i32, ptr %y
  %sum = add i32 %a, %b
  store i32 %sum, ptr %y
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done, !prof !0
done:
  ret void
}

!0 = !{!"branch_weights", i32 14, i32 1}
