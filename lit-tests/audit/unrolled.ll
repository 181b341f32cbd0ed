; A cause of wrong weights up to LLVM 16: the loop that LoopUnroll makes keeps the weights of the old loop. Each iteration
; of the new loop contains eight old ones, but leaves the loop as rarely as an old one, so 10,000 executions become 45,000.
; LLVM 19 writes other weights (8,438 executions), and with LLVM 22 the audit finds nothing.
; UNSUPPORTED: llvm-ge-17
; RUN: %bpa -passes='rust-audit<begin>,function(loop-unroll<runtime>),rust-audit<limit=1>' -unroll-runtime -disable-output %s 2>&1 \
; RUN:   | FileCheck %s
; CHECK: wrong at the beginning: 0 (0.00%)
; CHECK: +35000  291.67  35000       0  +35000    +0        2        0      0  LoopUnrollPass
; CHECK: block %loop of 'f' ran 10000 times; after LoopUnrollPass LLVM assumes 45000, before 10000, at the end 45000

define i32 @f(ptr %p, i32 %n) !prof !0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %add, %loop ]
  %at = getelementptr i32, ptr %p, i32 %i
  %value = load i32, ptr %at
  %add = add i32 %sum, %value
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop, !prof !1
end:
  ret i32 %add
}
!0 = !{!"function_entry_count", i64 1000}
!1 = !{!"branch_weights", i32 1000, i32 9000}
