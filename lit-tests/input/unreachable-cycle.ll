; Nested unreachable cycles with branch weights have edges into reachable loops. LLVM gives all edges of an unreachable
; block equal probabilities. Unreachable cycles do not affect the frequencies of reachable blocks.
; RUN: %check %s
; RUN: %bpa -passes='rust-bpi<annotate>,verify,function(print<branch-prob>)' -disable-output %s 2> %t.after
; RUN: %opt -passes='function(print<branch-prob>)' -disable-output %s 2> %t.before
; RUN: diff %t.before %t.after
; RUN: %check-annotated %s
; RUN: %check-overwritten %s
; RUN: %bpa -passes='rust-bpi,rust-bfi' -disable-output %s 2>&1 | FileCheck %s

; CHECK: edge {{%?}}dead.inner -> {{%?}}dead.inner probability is {{.*}} = 50.00%
; CHECK: edge {{%?}}dead.latch -> {{%?}}header probability is {{.*}} = 25.00%
; CHECK: - header: float = 32.0,
define void @cycles(i1 %c, i32 %x) {
entry:
  br label %header
header:
  br i1 %c, label %header, label %exit
dead.outer:
  br label %dead.inner
dead.inner:
  br i1 %c, label %dead.inner, label %dead.latch, !prof !0
dead.latch:
  switch i32 %x, label %dead.outer [ i32 1, label %header
    i32 2, label %exit
    i32 3, label %dead.lonely ]
dead.lonely:
  unreachable
exit:
  ret void
}
!0 = !{!"branch_weights", i32 99, i32 1}
