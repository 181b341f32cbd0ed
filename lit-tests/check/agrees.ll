; `check` compares the results of bpa with LLVM's analyses of the function. If all numbers are equal, `check` prints
; nothing. The functions have parallel edges, natural and irreducible loops, exceptions, weights, unreachable blocks,
; and `optnone`.
; RUN: %bpa -passes='rust-bpi<check>' -disable-output %s 2>&1 | count 0
; RUN: %bpa -passes='rust-bfi<check>' -disable-output %s 2>&1 | count 0
; RUN: %bpa -passes='print<rust-bpi;check>,print<rust-bfi;check>' -disable-output %s 2>&1 | count 0
; RUN: %bpa -passes='cgscc(function(rust-bfi<check>,simplifycfg,rust-bfi<check>))' -disable-output %s 2>&1 | count 0
; RUN: %bpa -passes='rust-bpi<annotate>,rust-bfi<check>,default<O2>,rust-bfi<check>' -disable-output %s 2>&1 | count 0
; RUN: env BPA_PIPELINE='optimizer-last:rust-bfi<check>' %bpa -passes='default<O1>' -disable-output %s 2>&1 | count 0

; The debug log has a line for every compared function, with the size of the function and a hash of the compared data.
; RUN: env RUST_LOG=bpa=debug %bpa -passes='rust-bfi<check>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: LLVM agrees on 'exceptions': 4 blocks, 2 branches, form {{[0-9a-f]+$}}
; CHECK: LLVM agrees on 'parallel': 3 blocks, 2 branches, form {{[0-9a-f]+$}}
; CHECK: LLVM agrees on 'irreducible': 5 blocks, 3 branches, form {{[0-9a-f]+$}}
; CHECK: LLVM agrees on 'out_of_reach': 3 blocks, 1 branches, form {{[0-9a-f]+$}}
; CHECK: LLVM agrees on 'as_it_is': 3 blocks, 2 branches, form {{[0-9a-f]+$}}

declare void @rare() cold
declare i32 @strcmp(ptr, ptr)
declare i32 @__gxx_personality_v0(...)

define i32 @exceptions(ptr %a, ptr %b) personality ptr @__gxx_personality_v0 {
entry:
  %order = call i32 @strcmp(ptr %a, ptr %b)
  %same = icmp eq i32 %order, 0
  br i1 %same, label %equal, label %other
equal:
  invoke void @rare() to label %other unwind label %caught
other:
  ret i32 0
caught:
  %pad = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %pad
}

define void @parallel(i32 %x) {
entry:
  switch i32 %x, label %loop [
    i32 1, label %end
    i32 2, label %loop
    i32 3, label %loop
  ]
loop:
  %n = phi i32 [ %x, %entry ], [ %x, %entry ], [ %x, %entry ], [ %m, %loop ], [ %m, %loop ]
  %m = add i32 %n, 1
  switch i32 %m, label %loop [
    i32 7, label %loop
    i32 9, label %end
  ], !prof !0
end:
  ret void
}

define void @irreducible(i1 %c, i1 %d) !prof !1 {
entry:
  br i1 %c, label %left, label %right, !prof !2
left:
  br i1 %d, label %right, label %end
right:
  br i1 %c, label %left, label %never
never:
  call void @rare()
  unreachable
end:
  ret void
}

define void @out_of_reach(i1 %c) {
  ret void
lost:
  br i1 %c, label %lost, label %end, !prof !2
end:
  ret void
}

define i32 @as_it_is(ptr %p, ptr %q, double %x) noinline optnone {
entry:
  %same = icmp eq ptr %p, %q
  br i1 %same, label %then, label %loop
then:
  ret i32 1
loop:
  %number = fcmp ord double %x, %x
  br i1 %number, label %loop, label %then
}

!0 = !{!"branch_weights", i32 5, i32 0, i32 4294967295}
!1 = !{!"function_entry_count", i64 1000}
!2 = !{!"branch_weights", i32 3, i32 1}
