; If a predictor file is invalid, bpa prints a one-line error with the file, the line number and the problem. Then opt
; fails, and writes no module.
; RUN: rm -rf %t && mkdir %t
; RUN: %python -c 'print("")' > %t/0.toml
; RUN: not %bpa -passes='rust-bpi<predictor=%t/0.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD0
; BAD0: bpa: {{.*}}/0.toml:1: missing field `rules`
; RUN: %python -c 'print("rules")' > %t/1.toml
; RUN: not %bpa -passes='rust-bpi<explain;predictor=%t/1.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD1
; BAD1: bpa: {{.*}}/1.toml:1: {{.+}}
; RUN: %python -c 'print("rules = 1")' > %t/2.toml
; RUN: not %bpa -passes='rust-bpi<json;predictor=%t/2.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD2
; BAD2: bpa: {{.*}}/2.toml:1: invalid type: integer `1`, expected a sequence
; RUN: %python -c 'print("rules = [1]")' > %t/3.toml
; RUN: not %bpa -passes='rust-bpi<score;predictor=%t/3.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD3
; BAD3: bpa: {{.*}}/3.toml:1: {{.+}}
; RUN: %python -c 'print("rules = [")' > %t/4.toml
; RUN: not %bpa -passes='rust-bpi<annotate;predictor=%t/4.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD4
; BAD4: bpa: {{.*}}/4.toml:1: {{.+}}
; RUN: %python -c 'print("rules = []\nrules = []")' > %t/5.toml
; RUN: not %bpa -passes='rust-bpi<score;json;predictor=%t/5.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD5
; BAD5: bpa: {{.*}}/5.toml:2: {{.+}}
; RUN: %python -c 'print("rules = [\n\"loops\"]")' > %t/6.toml
; RUN: not %bpa -passes='rust-bpi<diff;predictor=%t/6.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD6
; BAD6: bpa: {{.*}}/6.toml:2: unknown variant `loops`, expected one of `metadata`, `estimated-weights`, `pointer`, `constant`, `floating-point`
; RUN: %python -c 'print("rules = [\"pointer\"]")' > %t/7.toml
; RUN: not %bpa -passes='rust-bpi<predictor=%t/7.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD7
; BAD7: bpa: {{.*}}/7.toml:1: the rule needs a table [pointer]
; RUN: %python -c 'print("rules = []\n\n[pointer]")' > %t/8.toml
; RUN: not %bpa -passes='rust-bpi<explain;predictor=%t/8.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD8
; BAD8: bpa: {{.*}}/8.toml:3: table [pointer], but pointer is not among the rules
; RUN: %python -c 'print("rules = [\"metadata\", \"metadata\"]")' > %t/9.toml
; RUN: not %bpa -passes='rust-bpi<json;predictor=%t/9.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD9
; BAD9: bpa: {{.*}}/9.toml:1: the rule is named twice
; RUN: %python -c 'print("rules = [\"pointer\"]\n[pointer]\nequal = 12")' > %t/10.toml
; RUN: not %bpa -passes='rust-bpi<score;predictor=%t/10.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD10
; BAD10: bpa: {{.*}}/10.toml:3: expected two whole numbers from 0 to 2147483647, not both 0
; RUN: %python -c 'print("rules = [\"pointer\"]\n[pointer]\nequal = [12]")' > %t/11.toml
; RUN: not %bpa -passes='rust-bpi<annotate;predictor=%t/11.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD11
; BAD11: bpa: {{.*}}/11.toml:3: expected two whole numbers
; RUN: %python -c 'print("rules = [\"pointer\"]\n[pointer]\nequal = [12, 20, 3]")' > %t/12.toml
; RUN: not %bpa -passes='rust-bpi<score;json;predictor=%t/12.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD12
; BAD12: bpa: {{.*}}/12.toml:3: expected two whole numbers
; RUN: %python -c 'print("rules = [\"pointer\"]\n[pointer]\nequal = [-1, 2]")' > %t/13.toml
; RUN: not %bpa -passes='rust-bpi<diff;predictor=%t/13.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD13
; BAD13: bpa: {{.*}}/13.toml:3: expected two whole numbers
; RUN: %python -c 'print("rules = [\"pointer\"]\n[pointer]\nequal = [0.5, 0.5]")' > %t/14.toml
; RUN: not %bpa -passes='rust-bpi<predictor=%t/14.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD14
; BAD14: bpa: {{.*}}/14.toml:3: expected two whole numbers
; RUN: %python -c 'print("rules = [\"pointer\"]\n[pointer]\nequal = [0, 0]")' > %t/15.toml
; RUN: not %bpa -passes='rust-bpi<explain;predictor=%t/15.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD15
; BAD15: bpa: {{.*}}/15.toml:3: expected two whole numbers
; RUN: %python -c 'print("rules = [\"pointer\"]\n[pointer]\nequal = [1, 4294967296]")' > %t/16.toml
; RUN: not %bpa -passes='rust-bpi<json;predictor=%t/16.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD16
; BAD16: bpa: {{.*}}/16.toml:3: expected two whole numbers
; RUN: %python -c 'print("rules = [\"pointer\"]\n[pointer]\nless = [1, 2]")' > %t/17.toml
; RUN: not %bpa -passes='rust-bpi<score;predictor=%t/17.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD17
; BAD17: bpa: {{.*}}/17.toml:3: unknown field `less`, expected `equal` or `unequal`
; RUN: %python -c 'print("rules = [\"constant\"]\n[constant]\nzero = [1, 2]")' > %t/18.toml
; RUN: not %bpa -passes='rust-bpi<annotate;predictor=%t/18.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD18
; BAD18: bpa: {{.*}}/18.toml:3: invalid type: sequence, expected a table
; RUN: %python -c 'print("rules = [\"constant\"]\n[constant]\nzero.never = [1, 2]")' > %t/19.toml
; RUN: not %bpa -passes='rust-bpi<score;json;predictor=%t/19.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD19
; BAD19: bpa: {{.*}}/19.toml:3: unknown field `never`, expected one of `equal`, `unequal`, `less`, `greater`, `other`
; RUN: %python -c 'print("rules = [\"estimated-weights\"]\n[estimated-weights]\ncold = 1")' > %t/20.toml
; RUN: not %bpa -passes='rust-bpi<diff;predictor=%t/20.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD20
; BAD20: bpa: {{.*}}/20.toml:2: missing field `unreachable`
; RUN: %python -c 'print("hot = 1\nrules = []")' > %t/21.toml
; RUN: not %bpa -passes='rust-bpi<predictor=%t/21.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=BAD21
; BAD21: bpa: {{.*}}/21.toml:1: unknown field `hot`, expected one of `rules`, `estimated-weights`, `pointer`, `constant`, `floating-point`
; RUN: %python -c 'import sys; sys.stdout.buffer.write(b"rules = []\n# \xff")' > %t/text.toml
; RUN: not %bpa -passes='rust-bpi<predictor=%t/text.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=TEXT
; TEXT: bpa: {{.*}}/text.toml:2: expected UTF-8
; RUN: not %bpa -passes='rust-bpi<predictor=/dev/zero>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=LONG
; LONG: bpa: /dev/zero:1: expected at most 1048576 bytes
; RUN: not %bpa -passes='rust-bpi<predictor=%t>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=FOLDER
; FOLDER: bpa: cannot read predictor '{{.*}}': Is a directory
; RUN: not %bpa -passes='rust-bpi<predictor=no/such.toml>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=MISSING
; MISSING: bpa: cannot read predictor 'no/such.toml': No such file or directory
; RUN: not %bpa -passes='rust-bpi<predictor=>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=EMPTY
; EMPTY: bpa: rust-bpi: option 'predictor=' needs llvm{{.*}}, or the name of a file; valid options are:
; RUN: not %bpa -passes='rust-bpi<check;predictor=llvm>' -o %t/out.bc %s 2>&1 | FileCheck %s --implicit-check-not=bpa: --check-prefix=CHECKING
; CHECKING: bpa: rust-bpi: option 'predictor=llvm' cannot be used with option 'check'
; RUN: not env BPA_PIPELINE='optimizer-last:rust-bpi<annotate;predictor=%t/1.toml>' %bpa -passes='default<O2>' -o %t/out.bc %s 2>&1 | FileCheck %s --check-prefix=VARIABLE
; VARIABLE: bpa: BPA_PIPELINE: {{.*}}/1.toml:1: {{.+}}
; RUN: not ls %t/out.bc
define void @f() {
  ret void
}
