; `check` cannot be combined with options that print or write results, or that select another LLVM version.
; RUN: not %bpa -passes='rust-bpi<check;annotate>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=ANNOTATE
; RUN: not %bpa -passes='rust-bpi<check;like=19>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=LIKE
; RUN: not %bpa -passes='rust-bfi<dot;check>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=DOT
; RUN: not %bpa -passes='print<rust-bfi;check;output=x>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OUTPUT
; RUN: not %bpa -passes='rust-bfi<check;check>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=TWICE
; RUN: not %bpa -passes='print<rust-bias;check>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=BIAS
; RUN: not %bpa -passes='require<rust-bpi;check>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=REQUIRE

; ANNOTATE: bpa: rust-bpi: option 'check' cannot be used with option 'annotate'; with 'annotate', valid options are:
; LIKE: bpa: rust-bpi: option 'like=19' cannot be used with option 'check'; with 'check', no other option is valid
; DOT: bpa: rust-bfi: option 'dot' cannot be used with option 'check'; with 'check', no other option is valid
; OUTPUT: bpa: print<rust-bfi>: option 'output=x' cannot be used with option 'check'; with 'check', no other option is valid
; TWICE: bpa: rust-bfi: option 'check' is given twice; valid options are: annotate, overwrite, exact, explain, json, dot, remarks, limit=N, like=N, predictor=NAME|FILE, diff, check, append, output=FILE
; BIAS: bpa: print<rust-bias>: unknown option 'check'; valid options are:
; REQUIRE: bpa: require<rust-bpi>: unknown option 'check'; valid options are: predictor=NAME|FILE
define void @f() {
  ret void
}
