; Where the binding is our own, printers are required passes: they answer for functions marked `optnone` at function
; position too. What changes a function leaves them alone there.
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
