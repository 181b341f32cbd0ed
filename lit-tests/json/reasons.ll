; With `explain`, the JSON has the data of the text explanation for each edge of a block with several successors.
; RUN: %bpa -passes='rust-bpi<json;explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='print<rust-bfi;explain;json>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='rust-bpi<json>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAIN --implicit-check-not='"why"'
; RUN: not %bpa -passes='rust-bfi<json;explain;dot>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=DOT

; CHECK: "rule":"constant","why":{"rule":"constant","weight":12,"total":32,"cause":{"kind":"condition","condition":{"predicate":"icmp eq","operands":["%x","0"],"name":"zero.equal"},"holds":true,"assumes":"not-zero"},"others":[{"rule":"metadata","outcome":"no-metadata"},{"rule":"estimated weights","outcome":"nothing-estimated"},{"rule":"even","outcome":{"predicts":{"weight":1,"total":2,"percent":50.0}}}]}}
; CHECK-SAME: "rule":"constant","why":{"rule":"constant","weight":20,"total":32,"cause":{{.*}}"holds":false,"assumes":"not-zero"},
; CHECK-SAME: "rule":"single"}
; PLAIN: "rule":"constant"
; DOT: bpa: rust-bfi: option 'dot' cannot be used with option '{{json|explain}}'; with '{{json|explain}}', valid options are:
define void @f(i32 %x) {
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %a, label %b
a:
  br label %b
b:
  ret void
}
