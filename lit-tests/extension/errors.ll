; What BPA_PIPELINE asks for and cannot get is an error in one line.
; RUN: not env BPA_PIPELINE='optimizer-lost:rust-bpi' %bpa -passes='default<O2>' -o %t.out %s 2>&1 | FileCheck %s --check-prefix=POINT
; RUN: not ls %t.out
; RUN: not env BPA_PIPELINE='rust-bpi' %bpa -passes='default<O2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=NOWHERE
; RUN: not env BPA_PIPELINE='optimizer-last:inline' %bpa -passes='default<O2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PASS
; RUN: not env BPA_PIPELINE='optimizer-last:rust-bpi<hot>' %bpa -passes='default<O2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OPTION

; POINT: bpa: BPA_PIPELINE: unknown extension point 'optimizer-lost'; extension points are: pipeline-start,
; NOWHERE: bpa: BPA_PIPELINE: 'rust-bpi' needs an extension point before it
; PASS: bpa: BPA_PIPELINE: unknown pass 'inline'
; OPTION: bpa: BPA_PIPELINE: rust-bpi: unknown option 'hot'
define void @f() {
  ret void
}
