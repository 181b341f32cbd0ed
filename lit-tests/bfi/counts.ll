; If the function has an entry count, each block has a count. LLVM ignores the entry count -1, which means that the
; function has no samples. In the metadata, a list of imported functions can follow the entry count.
; RUN: %bpa -passes='rust-bfi' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @counted(i1 %c) !prof !0 {
; CHECK-LABEL: block-frequency-info: counted
; CHECK-NEXT: - {{%?}}entry: float = 1.0, int = {{[0-9]+}}, count = 100
; CHECK-NEXT: - {{%?}}then: float = 0.5, int = {{[0-9]+}}, count = 50
; CHECK-NEXT: - {{%?}}else: float = 0.5, int = {{[0-9]+}}, count = 50
entry:
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @imports() !prof !1 {
; CHECK-LABEL: block-frequency-info: imports
; CHECK-NEXT: count = 9223372036854775808{{$}}
  ret void
}

define void @no_samples() !prof !2 {
; CHECK-LABEL: block-frequency-info: no_samples
; CHECK-NOT: count
  ret void
}

!0 = !{!"function_entry_count", i64 100}
!1 = !{!"function_entry_count", i64 9223372036854775808, i64 12345}
!2 = !{!"function_entry_count", i64 -1}
