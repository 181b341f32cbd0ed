; A line about an executed select has profiled counts.
; RUN: %bpa -passes='rust-bpi<features>' -disable-output %s 2>&1 | FileCheck %s

; CHECK: "function":"ran",{{.*}}"kind":"select","select":0,"executions":"40","features":{{.*}}"values":[{"truth":30,"features":{{.*}}{"truth":10,"features"
; CHECK-NEXT: "function":"ran",{{.*}}"kind":"select","select":1,"features":
; CHECK-NOT: "truth"
; CHECK: "function":"ran",{{.*}}"kind":"select","select":2,"features":
; CHECK-NOT: "truth"
; CHECK: "function":"never",{{.*}}"kind":"select","select":0,"features":
; CHECK-NOT: "truth"
; CHECK: "function":"unknown",{{.*}}"kind":"select","select":0,"features":
; CHECK-NOT: "truth"
define i32 @ran(i1 %c, i32 %x) !prof !0 {
  %a = select i1 %c, i32 %x, i32 1, !prof !1
  %b = select i1 %c, i32 %a, i32 2, !prof !3
  %d = select i1 %c, i32 %b, i32 3, !prof !4
  ret i32 %d
}

define i32 @never(i1 %c, i32 %x) !prof !2 {
  %a = select i1 %c, i32 %x, i32 1, !prof !1
  ret i32 %a
}

define i32 @unknown(i1 %c, i32 %x) {
  %a = select i1 %c, i32 %x, i32 1, !prof !1
  ret i32 %a
}

!0 = !{!"function_entry_count", i64 40}
!1 = !{!"branch_weights", i32 30, i32 10}
!2 = !{!"function_entry_count", i64 0}
!3 = !{!"branch_weights", i32 0, i32 0}
!4 = !{!"VP", i32 2, i64 10, i64 123, i64 10}
