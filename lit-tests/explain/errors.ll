; `explain` can be combined with `like`, but not with `annotate` or `diff`. `explain` can be given only once.
; RUN: not %bpa -passes='rust-bpi<explain;annotate>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=ANNOTATE
; RUN: not %bpa -passes='rust-bfi<explain;like=19;diff>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=DIFF
; RUN: not %bpa -passes='rust-bfi<explain;explain>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=TWICE
; RUN: not %bpa -passes='rust-bpi<explain=all>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=VALUE

; ANNOTATE: bpa: rust-bpi: option 'explain' cannot be used with option 'annotate'; with 'annotate', valid options are: overwrite,
; DIFF: bpa: rust-bfi: option 'diff' cannot be used with option 'explain'; with 'explain', valid options are:
; TWICE: bpa: rust-bfi: option 'explain' is given twice; valid options are:
; VALUE: bpa: rust-bpi: option 'explain=all' needs no value; valid options are:
define void @f() {
  ret void
}
