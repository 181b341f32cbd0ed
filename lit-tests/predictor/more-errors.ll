; Like errors.ll, this test uses invalid predictor files. Each predictor file has one error, and bpa reports the error
; in one line.
; RUN: rm -rf %t && mkdir %t
; RUN: %python -c 'print("rules = [\"Pointer\"]")' > %t/0.toml
; RUN: not %bpa -passes='rust-bpi<predictor=%t/0.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM0
; FORM0: bpa: {{.*}}/0.toml:1: unknown variant `Pointer`, expected one of `metadata`, `estimated-weights`, `pointer`, `constant`, `floating-point`
; RUN: %python -c 'print("rules = [\"\"]")' > %t/1.toml
; RUN: not %bpa -passes='rust-bfi<predictor=%t/1.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM1
; FORM1: bpa: {{.*}}/1.toml:1: unknown variant ``, expected one of `metadata`, `estimated-weights`, `pointer`, `constant`, `floating-point`
; RUN: %python -c 'print("rules = []\n[metadata]")' > %t/2.toml
; RUN: not %bpa -passes='print<rust-bias;predictor=%t/2.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM2
; FORM2: bpa: {{.*}}/2.toml:2: unknown field `metadata`, expected one of `rules`, `estimated-weights`, `pointer`, `constant`, `floating-point`
; RUN: %python -c 'print("rules = [\"pointer\"]\npointer = 3")' > %t/3.toml
; RUN: not %bpa -passes='rust-bpi<score;predictor=%t/3.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM3
; FORM3: bpa: {{.*}}/3.toml:2: invalid type: integer `3`, expected a table
; RUN: %python -c 'print("rules = [\"pointer\"]\n[[pointer]]")' > %t/4.toml
; RUN: not %bpa -passes='rust-bpi<predictor=%t/4.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM4
; FORM4: bpa: {{.*}}/4.toml:2: invalid type: sequence, expected a table
; RUN: %python -c 'print("rules = [\"estimated-weights\"]\n[estimated-weights]\nunreachable = 0\nnoreturn = 1\nunwind = 1\ncold = 9\ndefault = 99\nunlikely = [2, 1]")' > %t/5.toml
; RUN: not %bpa -passes='rust-bfi<predictor=%t/5.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM5
; FORM5: bpa: {{.*}}/5.toml:2: missing field `loop`
; RUN: %python -c 'print("rules = [\"estimated-weights\"]\n[estimated-weights]\nunreachable = 0\nnoreturn = 1\nunwind = 1\nwarm = 9\ndefault = 99\nloop = [4, 1]\nunlikely = [2, 1]")' > %t/6.toml
; RUN: not %bpa -passes='print<rust-bias;predictor=%t/6.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM6
; FORM6: bpa: {{.*}}/6.toml:6: unknown field `warm`, expected one of `unreachable`
; RUN: %python -c 'print("rules = [\"estimated-weights\"]\n[estimated-weights]\nunreachable = 0\nnoreturn = 1\nunwind = 1\ncold = -1\ndefault = 99\nloop = [4, 1]\nunlikely = [2, 1]")' > %t/7.toml
; RUN: not %bpa -passes='rust-bpi<score;predictor=%t/7.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM7
; FORM7: bpa: {{.*}}/7.toml:6: expected a whole number from 0 to 2147483647
; RUN: %python -c 'print("rules = [\"estimated-weights\"]\n[estimated-weights]\nunreachable = 0\nnoreturn = 1\nunwind = 1\ncold = 2147483648\ndefault = 99\nloop = [4, 1]\nunlikely = [2, 1]")' > %t/8.toml
; RUN: not %bpa -passes='rust-bpi<predictor=%t/8.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM8
; FORM8: bpa: {{.*}}/8.toml:6: expected a whole number from 0 to 2147483647
; RUN: %python -c 'print("rules = [\"estimated-weights\"]\n[estimated-weights]\nunreachable = 0\nnoreturn = 1\nunwind = 1\ncold = 1e3\ndefault = 99\nloop = [4, 1]\nunlikely = [2, 1]")' > %t/9.toml
; RUN: not %bpa -passes='rust-bfi<predictor=%t/9.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM9
; FORM9: bpa: {{.*}}/9.toml:6: expected a whole number from 0 to 2147483647
; RUN: %python -c 'print("rules = [\"estimated-weights\"]\n[estimated-weights]\nunreachable = 0\nnoreturn = 1\nunwind = 1\ncold = \"9\"\ndefault = 99\nloop = [4, 1]\nunlikely = [2, 1]")' > %t/10.toml
; RUN: not %bpa -passes='print<rust-bias;predictor=%t/10.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM10
; FORM10: bpa: {{.*}}/10.toml:6: expected a whole number from 0 to 2147483647
; RUN: %python -c 'print("rules = [\"estimated-weights\"]\n[estimated-weights]\nunreachable = 0\nnoreturn = 1\nunwind = 1\ncold = 9\ndefault = 0\nloop = [4, 1]\nunlikely = [2, 1]")' > %t/11.toml
; RUN: not %bpa -passes='rust-bpi<score;predictor=%t/11.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM11
; FORM11: bpa: {{.*}}/11.toml:7: expected a whole number from 1 to 2147483647
; RUN: %python -c 'print("rules = [\"estimated-weights\"]\n[estimated-weights]\nunreachable = 0\nnoreturn = 1\nunwind = 1\ncold = 9\ndefault = 99\nloop = [1, 4]\nunlikely = [2, 1]")' > %t/12.toml
; RUN: not %bpa -passes='rust-bpi<predictor=%t/12.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM12
; FORM12: bpa: {{.*}}/12.toml:8: expected two whole numbers from 1 to 2147483647; the second number must not be greater than the first
; RUN: %python -c 'print("rules = [\"estimated-weights\"]\n[estimated-weights]\nunreachable = 0\nnoreturn = 1\nunwind = 1\ncold = 9\ndefault = 99\nloop = [4, 0]\nunlikely = [2, 1]")' > %t/13.toml
; RUN: not %bpa -passes='rust-bfi<predictor=%t/13.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM13
; FORM13: bpa: {{.*}}/13.toml:8: expected two whole numbers from 1 to 2147483647; the second number must not be greater than the first
; RUN: %python -c 'print("rules = [\"estimated-weights\"]\n[estimated-weights]\nunreachable = 0\nnoreturn = 1\nunwind = 1\ncold = 9\ndefault = 99\nloop = 4\nunlikely = [2, 1]")' > %t/14.toml
; RUN: not %bpa -passes='print<rust-bias;predictor=%t/14.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM14
; FORM14: bpa: {{.*}}/14.toml:8: expected two whole numbers from 1 to 2147483647; the second number must not be greater than the first
; RUN: %python -c 'print("rules = [\"estimated-weights\"]\n[estimated-weights]\nunreachable = 0\nnoreturn = 1\nunwind = 1\ncold = 9\ndefault = 99\nloop = [4, 1]\nunlikely = []")' > %t/15.toml
; RUN: not %bpa -passes='rust-bpi<score;predictor=%t/15.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM15
; FORM15: bpa: {{.*}}/15.toml:9: expected two whole numbers from 1 to 2147483647; the second number must not be greater than the first
; RUN: %python -c 'print("rules = [\"pointer\"]\n[pointer]\nequal = true")' > %t/16.toml
; RUN: not %bpa -passes='rust-bpi<predictor=%t/16.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM16
; FORM16: bpa: {{.*}}/16.toml:3: expected two whole numbers
; RUN: %python -c 'print("rules = [\"constant\"]\n[constant]\ntwo.equal = [1, 2]")' > %t/17.toml
; RUN: not %bpa -passes='rust-bfi<predictor=%t/17.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM17
; FORM17: bpa: {{.*}}/17.toml:3: unknown field `two`, expected one of `zero`, `one`, `minus-one`, `other`, `string`, `bit`
; RUN: %python -c 'print("rules = [\"floating-point\"]\n[floating-point]\noeq = [1, 2]")' > %t/18.toml
; RUN: not %bpa -passes='print<rust-bias;predictor=%t/18.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM18
; FORM18: bpa: {{.*}}/18.toml:3: unknown field `oeq`, expected one of `equality-ordered`
; RUN: %python -c 'print("rules = []\n[pointer")' > %t/19.toml
; RUN: not %bpa -passes='rust-bpi<score;predictor=%t/19.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM19
; FORM19: bpa: {{.*}}/19.toml:2: {{.+}}
; RUN: %python -c 'print("rules = [] pointer = 1")' > %t/20.toml
; RUN: not %bpa -passes='rust-bpi<predictor=%t/20.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM20
; FORM20: bpa: {{.*}}/20.toml:1: {{.+}}
; RUN: %python -c 'print("rules = []\n\nx = \"a")' > %t/21.toml
; RUN: not %bpa -passes='rust-bfi<predictor=%t/21.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FORM21
; FORM21: bpa: {{.*}}/21.toml:3: {{.+}}
; RUN: not ls %t/out.bc
define void @f() {
  ret void
}
