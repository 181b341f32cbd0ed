; The explanation prints the call that makes a block rare: the first cold call, or the last call that does not return.
; The explanation also reports whether the call site has the attribute.
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s

declare void @plain()
declare void @cold() cold
declare void @exit_one() noreturn

define void @f(i32 %x, ptr %callback) {
; CHECK: %here is cold: it calls @plain (this call is cold).
; CHECK: %indirect is cold: it calls %callback (this call is cold).
; CHECK: %assembly is cold: it calls inline assembly (this call is cold).
; CHECK: %several is cold: it calls @cold (cold).
; CHECK: %last hardly ever runs: it calls @exit_one (noreturn).
; CHECK: %never hardly ever runs: it calls @plain (this call is noreturn).
entry:
  switch i32 %x, label %usual [
    i32 1, label %here
    i32 2, label %indirect
    i32 3, label %assembly
    i32 4, label %several
    i32 5, label %last
    i32 6, label %never
  ]
usual:
  ret void
here:
  call void @plain() cold
  ret void
indirect:
  call void %callback() cold
  ret void
assembly:
  call void asm sideeffect "", ""() cold
  ret void
several:
  call void @plain()
  call void @cold()
  call void @plain() cold
  ret void
last:
  call void @plain() noreturn
  call void @exit_one()
  unreachable
never:
  call void @exit_one() cold
  call void @plain() noreturn
  unreachable
}
