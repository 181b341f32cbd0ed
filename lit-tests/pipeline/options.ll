; For an invalid option, bpa prints a one-line error that lists the option and the valid options. Then opt fails, and
; writes no module.
; RUN: not %bpa -passes='rust-bpi<hot>' -o %t.out %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not ls %t.out
; RUN: not %bpa -passes='function(rust-bpi<hot>)' -disable-output %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not %bpa -passes='print<rust-bpi;hot>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=WRAPPED
; RUN: not %bpa -passes='rust-bpix' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OTHER

; UNKNOWN: bpa: rust-bpi: unknown option 'hot'
; UNKNOWN-NOT: bpa:
; WRAPPED: bpa: print<rust-bpi>: unknown option 'hot'
; OTHER-NOT: bpa:
; OTHER: 'rust-bpix'

define void @f() {
  ret void
}
