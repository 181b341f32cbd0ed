; Only `rust-bfi` accepts `dot`. If another output format is given with `dot`, or if the output is a file instead of a
; directory, bpa reports an error.
; RUN: rm -rf %t && mkdir %t && touch %t/file
; RUN: not %bpa -passes='rust-bpi<dot>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=EDGES
; RUN: not %bpa -passes='rust-bfi<dot;json>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=JSON
; RUN: not %bpa -passes='rust-bfi<dot;diff;like=18>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=DIFF
; RUN: not %bpa -passes='rust-bfi<dot;output=->' -disable-output %s 2>&1 | FileCheck %s --check-prefix=STDOUT
; RUN: not %bpa -passes='rust-bfi<dot;output=%t/file>' -o %t/module %s 2>&1 | FileCheck %s --check-prefix=FILE
; RUN: mkdir -p %t/taken/.f.dot
; RUN: not %bpa -passes='rust-bfi<dot;output=%t/taken>' -o %t/module %s 2>&1 | FileCheck %s --check-prefix=TAKEN
; RUN: not ls %t/module

; EDGES: bpa: rust-bpi: unknown option 'dot'; valid options are:
; JSON: bpa: rust-bfi: option 'dot' cannot be used with option 'json'; with 'json', valid options are:
; DIFF: bpa: rust-bfi: option 'diff' cannot be used with option 'dot'; with 'dot', valid options are:
; STDOUT: bpa: rust-bfi: option 'output=-' needs the name of a directory; valid options are:
; FILE: bpa: cannot create the directory '{{.*}}/file': File exists
; TAKEN: bpa: cannot write '{{.*}}/taken/.f.dot': Is a directory
define void @f() {
  ret void
}
