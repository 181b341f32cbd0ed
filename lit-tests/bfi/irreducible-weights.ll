; LLVM divides the mass of an irreducible cycle between the headers in proportion to the loop header weights. The
; printer prints these weights. In this function, header A gets 3/4 of the mass.
; RUN: %bpa -passes='rust-bfi' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @f(i1 %c, i1 %d) {
; CHECK: - {{%?}}A: float = {{.*}}, irr_loop_header_weight = 300
; CHECK-NEXT: - {{%?}}B: float = {{.*}}, irr_loop_header_weight = 100
entry:
  br i1 %c, label %A, label %B
A:
  br i1 %d, label %B, label %end, !irr_loop !0
B:
  br label %A, !irr_loop !1
end:
  ret void
}

!0 = !{!"loop_header_weight", i64 300}
!1 = !{!"loop_header_weight", i64 100}
