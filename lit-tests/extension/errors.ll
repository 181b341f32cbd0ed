; An error in BPA_PIPELINE is reported in one line.
; RUN: not env BPA_PIPELINE='optimizer-lost:rust-bpi' %bpa -passes='default<O2>' -o %t.out %s 2>&1 | FileCheck %s --check-prefix=POINT
; RUN: not ls %t.out
; RUN: not env BPA_PIPELINE='rust-bpi' %bpa -passes='default<O2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=NOWHERE
; RUN: not env BPA_PIPELINE='rust-bpi<hot>' %bpa -passes='default<O2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=NOWHERE-OPTION
; RUN: not env BPA_PIPELINE=optimise %bpa -passes='default<O2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=VALUE -DTEXT=optimise
; RUN: not env BPA_PIPELINE=inline %bpa -passes='default<O2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=VALUE -DTEXT=inline
; RUN: not env BPA_PIPELINE='optimizer-last:inline' %bpa -passes='default<O2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PASS
; RUN: not env BPA_PIPELINE='optimizer-last:rust-bpi<hot>' %bpa -passes='default<O2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OPTION
; RUN: not env BPA_PIPELINE=, %bpa -passes='default<O2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=EMPTY -DTEXT=,
; RUN: not env BPA_PIPELINE='optimizer-last:rust-bpi,' %bpa -passes='default<O2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=EMPTY -DTEXT='optimizer-last:rust-bpi,'
; RUN: not env BPA_PIPELINE='optimizer-last:rust-bias' %bpa -passes='default<O2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=BIAS
; RUN: not env BPA_PIPELINE='optimizer-last:rust-bpi(dce)' %bpa -passes='default<O2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=INSIDE
; A colon in an option does not start an extension point.
; RUN: rm -f %t:x
; RUN: env BPA_PIPELINE='optimizer-last:rust-bpi,rust-bpi<output=%t:x>' %bpa -passes='default<O2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=COLON
; RUN: FileCheck %s --check-prefix=COLON < %t:x

; EMPTY: bpa: BPA_PIPELINE: '[[TEXT]]' contains an empty list element; each element must contain a pass
; BIAS: bpa: BPA_PIPELINE: rust-bias: this analysis can only be printed; did you mean print<rust-bias>?
; INSIDE: bpa: BPA_PIPELINE: unknown pass 'rust-bpi(dce)'
; COLON: Branch Probabilities
; POINT: bpa: BPA_PIPELINE: unknown extension point 'optimizer-lost'; extension points are: pipeline-start,
; NOWHERE: bpa: BPA_PIPELINE: 'rust-bpi' needs an extension point before it
; NOWHERE-OPTION: bpa: BPA_PIPELINE: 'rust-bpi<hot>' needs an extension point before it
; VALUE: bpa: BPA_PIPELINE: unknown pass '[[TEXT]]'; valid values are 'analyses', 'audit', and passes after an extension point, as in 'optimizer-last:rust-bpi<annotate>'; extension points are: pipeline-start,
; PASS: bpa: BPA_PIPELINE: unknown pass 'inline'
; OPTION: bpa: BPA_PIPELINE: rust-bpi: unknown option 'hot'
define void @f() {
  ret void
}
