; Counts have 64 bits. If the entry count is synthetic, blocks have no counts. The verifier of LLVM 24 rejects synthetic
; entry counts.
; RUN: %bpa -disable-verify -passes='rust-bfi<json>' -disable-output %s 2>&1 | FileCheck %s

; CHECK: "entry_count":{"count":"9007199254740993","synthetic":false},"blocks":[{"name":"%entry",{{.*}}"count":"9007199254740993"
; CHECK: "entry_count":{"count":"10","synthetic":true}
; CHECK-NOT: "count"
define void @f() !prof !0 {
entry:
  ret void
}
define void @g() !prof !1 {
entry:
  ret void
}
!0 = !{!"function_entry_count", i64 9007199254740993}
!1 = !{!"synthetic_function_entry_count", i64 10}
