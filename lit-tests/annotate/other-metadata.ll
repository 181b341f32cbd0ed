; `annotate` changes only branch weights. `annotate` keeps entry counts, value profiles, weights of calls and selects,
; and other metadata of branches.
; RUN: %bpa -passes='rust-bpi<annotate;overwrite>,verify' -S %s | FileCheck %s

declare void @may_throw()
declare i32 @__gxx_personality_v0(...)

define i32 @f(i1 %c, i32 %x) !prof !0 {
; CHECK: define i32 @f(i1 %c, i32 %x) !prof [[ENTRY:![0-9]+]]
; CHECK: select i1 %c, i32 %x, i32 0, !prof [[SELECT:![0-9]+]]
; CHECK: call void @may_throw(), !prof [[CALL:![0-9]+]]
; CHECK: br i1 %c, label %A, label %B, !prof [[EVEN:![0-9]+]], !unpredictable [[EMPTY:![0-9]+]]
entry:
  %s = select i1 %c, i32 %x, i32 0, !prof !1
  call void @may_throw(), !prof !2
  br i1 %c, label %A, label %B, !unpredictable !4
A:
  ret i32 %s
B:
  ret i32 0
}

define void @g(ptr %f) personality ptr @__gxx_personality_v0 {
; CHECK: unwind label %exceptional, !prof [[VALUES:![0-9]+]]
entry:
  invoke void %f() to label %normal unwind label %exceptional, !prof !3
normal:
  ret void
exceptional:
  %e = landingpad { ptr, i32 } cleanup
  ret void
}

!0 = !{!"function_entry_count", i64 7}
!1 = !{!"branch_weights", i32 3, i32 5}
!2 = !{!"branch_weights", i32 70}
!3 = !{!"VP", i32 0, i64 10, i64 123, i64 10}
!4 = !{}
; CHECK-DAG: [[ENTRY]] = !{!"function_entry_count", i64 7}
; CHECK-DAG: [[SELECT]] = !{!"branch_weights", i32 3, i32 5}
; CHECK-DAG: [[CALL]] = !{!"branch_weights", i32 70}
; CHECK-DAG: [[EVEN]] = !{!"branch_weights", i32 1, i32 1}
; CHECK-DAG: [[EMPTY]] = !{}
; CHECK-DAG: [[VALUES]] = !{!"VP", i32 0, i64 10, i64 123, i64 10}
