; If bpa cannot open or write a file, it prints an error in one line. Then opt fails, and writes no module.
; RUN: rm -rf %t && mkdir %t
; RUN: not %bpa -passes='rust-bpi<output=%t/none/x>' -o %t/module %s 2>&1 | FileCheck %s --check-prefix=OPEN
; RUN: not ls %t/module
; RUN: not %bpa -passes='function(rust-bfi<output=%t>)' -o %t/module %s 2>&1 | FileCheck %s --check-prefix=DIRECTORY
; RUN: not ls %t/module
; RUN: not %bpa -passes='rust-bpi<output=/dev/full>' -o %t/module %s 2>&1 | FileCheck %s --check-prefix=FULL
; RUN: not ls %t/module
; RUN: not env BPA_PIPELINE='optimizer-last:rust-bpi<output=%t/none/x>' %bpa -passes='default<O2>' -o %t/module %s 2>&1 | FileCheck %s --check-prefix=OPEN
; RUN: not ls %t/module
; RUN: not %bpa -passes='rust-bpi<annotate;output=%t/x>' -o %t/module %s 2>&1 | FileCheck %s --check-prefix=ANNOTATE
; RUN: not ls %t/module
; RUN: not %bpa -passes='rust-bpi<output=>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=EMPTY
; RUN: not %bpa -passes='rust-bpi<output=a;output=b>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=TWICE

; OPEN: bpa: {{(BPA_PIPELINE: )?}}cannot open '{{.*}}/none/x': No such file or directory
; OPEN-NOT: bpa:
; DIRECTORY: bpa: cannot open '{{.*}}': Is a directory
; FULL: bpa: cannot write '/dev/full': No space left on device
; FULL-NOT: bpa:
; ANNOTATE: bpa: rust-bpi: option 'output={{.*}}/x' cannot be used with option 'annotate'; with 'annotate', valid options are: overwrite, skip-even, complete, predictor=NAME|FILE{{$}}
; EMPTY: bpa: rust-bpi: option 'output=' needs the name of a file
; TWICE: bpa: rust-bpi: option 'output=b' is given twice
define void @f() {
  ret void
}
