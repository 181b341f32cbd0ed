; `like=N` uses the block name format of LLVM N, and LLVM N's definition of exceptional blocks. Up to LLVM 18, an
; exceptional block is an unwind destination of an `invoke`. From LLVM 19 on, an exceptional block is any block that
; begins with an exception-handling pad, for example `landingpad`.
; RUN: %bpa -passes='rust-bpi<like=16>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OLD
; RUN: %bpa -passes='rust-bpi<like=19>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=NEW

; OLD: Printing analysis results of BPI for function 'f':
; OLD: edge entry -> yes probability is 0x30000000 / 0x80000000 = 37.50%
; NEW: Printing analysis 'Branch Probability Analysis' for function 'f':
; NEW: edge %entry -> %yes probability is 0x30000000 / 0x80000000 = 37.50%
define i32 @f(i32 %x) {
entry:
  %c = icmp eq i32 %x, 0
  br i1 %c, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}
