; The features of a function describe the solution of the call equations, the function, its call sites and its position
; in the call graph. Logarithms are in units of 1/8, rounded down. The frequency of the loop is slightly less than 32, and
; the calls of @inner are its square root. The profile changes only `calls` and `instructions`.
; RUN: %bpa -passes='rust-entry-counts<features>' -disable-output %s 2>&1 | FileCheck %s

; CHECK: "function":"main","calls":"1","instructions":"32","estimated_calls":{{.*}}"distance":0,"nesting":0,"chain":0,
; CHECK: "function":"inner","calls":"10","instructions":"20","estimated_calls":{{.*}}"features":{"calls":19,
; CHECK-SAME: "size":8,"blocks":1,"depth":0,{{.*}}"external_calls":0,{{.*}}"parameters":0,"is_visible":0,"sites":1,
; CHECK-SAME: "loop_sites":1,"greatest_site":39,"least_site":39,"pointer_sites":0,
; CHECK-SAME: "caller_calls":0,"caller_sites":0,"least_call_sites":1,"distance":1,"nesting":1,"chain":19,
; CHECK: "function":"unmeasured","estimated_calls":{{.*}}"sites":0,{{.*}}"greatest_site":-1023,
; CHECK-SAME: "caller_sites":-1,{{.*}}"distance":1023,"nesting":0,"chain":-1023,

declare void @outside()

define i32 @main(i1 %c) !prof !0 {
entry:
  br label %loop
loop:
  call void @inner()
  %x = add i32 1, 2
  br i1 %c, label %loop, label %end, !prof !1
end:
  ret i32 0
}

define internal void @inner() !prof !2 {
  call void @outside()
  ret void
}

define internal void @unmeasured() {
  ret void
}

!0 = !{!"function_entry_count", i64 1}
!1 = !{!"branch_weights", i32 9, i32 1}
!2 = !{!"function_entry_count", i64 10}
