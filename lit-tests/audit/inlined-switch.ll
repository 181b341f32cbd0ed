; A cause of wrong weights, found by `rust-audit` in cmark's loop over its nodes (LLVM 16 and 22).
;
; The switch comes from an inlined function. Its weights are averages over all callers: 330,926 executions, of which 576
; are `done`. In this loop, it runs 129,798 times, and `done` 568 times. Only the second branch has the counts of this loop.
; JumpThreading resolves the second branch, and the exit gets the average of the switch, 576 of 330,926. The loop then has
; 2.5 times as many iterations. Right would be weights of the switch that give `done` 568 of 129,798.
; RUN: %bpa -passes='rust-audit<begin>,function(jump-threading),rust-audit<limit=1>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: wrong at the beginning: 0 (0.00%)
; CHECK: +589595 {{.*}} JumpThreadingPass
; CHECK: block %loop of 'f' ran 129798 times; after JumpThreadingPass LLVM assumes 326330, before 129798, at the end 326330

declare i32 @next()
declare void @g(i32)

define void @f() !prof !0 {
entry:
  br label %loop
loop:
  %kind = call i32 @next()
  switch i32 %kind, label %other [
    i32 2, label %enter
    i32 1, label %done
  ], !prof !1
other:
  call void @g(i32 0)
  br label %join
enter:
  call void @g(i32 2)
  br label %join
done:
  call void @g(i32 1)
  br label %join
join:
  %is-done = icmp eq i32 %kind, 1
  br i1 %is-done, label %end, label %loop, !prof !2
end:
  ret void
}

!0 = !{!"function_entry_count", i64 568}
!1 = !{!"branch_weights", i32 57894, i32 272456, i32 576}
!2 = !{!"branch_weights", i32 568, i32 129230}
