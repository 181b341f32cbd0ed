; If the entry count is profiled, the explanations have counts. If the entry count is synthetic, the explanations have
; no counts. The verifier of LLVM 24 rejects synthetic entry counts.
; RUN: %bpa -disable-verify -passes='rust-bfi<explain>' -disable-output %s 2>&1 | FileCheck %s

define void @measured(i1 %c) !prof !0 {
; CHECK-LABEL: 'measured'
; CHECK: - A: float = 0.5, int = {{[0-9]+}}, count = 50
; CHECK-NEXT: 0.5 from %entry: 50.00% of 1.0.
; CHECK-NEXT: count: 50 = 100 measured entries x {{[0-9]+}} / {{[0-9]+}}, rounded.
entry:
  br i1 %c, label %A, label %B
A:
  ret void
B:
  ret void
}

define void @synthetic() !prof !1 {
; CHECK-LABEL: 'synthetic'
; CHECK-NOT: count:
  ret void
}

!0 = !{!"function_entry_count", i64 100}
!1 = !{!"synthetic_function_entry_count", i64 100}
