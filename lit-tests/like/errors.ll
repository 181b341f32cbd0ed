; An unknown version, `diff` without `like`, and contradictory options are errors.
; RUN: not %bpa -passes='rust-bpi<like=13>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=VERSION
; RUN: not %bpa -passes='rust-bfi<diff>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=ALONE
; RUN: not %bpa -passes='rust-bpi<annotate;like=19>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=APART

; VERSION: bpa: rust-bpi: option 'like=13' needs an LLVM version from 14 to {{[0-9]+}}; valid options are:
; ALONE: bpa: rust-bfi: option 'diff' needs option 'like' or 'predictor' or 'exact'; valid options are: annotate,
; APART: bpa: rust-bpi: option 'like=19' cannot be used with option 'annotate'; with 'annotate', valid options are:
define void @f() {
  ret void
}
