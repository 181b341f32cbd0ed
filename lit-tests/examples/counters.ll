; The function has two successive `if` statements with `else`: 7 blocks and 9 edges, including the edge from the return
; to the entry. A spanning tree has 6 of the 9 edges, and the other 3 edges have counters. Each `if` statement has a
; counter on a cold edge. The likely edges and the edge from the return to the entry form a cycle. The third counter is
; on the least frequent edge of this cycle. With counters on all edges, a run would execute 2 increments in each `if`
; statement, and one at the return.
; RUN: %opt -load-pass-plugin=%examples/libcounters.so -passes=counters -disable-output %s 2>&1 | FileCheck %s

; CHECK: diamonds: counters on 3 of 9 edges, 1.125 of 5.0 increments, 77.50% saved
; CHECK-NEXT: %usual -> %middle, frequency 0.75
; CHECK-NEXT: %entry -> %rare, frequency 0.25
; CHECK-NEXT: %middle -> %rarer, frequency 0.125
define void @diamonds(i1 %a, i1 %b) {
entry:
  br i1 %a, label %rare, label %usual, !prof !0
rare:
  br label %middle
usual:
  br label %middle
middle:
  br i1 %b, label %rarer, label %more_usual, !prof !1
rarer:
  br label %end
more_usual:
  br label %end
end:
  ret void
}

; In a function without branches, the counter is before the return.
; CHECK: straight: counters on 1 of 1 edges, 1.0 of 1.0 increments, 0.00% saved
; CHECK-NEXT: %entry -> return, frequency 1.0
define void @straight() {
entry:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 3}
!1 = !{!"branch_weights", i32 1, i32 7}
