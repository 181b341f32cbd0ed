; With `explain` each edge that there is a choice about has the lines that `explain` prints under it.
; RUN: %bpa -passes='rust-bpi<json;explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='print<rust-bfi;explain;json>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='rust-bpi<json>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAIN --implicit-check-not='"why"'
; RUN: not %bpa -passes='rust-bfi<json;explain;dot>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=DOT

; CHECK: "rule":"constant","why":["constant, 12 of 32: taken if icmp eq %x, 0 holds; numbers are rarely 0.","Other rules: no metadata; nothing estimated; even 50.00%."]}
; CHECK-SAME: "rule":"constant","why":["constant, 20 of 32: taken if icmp eq %x, 0 does not hold; numbers are rarely 0.",
; CHECK-SAME: "rule":"single"}
; PLAIN: "rule":"constant"
; DOT: bpa: rust-bfi: option 'dot' does not go with option 'json'; valid options are:
define void @f(i32 %x) {
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %a, label %b
a:
  br label %b
b:
  ret void
}
