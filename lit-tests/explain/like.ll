; With `like=N`, the explanations are for LLVM N. LLVM 16 reads the branch weights of `callbr`, and LLVM 14 does not. In
; LLVM 18, an exceptional block is an unwind destination of an `invoke`. In LLVM 19, an exceptional block is any block
; that begins with a pad.
; RUN: %bpa -passes='rust-bpi<explain;like=14>' -disable-output %s 2>&1 | FileCheck %s --check-prefixes=CHECK,OLD
; RUN: %bpa -passes='rust-bpi<explain;like=16>' -disable-output %s 2>&1 | FileCheck %s --check-prefixes=CHECK,NEW
; RUN: %bpa -passes='rust-bpi<explain;like=18>' -disable-output %s 2>&1 | FileCheck %s --check-prefixes=CHECK,BY-INVOKE
; RUN: %bpa -passes='rust-bpi<explain;like=19>' -disable-output %s 2>&1 | FileCheck %s --check-prefixes=CHECK,BY-PAD
; REQUIRES: llvm-ge-16

declare i32 @__gxx_personality_v0(...)
declare void @work()

define void @asm_goto() {
; CHECK-LABEL: 'asm_goto'
; OLD: even, 1 of 2: no rule applies to a callbr.
; OLD: Other rules: metadata not read from a callbr; no estimated weights.
; NEW: metadata, 7 of 15: its branch weight.
entry:
  callbr void asm sideeffect "", "!i"() to label %A [label %B], !prof !0
A:
  ret void
B:
  ret void
}

define void @pads(i1 %c) personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: 'pads'
; CHECK: edge {{%?}}dispatch -> {{%?}}pad
; BY-INVOKE-NEXT: even, 1 of 2: no rule applies to a catchswitch.
; BY-PAD-NEXT: estimated weights, 1 of 2: %pad hardly ever runs: it handles an exception (catchpad).
entry:
  invoke void @work() to label %done unwind label %dispatch
dispatch:
  %switch = catchswitch within none [label %pad, label %other] unwind to caller
pad:
  %p = catchpad within %switch [ptr null]
  catchret from %p to label %done
other:
  %o = catchpad within %switch [ptr null]
  catchret from %o to label %done
done:
  ret void
}

!0 = !{!"branch_weights", i32 7, i32 8}
