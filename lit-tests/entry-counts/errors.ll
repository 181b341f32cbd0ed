; If an option is invalid, or if the pass is in a pipeline of function passes, bpa prints an error in one line, and opt
; fails.
; RUN: not %bpa -passes='rust-entry-counts<all>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not %bpa -passes='print<rust-entry-counts;annotate>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PRINT
; RUN: not %bpa -passes='rust-entry-counts<annotate;write=most>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=DEGREE
; RUN: not %bpa -passes='function(rust-entry-counts)' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLACE
; RUN: not %bpa -passes='rust-entry-counts<output=/none/x>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OPEN
; RUN: not %bpa -passes='rust-entry-counts<predictor=/none>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PREDICTOR

; UNKNOWN: bpa: rust-entry-counts: unknown option 'all'; valid options are: annotate, overwrite, write=KIND, explain=NAME, json, graph, score, features, dot, limit=N, like=N, predictor=NAME|FILE, append, output=FILE
; PRINT: bpa: print<rust-entry-counts>: unknown option 'annotate'; valid options are: explain=NAME, json, graph, score, features, dot, limit=N, like=N
; DEGREE: bpa: rust-entry-counts: option 'write=most' needs attributes, cold or counts; valid options are:
; PLACE: bpa: rust-entry-counts: this pass works on modules, so it cannot be in a pipeline of function passes
; OPEN: bpa: cannot open '/none/x': No such file or directory
; PREDICTOR: bpa: cannot read predictor '/none': No such file or directory
define void @f() {
  ret void
}
