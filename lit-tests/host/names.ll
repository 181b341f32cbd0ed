; From LLVM 19 on, the pass names in LLVM's pipelines, logs and timings equal the names in `-passes`.
; REQUIRES: llvm-ge-19
; RUN: %bpa -passes='rust-bpi<annotate;skip-even>,function(require<rust-bfi>,print<rust-bpi>)' \
; RUN:   -print-pipeline-passes -disable-output %s | FileCheck %s --check-prefix=PIPELINE
; RUN: %bpa -passes='rust-bpi<annotate>,function(print<rust-bpi>)' -debug-pass-manager -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=LOG
; RUN: %bpa -passes='rust-bpi<annotate>,function(print<rust-bpi>)' -time-passes -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=TIME

; PIPELINE: rust-bpi<annotate;skip-even>,function(require<rust-bfi>,print<rust-bpi>)
; LOG: Running pass: rust-bpi<annotate> on [module]
; LOG: Running pass: print<rust-bpi> on f
; TIME-DAG: {{ }}rust-bpi<annotate>{{$}}
; TIME-DAG: {{ }}print<rust-bpi>{{$}}
; TIME-DAG: {{ }}RustProfileAnalysis{{$}}
define void @f() {
  ret void
}
