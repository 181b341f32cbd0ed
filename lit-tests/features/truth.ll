; If the function has a profile, each line has profiled counts. The static predictions do not use the profile.
; RUN: %bpa -passes='rust-bpi<features;output=%t.json>' -disable-output %s
; RUN: FileCheck %s --input-file=%t.json
; RUN: %bpa -passes='rust-bpi<features;append;output=%t.json;like=14>' -disable-output %s
; RUN: FileCheck %s --input-file=%t.json --check-prefix=TWICE

; CHECK: "function":"ran","local":false,"block":"%entry","number":0,"kind":"two-way","rule":"even","executions":"40",
; CHECK-SAME: "successors":[{"to":1,"numerator":1073741824,"truth":30,"features":{"answer":512,
; CHECK-SAME: {"to":2,"numerator":1073741824,"truth":10,"features":{"answer":512,
; CHECK-NEXT: "function":"never","local":true,{{.*}}"rule":"even","features"
; CHECK-NOT: "truth"
; TWICE-COUNT-1: "llvm":14,"module":"{{.*}}","function":"ran"

define i32 @ran(i1 %c) !prof !0 {
entry:
  br i1 %c, label %x, label %y, !prof !1
x:
  ret i32 2
y:
  ret i32 0
}

define internal i32 @never(i1 %c) !prof !2 {
entry:
  br i1 %c, label %x, label %y
x:
  ret i32 1
y:
  ret i32 0
}

!0 = !{!"function_entry_count", i64 40}
!1 = !{!"branch_weights", i32 30, i32 10}
!2 = !{!"function_entry_count", i64 0}
