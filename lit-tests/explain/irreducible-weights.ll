; Header weights of a profile share the turns of an irreducible loop.
; RUN: %bpa -passes='rust-bfi<explain>' -disable-output %s 2>&1 | FileCheck %s

define void @f(i1 %c) {
; CHECK: - A:
; CHECK: irreducible: 2 headers (%A, %B) share each turn by irr_loop weights: 0.75 for %A.
; CHECK: - B:
; CHECK: irreducible: 2 headers (%A, %B) share each turn by irr_loop weights: 0.25 for %B.
entry:
  br i1 %c, label %A, label %B
A:
  br i1 %c, label %B, label %end, !irr_loop !0
B:
  br label %A, !irr_loop !1
end:
  ret void
}

!0 = !{!"loop_header_weight", i64 300}
!1 = !{!"loop_header_weight", i64 100}
