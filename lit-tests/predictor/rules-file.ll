; `predictor=FILE` selects the rules and numbers of a file. The stem of the file name is the name of the predictor.
; RUN: %bpa -passes='rust-bpi<annotate;predictor=%S/Inputs/short-loops.toml>' -S %s | FileCheck %s --check-prefix=WEIGHTS
; RUN: %bpa -passes='rust-bpi<explain;predictor=%S/Inputs/short-loops.toml>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='rust-bpi<predictor=%S/Inputs/short-loops.toml;diff>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=DIFF
; RUN: %bpa -passes='rust-bpi<predictor=%S/Inputs/short-loops.toml;score>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=SCORE
; RUN: %bpa -passes='rust-bpi<json;predictor=%S/Inputs/short-loops.toml>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=JSON
; RUN: %bpa -passes='rust-bfi<predictor=%S/Inputs/short-loops.toml>,print<rust-bias;predictor=%S/Inputs/short-loops.toml>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=FREQUENCY
; RUN: not %bpa -passes='rust-bpi<predictor=calibrated>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=DELETED --implicit-check-not=bpa:

; DELETED: bpa: predictor 'calibrated' no longer exists: use 'bpa', which is better, or a rules file

; FREQUENCY: head: float = 8.0,

; The file contains the rules that apply here, so only the number of iterations differs from LLVM.
; CHECK: edge {{%?}}head -> {{%?}}head
; CHECK-NEXT: estimated weights, {{.*}}: it starts the next iteration of the loop of %head.
; CHECK: edge {{%?}}out -> {{%?}}a
; CHECK-NEXT: metadata, 3 of 8

; DIFF: -{{.*}} edge %head -> %head probability is {{.*}} = 96.88%
; DIFF-NEXT: +{{.*}} edge %head -> %head probability is {{.*}} = 87.50%

; SCORE: Score of module '{{.*}}', predictor short-loops ----

; JSON: "predictor":"short-loops","module"

; WEIGHTS: br i1 %c, label %head, label %out, !prof

define void @f(i32 %x, i1 %y) !prof !1 {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %next = add i32 %i, 1
  %c = icmp slt i32 %next, %x
  br i1 %c, label %head, label %out
out:
  br i1 %y, label %a, label %b, !prof !0
a:
  ret void
b:
  ret void
}

!0 = !{!"branch_weights", i32 3, i32 5}
!1 = !{!"function_entry_count", i64 1}
