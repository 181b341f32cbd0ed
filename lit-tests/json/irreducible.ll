; In the JSON, an irreducible loop is a loop with several headers. Natural loops can be nested in irreducible loops.
; From LLVM 24 on, the header of a nested natural loop is not a header of the outer loop. In the JSON, each edge has a
; rule and weights.
; RUN: %bpa -passes='rust-bfi<json>' -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefixes=CHECK,%OLD_or_NEW
; RUN: %bpa -passes='rust-bfi<json;like=23>' -disable-output %s 2>&1 | FileCheck %s --check-prefixes=CHECK,OLD
; RUN: %bpa -passes='rust-bfi<json;like=24>' -disable-output %s 2>&1 | FileCheck %s --check-prefixes=CHECK,NEW

; OLD: {"name":"%a","loop":1,
; NEW: {"name":"%a","loop":0,
; CHECK-SAME: {"name":"%b","loop":0,"terminator":"br","header_weight":"7",
; CHECK-SAME: {"from":0,"successor":0,"to":1,"numerator":1610612736,"percent":75.0,"weight":3,"rule":"metadata"},
; CHECK-SAME: "loops":[{"headers":[1,2],"irreducible":true,"parent":null,"depth":1,"entries":{{[^}]*}}},"scale":{{[^}]*}}}
; OLD-SAME: },{"headers":[1],"irreducible":false,"parent":0,"depth":2,
; NEW-SAME: {{^}]}$}}
define void @f(i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %b, !prof !0
a:
  br i1 %d, label %a, label %b
b:
  br i1 %d, label %a, label %exit, !irr_loop !1
exit:
  ret void
}
!0 = !{!"branch_weights", i32 3, i32 1}
!1 = !{!"loop_header_weight", i64 7}
