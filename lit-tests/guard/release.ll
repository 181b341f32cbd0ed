; A release build ignores BPA_FAULT.
; REQUIRES: optimised-plugin
; RUN: env BPA_FAULT=register %bpa -passes='require<rust-bpi>' -disable-output %s 2>&1 | count 0
; RUN: env BPA_FAULT=probabilities %bpa -passes='require<rust-bpi>' -disable-output %s 2>&1 | count 0
; RUN: not grep BPA_FAULT %plugin
; RUN: grep BPA_FAULT %debug_plugin
define void @f() {
  ret void
}
