; The plugin splits edges, moves blocks and deletes blocks, and checks all results after each step. An updated profile
; and a new profile must have equal results. A profile that was computed before a step must return the same results
; after the step. After the last step, `rust-bfi<check>` compares a new profile with LLVM's results.
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so -load-pass-plugin=%plugin \
; RUN:   -passes='test-reshape<steps=20>,rust-bfi<check>,test-reshape<steps=20;seed=2>,verify,rust-bfi<check>,test-reshape-report' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s
; CHECK: {{[1-9][0-9]*}} edges split, {{[1-9][0-9]*}} blocks moved, {{[1-9][0-9]*}} deleted
; CHECK-NEXT: compared {{[1-9][0-9]+}} times, {{[1-9][0-9]+}} results
; Every edge except the edge to %rare is critical.
define i32 @loops(i1 %a, i32 %n) {
entry:
  br i1 %a, label %loop, label %join
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ], [ %next, %other ]
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %other
other:
  switch i32 %n, label %join [ i32 1, label %join
                               i32 2, label %loop
                               i32 3, label %rare ]
rare:
  unreachable
join:
  %r = phi i32 [ 7, %entry ], [ %next, %other ], [ %next, %other ]
  ret i32 %r
}

; The function has a cycle with two entries, an infinite loop, and an unreachable block.
define void @strange(i1 %a, i1 %b, i1 %c) {
entry:
  br i1 %a, label %one, label %two, !prof !0
one:
  br i1 %b, label %two, label %forever
two:
  br i1 %c, label %one, label %end
forever:
  br i1 %a, label %forever, label %back
back:
  br label %forever
dead:
  br i1 %b, label %end, label %two
end:
  ret void
}

; The function has no critical edge.
define void @straight() {
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 7}
