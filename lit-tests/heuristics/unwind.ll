; # Exceptions
;
; Exceptions are rare. An exceptional block has weight 1. Up to LLVM 18, an exceptional block is an unwind destination
; of an `invoke`. From LLVM 19 on, an exceptional block is any block that begins with an exception-handling pad, for
; example `landingpad`.
;
;             entry
;  1048575   /     \   1
;        next      handler
;                  landingpad
;
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

declare void @work()
declare i32 @__gxx_personality_v0(...)

define void @unwinding() personality ptr @__gxx_personality_v0 {
entry:
  invoke void @work() to label %next unwind label %handler
next:
  ret void
handler:
  %exception = landingpad { ptr, i32 } cleanup
  ret void
}

; CHECK-LABEL: 'unwinding'
; CHECK-NEXT: ---- Branch Probabilities ----
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}next probability is 0x7ffff800 / 0x80000000 = 100.00% [HOT edge]
; CHECK-NEXT:       estimated weights, 1048575 of 1048576: no rule makes %next unlikely.
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}handler probability is 0x00000800 / 0x80000000 = 0.00%
; CHECK-NEXT:       estimated weights, 1 of 1048576: %handler hardly ever runs: it handles an exception (landingpad).
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
