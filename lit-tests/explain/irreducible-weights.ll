; LLVM divides the iterations of an irreducible loop between the headers in proportion to profiled header weights. From
; LLVM 24 on, blocks without a header weight get iterations too.
; RUN: %bpa -passes='rust-bfi<explain>' -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=%OLD_or_NEW
; RUN: %bpa -passes='rust-bfi<explain;like=23>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OLD
; RUN: %bpa -passes='rust-bfi<explain;like=24>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=NEW

; OLD-LABEL: block-frequency-info: f
; OLD: - A:
; OLD: irreducible: 2 headers (%A, %B) share each iteration according to their irr_loop weights: 0.75 for %A.
; OLD: - B:
; OLD: irreducible: 2 headers (%A, %B) share each iteration according to their irr_loop weights: 0.25 for %B.
; NEW-LABEL: block-frequency-info: f
; NEW: - A:
; NEW: irreducible: 2 headers (%A, %B) and the other blocks share all iterations according to irr_loop weights and the flow from the headers: 0.75 for %A.
; NEW: - B:
; NEW: irreducible: 2 headers (%A, %B) and the other blocks share all iterations according to irr_loop weights and the flow from the headers: 0.25 for %B.
define void @f(i1 %c) {
entry:
  br i1 %c, label %A, label %B
A:
  br i1 %c, label %B, label %end, !irr_loop !0
B:
  br label %A, !irr_loop !1
end:
  ret void
}

; Only block C has a header weight, and C is not a header.
; OLD-LABEL: block-frequency-info: inside
; OLD: share each iteration according to their back-edge mass: {{.*}} for %A.
; NEW-LABEL: block-frequency-info: inside
; NEW: and the other blocks share all iterations according to irr_loop weights and the flow from the headers: {{.*}} for %A.
define void @inside(i1 %c) {
entry:
  br i1 %c, label %A, label %B
A:
  br i1 %c, label %C, label %end
B:
  br label %A
C:
  br label %B, !irr_loop !0
end:
  ret void
}

; From LLVM 24 on, LLVM ignores a header weight of 0. Before LLVM 24, LLVM uses the header weight 0 like any other
; header weight.
; OLD-LABEL: block-frequency-info: nothing
; OLD: share each iteration according to their irr_loop weights: {{.*}} for %A.
; NEW-LABEL: block-frequency-info: nothing
; NEW: and the other blocks share all iterations according to the propagated mass of each block: {{.*}} for %A.
define void @nothing(i1 %c) {
entry:
  br i1 %c, label %A, label %B
A:
  br i1 %c, label %B, label %end, !irr_loop !2
B:
  br label %A
end:
  ret void
}

!0 = !{!"loop_header_weight", i64 300}
!1 = !{!"loop_header_weight", i64 100}
!2 = !{!"loop_header_weight", i64 0}
