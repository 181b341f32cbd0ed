; Every terminator that can have weights gets one weight for each successor. The first weight of a switch belongs to the
; default successor. The weights are small integers, and LLVM computes the predicted probabilities from them.
; RUN: %bpa -passes='rust-bpi<annotate>,verify' -S %s | FileCheck %s
; RUN: %bpa -passes='rust-bpi<annotate>' -S -o %t.ll %s
; RUN: %opt -passes='print<branch-prob>' -disable-output %s 2>%t.before
; RUN: %opt -passes='print<branch-prob>' -disable-output %t.ll 2>%t.after
; RUN: diff %t.before %t.after

declare void @cold() cold
declare void @may_throw()
declare i32 @__gxx_personality_v0(...)

define void @branch(ptr %p) {
; CHECK-LABEL: @branch
; CHECK: br i1 %c, label %then, label %else, !prof [[UNLIKELY:![0-9]+]]
entry:
  %c = icmp eq ptr %p, null
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @switch(i32 %x) {
; CHECK-LABEL: @switch
; CHECK: ], !prof [[COLD_CASE:![0-9]+]]
entry:
  switch i32 %x, label %default [
    i32 1, label %one
    i32 2, label %two
  ]
default:
  ret void
one:
  call void @cold()
  ret void
two:
  ret void
}

define void @indirect(ptr %p) {
; CHECK-LABEL: @indirect
; CHECK: indirectbr ptr %p, [label %one, label %two], !prof [[EVEN:![0-9]+]]
entry:
  indirectbr ptr %p, [label %one, label %two]
one:
  ret void
two:
  ret void
}

define void @invoke() personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: @invoke
; CHECK: to label %normal unwind label %exceptional, !prof [[EXCEPTION:![0-9]+]]
entry:
  invoke void @may_throw() to label %normal unwind label %exceptional
normal:
  ret void
exceptional:
  %e = landingpad { ptr, i32 } cleanup
  ret void
}

define void @loop(i1 %c) {
; CHECK-LABEL: @loop
; CHECK: br i1 %c, label %again, label %end, !prof [[LOOP:![0-9]+]]
entry:
  br label %again
again:
  br i1 %c, label %again, label %end
end:
  ret void
}

define void @one_successor(i32 %x) {
; CHECK-LABEL: @one_successor
; CHECK-NOT: !prof
entry:
  switch i32 %x, label %end [
  ]
end:
  ret void
}

; CHECK: [[UNLIKELY]] = !{!"branch_weights", i32 12, i32 20}
; CHECK: [[COLD_CASE]] = !{!"branch_weights", i32 1048575, i32 65535, i32 1048575}
; CHECK: [[EVEN]] = !{!"branch_weights", i32 1, i32 1}
; CHECK: [[EXCEPTION]] = !{!"branch_weights", i32 1048575, i32 1}
; CHECK: [[LOOP]] = !{!"branch_weights", i32 1048575, i32 33825}
