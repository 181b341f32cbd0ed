; `invoke`, `indirectbr` and other terminators have edges to their own block. Some pads are not the unwind destination
; of any instruction.
; RUN: %check %s
; RUN: %bpa -passes='rust-bpi<annotate>,verify,function(print<branch-prob>)' -disable-output %s 2> %t.after
; RUN: %opt -passes='function(print<branch-prob>)' -disable-output %s 2> %t.before
; RUN: diff %t.before %t.after
; RUN: %check-annotated %s
; RUN: %check-overwritten %s

declare i32 @__gxx_personality_v0(...)
declare void @may_throw()

define void @invoke_self() personality ptr @__gxx_personality_v0 {
entry:
  br label %call
call:
  invoke void @may_throw() to label %call unwind label %pad
pad:
  %l = landingpad { ptr, i32 } cleanup
  br label %call
dead.pad:
  %m = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %m
}

define void @indirect_self(ptr %p) {
entry:
  br label %a
a:
  indirectbr ptr %p, [label %a, label %a, label %b]
b:
  indirectbr ptr blockaddress(@indirect_self, %a), [label %a, label %b]
}
