; If the pass changes a function, it invalidates the results that bpa and LLVM cached for the function.
; RUN: %bpa -passes='require<rust-bpi>,rust-lower-expect,print<rust-bpi>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='function(require<rust-bpi>,rust-lower-expect,print<rust-bpi>)' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='function(require<branch-prob>,rust-lower-expect,print<branch-prob>)' -disable-output %s 2>&1 | FileCheck %s

; 2^31 * 2000 / 2001 = 2146410442.78
; CHECK: edge {{%?}}entry -> {{%?}}yes probability is 0x7fef9fcb / 0x80000000 = 99.95% [HOT edge]

declare i1 @llvm.expect.i1(i1, i1)

define i32 @f(i1 %x) {
entry:
  %e = call i1 @llvm.expect.i1(i1 %x, i1 true)
  br i1 %e, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}
