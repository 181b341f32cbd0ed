; Header weights of a profile share the turns of an irreducible loop; from LLVM 24 on with blocks that have none.
; RUN: %bpa -passes='rust-bfi<explain>' -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=%OLD_or_NEW
; RUN: %bpa -passes='rust-bfi<explain;like=23>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OLD
; RUN: %bpa -passes='rust-bfi<explain;like=24>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=NEW

; OLD-LABEL: block-frequency-info: f
; OLD: - A:
; OLD: irreducible: 2 headers (%A, %B) share each turn by irr_loop weights: 0.75 for %A.
; OLD: - B:
; OLD: irreducible: 2 headers (%A, %B) share each turn by irr_loop weights: 0.25 for %B.
; NEW-LABEL: block-frequency-info: f
; NEW: - A:
; NEW: irreducible: 2 headers (%A, %B) share all turns with the rest of the loop, by irr_loop weights and what flows on from there: 0.75 for %A.
; NEW: - B:
; NEW: irreducible: 2 headers (%A, %B) share all turns with the rest of the loop, by irr_loop weights and what flows on from there: 0.25 for %B.
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

; A weight that no header has.
; OLD-LABEL: block-frequency-info: inside
; OLD: share each turn by what LLVM sees come back to each: {{.*}} for %A.
; NEW-LABEL: block-frequency-info: inside
; NEW: share all turns with the rest of the loop, by irr_loop weights and what flows on from there: {{.*}} for %A.
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

; A weight of nothing is none from LLVM 24 on; before, it is the least weight.
; OLD-LABEL: block-frequency-info: nothing
; OLD: share each turn by irr_loop weights: {{.*}} for %A.
; NEW-LABEL: block-frequency-info: nothing
; NEW: share all turns with the rest of the loop, by what flows around it until that settles: {{.*}} for %A.
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
