; A result is computed once for as long as the function stays as it is, and again after `invalidate`.
; RUN: env RUST_LOG=bpa=debug %bpa -passes='require<rust-bpi>,print<rust-bpi>,function(require<rust-bpi>)' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s --check-prefix=ONCE
; RUN: env RUST_LOG=bpa=debug %bpa -passes='require<rust-bpi>,invalidate<rust-bpi>,require<rust-bpi>' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s --check-prefix=TWICE
; RUN: %bpa -passes='require<rust-bpi>' -disable-output %s 2>&1 | count 0

; ONCE: computing the profile of 'f'
; ONCE-NOT: computing
; TWICE-COUNT-2: computing the profile of 'f'
define void @f() {
  ret void
}
