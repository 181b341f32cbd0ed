; A cause of wrong frequencies, found by `rust-audit` in cmark (LLVM 22): 156 executions become 49,152.
;
; PGO writes `!irr_loop` weights on the headers of an irreducible region: here `y`, `z` and `x`. LoopSimplify gives the
; natural loop `x` a preheader, which is a header of the region instead of `x` and has no weight. LLVM gives such a header
; the least weight of the others, here the 0 of `z`. The mass that returns to the headers is divided by these weights, so `y`
; gets all of it, and almost no mass leaves the region. LLVM's limit for the scale of a loop, 4096, remains. Right would be
; a weight of 24 on the preheader. With exact frequencies, nothing is wrong.
; LLVM 24 solves such regions.
; UNSUPPORTED: llvm-ge-24
; RUN: %bpa -passes='rust-audit<begin>,function(loop-simplify),rust-audit<limit=1>' -disable-output %s 2>&1 | FileCheck %s
; CHECK:      executions: 408 of 9 blocks; 0 blocks are unknown
; CHECK-NEXT: wrong at the end: 98028 (24026.47%); with exact frequencies: 0 (0.00%)
; CHECK-NEXT: wrong at the beginning: 0 (0.00%)
; CHECK:      block %y of 'f' ran 156 times; after LoopSimplifyPass LLVM assumes 49152, before 156, at the end 49152

define void @f(i1 %a, i1 %b, i1 %c, i1 %d, i1 %e, i1 %g, i1 %h) !prof !0 {
entry:
  br i1 %a, label %one, label %z, !prof !1
one:
  br i1 %b, label %y, label %x, !prof !1
y:
  br i1 %c, label %two, label %back, !prof !2, !irr_loop !3
back:
  br label %y
two:
  br i1 %d, label %x, label %z, !prof !7
z:
  br i1 %e, label %back, label %end, !irr_loop !4
x:
  br i1 %g, label %three, label %x, !prof !7, !irr_loop !5
three:
  br i1 %h, label %back, label %end, !prof !6
end:
  ret void
}

!0 = !{!"function_entry_count", i64 12}
!1 = !{!"branch_weights", i32 12, i32 0}
!2 = !{!"branch_weights", i32 24, i32 132}
!3 = !{!"loop_header_weight", i64 156}
!4 = !{!"loop_header_weight", i64 0}
!5 = !{!"loop_header_weight", i64 24}
!6 = !{!"branch_weights", i32 12, i32 12}
!7 = !{!"branch_weights", i32 24, i32 0}
