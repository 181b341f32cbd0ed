; The pass has no options. If an option is given, bpa prints a one-line error that contains the option. Then opt fails
; and writes no module.
; RUN: not %bpa -passes='rust-lower-expect<hot>' -o %t.out %s 2>&1 | FileCheck %s
; RUN: not ls %t.out
; RUN: not %bpa -passes='function(rust-lower-expect<hot>)' -disable-output %s 2>&1 | FileCheck %s
; RUN: not %bpa -passes='print<rust-lower-expect>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OTHER

; CHECK: bpa: rust-lower-expect: unknown option 'hot'; this pass has no options
; CHECK-NOT: bpa:
; OTHER-NOT: bpa:
; OTHER: 'print<rust-lower-expect>'

define void @f() {
  ret void
}
