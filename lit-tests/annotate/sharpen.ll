; `sharpen=N%` raises the probability of the likelier edge of a two-way branch to at least N%. Loop exits, branches with
; probabilities of 50%, and edges that already have a higher probability do not change.
; RUN: %bpa -passes='rust-bpi<annotate>,verify' -S %s | FileCheck %s --check-prefixes=CHECK,PLAIN
; RUN: %bpa -passes='rust-bpi<annotate;sharpen=90%>,verify' -S %s | FileCheck %s --check-prefixes=CHECK,RAISED
; RUN: not %bpa -passes='rust-bpi<annotate;sharpen=100%>' -o %t.out %s 2>&1 | FileCheck %s --check-prefix=ERROR
; RUN: not test -e %t.out
; ERROR: bpa: rust-bpi: option 'sharpen=100%' needs a percentage from 51% to 99%; valid options are: annotate,

define void @f(i1 %c, ptr %p) {
; CHECK: br i1 %c, label %A, label %B, !prof [[EVEN:![0-9]+]]
; CHECK: br i1 %d, label %C, label %D, !prof [[POINTER:![0-9]+]]
; CHECK: br i1 %e, label %loop, label %exit, !prof [[IN_LOOP:![0-9]+]]
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

; CHECK-DAG: [[EVEN]] = !{!"branch_weights", i32 1, i32 1}
; PLAIN-DAG: [[POINTER]] = !{!"branch_weights", i32 12, i32 20}
; RAISED-DAG: [[POINTER]] = !{!"branch_weights", i32 2, i32 20}
; CHECK-DAG: [[IN_LOOP]] = !{!"branch_weights", i32 1048575, i32 33825}
