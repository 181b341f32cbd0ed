; A loop pass is charged with its damage. The analyses stay cached until the adaptor of the loop passes declares what is
; preserved, and no later pass is charged with results that a loop pass has made stale.
; RUN: rm -rf %t && mkdir %t
; RUN: %cxx -fPIC -shared %S/Inputs/damage.cpp %llvm_flags -o %t/damage.so
; RUN: %bpa -load-pass-plugin=%t/damage.so -disable-output %s \
; RUN:   -passes='rust-audit<begin>,function(require<branch-prob>,require<block-freq>,loop(swap-in-loop),lcssa,loop-simplify,early-cse),rust-audit<limit=1>' 2>&1 \
; RUN:   | FileCheck %s
; CHECK:      executions: 10250 of 4 blocks; 0 blocks are unknown
; CHECK-NEXT: wrong at the end: 5500 (53.66%); with exact frequencies: 5500 (53.66%)
; CHECK:      worse  better
; CHECK-NEXT:   +5500  53.66   5500       0  +5500    +0        0        0      0  {{.*}}SwapInLoop
; CHECK-NEXT: block %loop of 'f' ran 7500 times; after {{.*}}SwapInLoop LLVM assumes 2500, before 7500, at the end 2500
; CHECK-EMPTY:

define void @f(i1 %p) !prof !0 {
entry:
  br i1 %p, label %head, label %end, !prof !1
head:
  br label %loop
loop:
  %i = phi i32 [ 0, %head ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 10
  br i1 %more, label %loop, label %end, !prof !2
end:
  ret void
}

!0 = !{!"function_entry_count", i64 1000}
!1 = !{!"branch_weights", i32 3, i32 1}
!2 = !{!"branch_weights", i32 9, i32 1}
