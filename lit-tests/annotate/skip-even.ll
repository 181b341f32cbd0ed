; `skip-even` skips branches to which no rule applies.
; RUN: %bpa -passes='rust-bpi<annotate;skip-even>,verify' -S %s | FileCheck %s
; RUN: %bpa -passes='rust-bpi<annotate>,verify' -S %s | FileCheck %s --check-prefix=ALL

define void @f(i1 %c, ptr %p) {
; CHECK: br i1 %c, label %A, label %B{{$}}
; CHECK: br i1 %d, label %C, label %D, !prof
; ALL: br i1 %c, label %A, label %B, !prof
; ALL: br i1 %d, label %C, label %D, !prof
entry:
  br i1 %c, label %A, label %B
A:
  %d = icmp eq ptr %p, null
  br i1 %d, label %C, label %D
B:
  ret void
C:
  ret void
D:
  ret void
}
