; f is long and has no loop, and g has a short loop. The baseline "size times loop depth" ranks f first, and the
; estimate ranks g first.
; RUN: %bpa -passes='rust-entry-counts<score>' -disable-output %s 2>&1 | FileCheck %s

; CHECK: functions by calls estimate
; CHECK-NEXT: functions by calls alike
; CHECK-NEXT: functions by time estimate 14.8% 14.8% 14.8%
; CHECK-NEXT: functions by time alike 14.8% 14.8% 14.8%
; CHECK-NEXT: functions by time loop depth 100.0% 100.0% 100.0%
; CHECK-NEXT: blocks
define void @f(ptr %p) !prof !0 {
entry:
  store volatile i32 0, ptr %p
  store volatile i32 1, ptr %p
  store volatile i32 2, ptr %p
  store volatile i32 3, ptr %p
  store volatile i32 4, ptr %p
  store volatile i32 5, ptr %p
  store volatile i32 6, ptr %p
  store volatile i32 7, ptr %p
  store volatile i32 8, ptr %p
  store volatile i32 9, ptr %p
  store volatile i32 10, ptr %p
  store volatile i32 11, ptr %p
  store volatile i32 12, ptr %p
  store volatile i32 13, ptr %p
  store volatile i32 14, ptr %p
  store volatile i32 15, ptr %p
  store volatile i32 16, ptr %p
  store volatile i32 17, ptr %p
  store volatile i32 18, ptr %p
  store volatile i32 19, ptr %p
  ret void
}

define void @g(ptr %p, i1 %c) !prof !0 {
entry:
  br label %loop
loop:
  br i1 %c, label %loop, label %end, !prof !1
end:
  ret void
}

!0 = !{!"function_entry_count", i64 10}
!1 = !{!"branch_weights", i32 1, i32 10}
