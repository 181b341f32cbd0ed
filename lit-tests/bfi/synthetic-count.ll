; If the entry count of a function is synthetic, no counts are printed for its blocks. LLVM 24 rejects synthetic entry
; counts, so the verifier is disabled.
; RUN: %bpa -disable-verify -passes='rust-bfi' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check -disable-verify %s

define void @synthetic() !prof !0 {
; CHECK-LABEL: block-frequency-info: synthetic
; CHECK-NEXT: - {{.*}}: float = 1.0, int = {{[0-9]+$}}
; CHECK-NOT: count
  ret void
}

!0 = !{!"synthetic_function_entry_count", i64 100}
