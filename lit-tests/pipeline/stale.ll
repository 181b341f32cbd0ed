; If a pass changes a function, bpa drops the cached result. In this test, simplifycfg removes the branch.
; RUN: %bpa -passes='function(require<rust-bpi>,simplifycfg,print<rust-bpi>)' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='require<rust-bpi>,function(simplifycfg),print<rust-bpi>' -disable-output %s 2>&1 | FileCheck %s

; CHECK: ---- Branch Probabilities ----
; CHECK-NOT: edge
define i32 @f() {
entry:
  br i1 true, label %then, label %else
then:
  ret i32 1
else:
  ret i32 2
}
