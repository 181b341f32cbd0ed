; `at-least=N%` skips a branch if the probability of its likeliest successor is below N%. The function has three
; branches with the probabilities 50%, 62.5% (weights 12 : 20) and 96.9% (a loop exit).
; RUN: %bpa -passes='rust-bpi<annotate;at-least=0%>,verify' -S %s | FileCheck %s --check-prefixes=LOOP,POINTER,EVEN
; RUN: %bpa -passes='rust-bpi<annotate;at-least=62%>,verify' -S %s | FileCheck %s --check-prefixes=LOOP,POINTER,NOT-EVEN
; RUN: %bpa -passes='rust-bpi<at-least=63%;annotate>,verify' -S %s | FileCheck %s --check-prefixes=LOOP,NOT-POINTER,NOT-EVEN
; RUN: %bpa -passes='rust-bpi<annotate;at-least=100%>,verify' -S %s | FileCheck %s --check-prefixes=NOT-LOOP,NOT-POINTER,NOT-EVEN
; RUN: not %bpa -passes='rust-bpi<annotate;at-least=101%>' -o %t.out %s 2>&1 | FileCheck %s --check-prefix=ERROR
; RUN: not test -e %t.out
; ERROR: bpa: rust-bpi: option 'at-least=101%' needs a percentage from 0% to 100%; valid options are: annotate, overwrite, skip-even, at-least=N%,

define void @f(i1 %c, ptr %p) {
; EVEN: br i1 %c, label %A, label %B, !prof
; NOT-EVEN: br i1 %c, label %A, label %B{{$}}
; POINTER: br i1 %d, label %C, label %D, !prof
; NOT-POINTER: br i1 %d, label %C, label %D{{$}}
; LOOP: br i1 %e, label %loop, label %exit, !prof
; NOT-LOOP: br i1 %e, label %loop, label %exit{{$}}
entry:
  br i1 %c, label %A, label %B
A:
  %d = icmp eq ptr %p, null
  br i1 %d, label %C, label %D
B:
  br label %loop
C:
  ret void
D:
  ret void
loop:
  %e = call i1 @g()
  br i1 %e, label %loop, label %exit
exit:
  ret void
}

declare i1 @g()
