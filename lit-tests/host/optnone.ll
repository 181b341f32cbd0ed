; From LLVM 19 on, printers are required passes: `function(...)` runs printers also on functions with `optnone`. Passes
; that change functions skip functions with `optnone`.
; REQUIRES: llvm-ge-19
; RUN: %bpa -passes='function(rust-bpi)' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='function(rust-bpi<annotate>)' -S %s | FileCheck %s --check-prefix=ANNOTATE

; CHECK: for function 'kept_as_it_is'
; ANNOTATE-NOT: branch_weights
define void @kept_as_it_is(i1 %c) noinline optnone {
entry:
  br label %loop
loop:
  br i1 %c, label %end, label %loop
end:
  ret void
}
