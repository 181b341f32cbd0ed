; The score is the quotient of two profiled counts. The first count is the count of the functions that the estimate
; ranks first. The second count is the highest count of any set with the same number of functions.
; The estimate ranks @looped first, and @looped has 10 profiled calls. The function with the highest profiled count is
; @f, with 100 calls. The score is therefore 10 / 100 = 10%.
; RUN: %bpa -passes='rust-entry-counts<score>' -disable-output %s 2>&1 | FileCheck %s

; CHECK: Score of entry counts of module '{{.*}}score.ll': 4 functions measured
; CHECK-NEXT: 5% 10% 25%
; CHECK-NEXT: functions by calls estimate 10.0% 10.0% 10.0%
; CHECK-NEXT: functions by calls alike 28.0% 28.0% 28.0%
; CHECK-NEXT: functions by time
define i32 @main(i1 %c) !prof !0 {
entry:
  br label %loop
loop:
  call void @looped()
  br i1 %c, label %loop, label %end, !prof !1
end:
  call void @f()
  call void @g()
  ret i32 0
}

define internal void @looped() !prof !2 {
  ret void
}

define internal void @f() !prof !3 {
  ret void
}

define internal void @g() !prof !0 {
  ret void
}

define internal void @unmeasured() {
  ret void
}

!0 = !{!"function_entry_count", i64 1}
!1 = !{!"branch_weights", i32 9, i32 1}
!2 = !{!"function_entry_count", i64 10}
!3 = !{!"function_entry_count", i64 100}
