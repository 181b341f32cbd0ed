; For every invalid option, bpa prints a one-line error that names the pass and the problem. Then opt fails, and writes
; no module. The tests have wrong brackets, wrong separators, misspelled options, invalid values, duplicate options,
; missing options, and numbers that are too large.
; RUN: rm -f %t.out
; RUN: not %bpa -passes='rust-bpi<annotate' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BRACKETS
; RUN: not %bpa -passes='rust-bpi<annotate>>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BRACKETS
; RUN: not %bpa -passes='rust-bpi<annotate>x' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BRACKETS
; RUN: not %bpa -passes='rust-bpi<annotate,overwrite>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BRACKETS
; RUN: not %bpa -passes='print<rust-bpi<explain>>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BRACKETS
; RUN: not %bpa -passes='print<rust-bpi>;explain' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BRACKETS
; BRACKETS: bpa: {{(print<)?}}rust-bpi{{>?}}: options must be in one pair of angle brackets, separated by semicolons

; RUN: not %bpa -passes='rust-bpi<annotate overwrite>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=UNKNOWN -DOPTION='annotate overwrite'
; RUN: not %bpa -passes='rust-bpi<annotate:overwrite>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=UNKNOWN -DOPTION='annotate:overwrite'
; RUN: not %bpa -passes='rust-bpi< annotate>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=UNKNOWN -DOPTION=' annotate'
; RUN: not %bpa -passes='rust-bpi<Annotate>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=UNKNOWN -DOPTION=Annotate
; RUN: not %bpa -passes='rust-bpi<annotate=1>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=MISMATCH -DOPTION='annotate=1' -DNEED='no value'
; RUN: not %bpa -passes='rust-bpi<like>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=MISMATCH -DOPTION=like -DNEED='a value: like=N'
; RUN: not %bpa -passes='function(rust-bpi<;>)' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=UNKNOWN -DOPTION=
; RUN: not %bpa -passes='rust-bpi<annotate;;overwrite>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=UNKNOWN -DOPTION=
; RUN: not %bpa -passes='rust-bpi<=>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=UNKNOWN -DOPTION='='
; MISMATCH: bpa: rust-bpi: option '[[OPTION]]' needs [[NEED]]; valid options are: annotate,
; UNKNOWN: bpa: rust-bpi: unknown option '[[OPTION]]'; valid options are: annotate,

; RUN: not %bpa -passes='rust-bpi<hints>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=DELETED -DOPTION='hints' -DUSE='use the command `bpa hints`'
; RUN: not %bpa -passes='print<rust-bpi;json;hints>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=DELETED -DOPTION='hints' -DUSE='use the command `bpa hints`'
; RUN: not %bpa -passes='rust-bpi<annotate;sharpen=85%>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=DELETED -DOPTION='sharpen=85%' -DUSE='use `annotate` without it'
; DELETED: bpa: {{(print<)?}}rust-bpi{{>?}}: option '[[OPTION]]' no longer exists: [[USE]]

; RUN: not %bpa -passes='rust-optimize' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=OPTIMIZE
; RUN: not env BPA_PIPELINE=optimize %bpa -passes='default<O1>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=OPTIMIZE
; OPTIMIZE: bpa: {{.*}}optimize{{'?}} no longer exists: use 'rust-bpi<annotate;predictor=bpa>' at 'optimizer-last', then

; RUN: not %bpa -passes='rust-bfi<skip-even>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=OTHER
; OTHER: bpa: rust-bfi: unknown option 'skip-even'; valid options are:

; RUN: not %bpa -passes='invalidate<rust-bpi;like=19>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=NONE -DPASS='invalidate<rust-bpi>' -DOPTION='like=19'
; RUN: not %bpa -passes='function(invalidate<rust-bfi;all>)' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=NONE -DPASS='invalidate<rust-bfi>' -DOPTION=all
; RUN: not %bpa -passes='rust-lower-expect<annotate>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=NONE -DPASS=rust-lower-expect -DOPTION=annotate
; NONE: bpa: [[PASS]]: unknown option '[[OPTION]]'; this pass has no options

; RUN: not %bpa -passes='rust-bpi<like=99999999999999999999999999>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=VALUE -DOPTION='like=99999999999999999999999999'
; RUN: not %bpa -passes='rust-bpi<like=4294967315>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=VALUE -DOPTION='like=4294967315'
; RUN: not %bpa -passes='rust-bpi<like=-19>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=VALUE -DOPTION='like=-19'
; RUN: not %bpa -passes='rust-bpi<like=+19>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=VALUE -DOPTION='like=+19'
; RUN: not %bpa -passes='rust-bpi<like=019>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=VALUE -DOPTION='like=019'
; RUN: not %bpa -passes='rust-bpi<like=16.0>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=VALUE -DOPTION='like=16.0'
; RUN: not %bpa -passes='rust-bpi<like= 19>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=VALUE -DOPTION='like= 19'
; RUN: not %bpa -passes='rust-bpi<like=>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=VALUE -DOPTION='like='
; VALUE: bpa: rust-bpi: option '[[OPTION]]' needs an LLVM version from 14 to {{[0-9]+}}; valid options are: annotate,

; RUN: not %bpa -passes='rust-bpi<annotate;overwrite;overwrite>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=TWICE -DOPTION=overwrite
; RUN: not %bpa -passes='rust-bpi<like=19;like=19>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=TWICE -DOPTION='like=19'
; TWICE: bpa: rust-bpi: option '[[OPTION]]' is given twice; valid options are: annotate,

; RUN: not %bpa -passes='rust-bpi<skip-even>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=ALONE
; ALONE: bpa: rust-bpi: option 'skip-even' needs option 'annotate'; valid options are: annotate,

; RUN: not %bpa -passes='rust-bpi(instcombine)' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=PARENTHESES
; RUN: not %bpa -passes='function(rust-bpi(no-op-function))' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=PARENTHESES
; RUN: not %bpa -passes='rust-bpi,function(no-op-function),rust-bpi(rust-bpi)' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=PARENTHESES
; RUN: not %bpa -passes='rust-bpi()' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=PARENTHESES
; PARENTHESES: bpa: rust-bpi: this pass takes no passes in parentheses

; RUN: not %bpa -passes='rust-bias' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BIAS
; RUN: not %bpa -passes='function(rust-bias<like=19>)' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BIAS
; BIAS: bpa: rust-bias: this analysis can only be printed; did you mean print<rust-bias>?

; The error prints invalid UTF-8 with replacement characters, and escapes control characters.
; RUN: %python -c 'import sys; sys.stdout.buffer.write(b"rust-bpi<\xff\nx>")' > %t.passes
; RUN: sh -c 'not %bpa -passes="$(cat %t.passes)" -o %t.out %s' 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=TEXT
; TEXT: bpa: rust-bpi: unknown option '{{.+}}\nx'; valid options are: annotate,

; bpa has no passes with these names, so LLVM reports the error.
; RUN: not %bpa -passes='rust-bpi>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=LLVM
; RUN: not %bpa -passes='RUST-BPI' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=LLVM
; RUN: not %bpa -passes='require<rust-bias>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=LLVM
; RUN: not %bpa -passes='print<rust-lower-expect>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=LLVM
; RUN: not %bpa -passes='loop(rust-bpi)' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=LLVM
; LLVM: unknown {{.*}}pass

; RUN: not ls %t.out
define void @f() {
  ret void
}
