; `like=18;json` writes the JSON of LLVM 18. `json` cannot be combined with `diff` or with a second format.
; RUN: %bpa -passes='rust-bfi<like=18;json;output=%t>' -disable-output %s 2>&1 | count 0
; RUN: FileCheck %s < %t
; RUN: not %bpa -passes='rust-bfi<like=18;diff;json>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=DIFF
; RUN: not %bpa -passes='print<rust-bias;json>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=BIAS

; CHECK: "llvm":18,{{.*}}"integer":"18014398509481984"
; DIFF: bpa: rust-bfi: option 'diff' cannot be used with option 'json'; with 'json', valid options are:
; BIAS: bpa: print<rust-bias>: unknown option 'json'; valid options are: like=N, predictor=NAME|FILE, diff, append, output=FILE
define void @f() {
  ret void
}
