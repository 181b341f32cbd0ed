; Every pass name is valid alone, in `function(...)`, in `cgscc(function(...))`, between other passes, and after a
; default pipeline.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='print<rust-bpi>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='function(rust-bpi)' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='cgscc(function(print<rust-bpi>))' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='no-op-module,rust-bpi,verify' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='default<O2>,rust-bpi' -disable-output %s 2>&1 | FileCheck %s --check-prefix=O2
; RUN: %bpa -passes='require<rust-bpi>,invalidate<rust-bpi>,function(require<rust-bpi>,invalidate<rust-bpi>)' \
; RUN:   -disable-output %s 2>&1 | count 0

; CHECK: 'f'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 37.50%
; CHECK: 'g'
; O2: 'f'
; O2: 'g'

declare void @declared()

define i32 @f(i32 %x) {
entry:
  %c = icmp eq i32 %x, 0
  br i1 %c, label %then, label %else
then:
  call void @declared()
  ret i32 1
else:
  ret i32 2
}

define void @g() {
  ret void
}
