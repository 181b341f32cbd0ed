; If the only exit of a loop leads to `unreachable`, the weight of the loop is 1 instead of 0. For edges that leave a
; loop, LLVM does not divide the weights 0 and 1.
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s

declare void @exit() noreturn
declare i1 @more()

define void @f(i32 %x) {
; CHECK: edge {{%?}}entry -> {{%?}}loop
; CHECK-NEXT: estimated weights, 1 of 1048577: the loop of %loop hardly ever runs.
; CHECK-NEXT: %dead never completes: it ends in unreachable -> is the only exit of the loop of %loop, which runs at least once.
; CHECK: edge {{%?}}loop -> {{%?}}dead
; CHECK-NEXT: estimated weights, 0 of 1048575: it leaves the loop of %loop for %dead, which never completes.
; CHECK: edge {{%?}}next -> {{%?}}gone
; CHECK-NEXT: estimated weights, 1 of 1048576: it leaves the loop of %next for %gone, which hardly ever runs: 1 / 31, but at least 1.
entry:
  switch i32 %x, label %end [
    i32 1, label %loop
    i32 2, label %next
  ]
loop:
  %again = call i1 @more()
  br i1 %again, label %loop, label %dead
dead:
  unreachable
next:
  %on = call i1 @more()
  br i1 %on, label %next, label %gone
gone:
  call void @exit()
  unreachable
end:
  ret void
}
