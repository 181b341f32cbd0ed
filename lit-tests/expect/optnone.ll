; On functions with `optnone`, LLVM skips function passes, including `rust-lower-expect` in a function pipeline.
; If `rust-lower-expect` is a module pass, it processes every function.
; RUN: %bpa -passes=rust-lower-expect -S %s | FileCheck %s --check-prefix=MODULE
; RUN: %bpa -passes='function(rust-lower-expect)' -S %s | FileCheck %s --check-prefix=FUNCTION
; RUN: %opt -passes=lower-expect -S %s | FileCheck %s --check-prefix=FUNCTION

declare i1 @llvm.expect.i1(i1, i1)

; MODULE-LABEL: @kept_as_it_is(
; MODULE-NOT: call
; MODULE: br i1 %x, {{.*}}, !prof
; FUNCTION-LABEL: @kept_as_it_is(
; FUNCTION: br i1 %e, {{.*}} %no{{$}}
define i32 @kept_as_it_is(i1 %x) noinline optnone {
  %e = call i1 @llvm.expect.i1(i1 %x, i1 true)
  br i1 %e, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}
