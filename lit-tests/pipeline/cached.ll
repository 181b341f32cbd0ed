; While a function does not change, bpa computes a result only once. After `invalidate`, bpa computes the result again.
; Block frequencies use the cached branch probabilities. `invalidate` can drop the frequencies and keep the
; probabilities.
; RUN: env RUST_LOG=bpa=debug %bpa -passes='require<rust-bpi>,rust-bfi,print<rust-bias>,function(require<rust-bpi>,rust-bfi)' \
; RUN:   -disable-output %s 2>&1 | grep computing | FileCheck %s --check-prefix=ONCE --match-full-lines
; RUN: env RUST_LOG=bpa=debug %bpa -passes='rust-bfi,invalidate<rust-bfi>,rust-bfi,invalidate<rust-bpi>,rust-bpi' \
; RUN:   -disable-output %s 2>&1 | grep computing | FileCheck %s --check-prefix=AGAIN --match-full-lines
; RUN: %bpa -passes='require<rust-bpi>,require<rust-bfi>' -disable-output %s 2>&1 | count 0

; ONCE: {{.*}}computing branch probabilities of 'f'
; ONCE-NEXT: {{.*}}computing block frequencies of 'f'
; ONCE-NOT: {{.*}}computing{{.*}}

; AGAIN: {{.*}}computing branch probabilities of 'f'
; AGAIN-NEXT: {{.*}}computing block frequencies of 'f'
; AGAIN-NEXT: {{.*}}computing block frequencies of 'f'
; AGAIN-NEXT: {{.*}}computing branch probabilities of 'f'
; AGAIN-NOT: {{.*}}computing{{.*}}
define void @f() {
  ret void
}
