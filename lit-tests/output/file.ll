; With `output=FILE`, each printer writes the output to the file instead of stderr. `print<NAME;...>` and `NAME<...>`
; have the same effect.
; RUN: rm -rf %t && mkdir %t
; RUN: %bpa -passes='rust-bpi,rust-bfi,print<rust-bias>' -disable-output %s 2> %t/stderr
; RUN: %bpa -passes='rust-bpi<output=%t/a b=c>,rust-bfi<output=%t/a b=c>,print<rust-bias;output=%t/a b=c>' -disable-output %s 2>&1 | count 0
; RUN: diff "%t/a b=c" %t/stderr
; RUN: %bpa -passes='print<rust-bpi;output=%t/bpi>' -disable-output %s 2>&1 | count 0
; RUN: FileCheck %s < %t/bpi
; RUN: %bpa -passes='rust-bpi<output=->' -disable-output %s | FileCheck %s
; RUN: echo before > %t/appended
; RUN: %bpa -passes='rust-bpi<output=->,rust-bfi<output=->' -disable-output %s >> %t/appended
; RUN: cat %t/appended | FileCheck %s --check-prefix=STDOUT
; RUN: %bpa -passes='rust-bpi<like=22;diff;output=%t/diff>' -disable-output %s 2>&1 | count 0
; RUN: ls %t/diff

; STDOUT: before
; STDOUT: Branch Probabilities
; STDOUT: block-frequency-info
; CHECK: edge {{%?}}entry -> {{%?}}a probability is 0x40000000 / 0x80000000 = 50.00%
define void @f(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  ret void
b:
  ret void
}
