; A cause of wrong weights, found by `rust-audit` in lz4 with LLVM 22, where 98% of the executions of lz4hc.c become wrong. LLVM
; 19 and 22 have it, LLVM 14 and 16 have not.
;
; Each iteration of the loop around `outer` enters the inner loop, which begins with `head`. The inner loop has a second
; exit, and `head` leaves it only once in 1,001 executions. LoopRotate copies the test of `head` to `outer`. The copy gets the
; weights 1:127, whatever the weights of `head` are. The outer loop then ends after about 128 iterations instead of 901.
; Right would be the weights of `head` for both copies.
; REQUIRES: llvm-ge-19
; RUN: %bpa -passes='rust-audit<begin>,function(loop(loop-rotate)),rust-audit<limit=1>' -disable-output %s 2>&1 | FileCheck %s
; CHECK:      executions: 30040 of 6 blocks; 0 blocks are unknown
; CHECK-NEXT: wrong at the end: 24792 (82.53%); with exact frequencies: 24792 (82.53%)
; CHECK-NEXT: wrong at the beginning: 0 (0.00%)
; CHECK:      block %head of 'f' ran 10010 times; after LoopRotatePass LLVM assumes 1746, before 10010, at the end 1746

declare i1 @test()

define void @f() !prof !0 {
entry:
  br label %outer
outer:
  br label %head
head:
  %done = call i1 @test()
  br i1 %done, label %end, label %body, !prof !1
body:
  %again = call i1 @test()
  br i1 %again, label %next, label %outer, !prof !2
next:
  br label %head
end:
  ret void
}

!0 = !{!"function_entry_count", i64 10}
!1 = !{!"branch_weights", i32 10, i32 10000}
!2 = !{!"branch_weights", i32 1000, i32 9000}
