; These are the smallest functions. Some have one block, a branch without destinations, or a switch without cases. In
; others, the entry leads only to `unreachable` or to an infinite loop.
; RUN: %check %s
; RUN: %bpa -passes='rust-bpi<annotate>,verify,function(print<branch-prob>)' -disable-output %s 2> %t.after
; RUN: %opt -passes='function(print<branch-prob>)' -disable-output %s 2> %t.before
; RUN: diff %t.before %t.after
; RUN: %check-annotated %s
; RUN: %check-overwritten %s
; RUN: %bpa -passes=rust-bfi -disable-output %s 2>&1 | FileCheck %s

; CHECK: block-frequency-info: one_block
; CHECK-NEXT: - : float = 1.0, int = {{[0-9]+}}
define void @one_block() {
  ret void
}

define void @unreachable_at_once() {
  unreachable
}

define void @no_targets(ptr %p) {
entry:
  indirectbr ptr %p, []
}

define void @no_cases(i32 %x) {
entry:
  switch i32 %x, label %exit []
exit:
  ret void
}

define void @one_target_twice(i1 %c) {
entry:
  br i1 %c, label %exit, label %exit
exit:
  ret void
}

; CHECK: block-frequency-info: to_unreachable
; CHECK-NEXT: - entry: float = 1.0,
; CHECK-NEXT: - a: float = 0.5,
; CHECK-NEXT: - b: float = 0.5,
define void @to_unreachable(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  unreachable
b:
  unreachable
}

define void @to_infinite_loop(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  br label %a
b:
  br i1 %c, label %b, label %b
}
