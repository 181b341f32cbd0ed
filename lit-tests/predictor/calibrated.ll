; `predictor=calibrated` selects the rules of LLVM with calibrated weights.
; RUN: %bpa -passes='rust-bpi<predictor=calibrated>,rust-bfi<predictor=calibrated>,print<rust-bias;predictor=calibrated>' -disable-output %s 2> %t.name
; RUN: %bpa -passes='rust-bpi<predictor=%predictors/calibrated.toml>,rust-bfi<predictor=%predictors/calibrated.toml>,print<rust-bias;predictor=%predictors/calibrated.toml>' -disable-output %s 2> %t.file
; RUN: diff %t.name %t.file
; RUN: %bpa -passes='rust-bpi<annotate;predictor=calibrated>' -S %s | FileCheck %s --check-prefix=WEIGHTS
; RUN: %bpa -passes='rust-bpi<explain;predictor=calibrated>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='rust-bpi<predictor=calibrated;diff>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=DIFF
; RUN: %bpa -passes='rust-bpi<predictor=calibrated;score>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=SCORE
; RUN: %bpa -passes='rust-bpi<json;predictor=calibrated>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=JSON

; The predictor applies the rules that LLVM applies. With the calibrated weights, loops have fewer iterations than in
; LLVM.
; CHECK: edge {{%?}}head -> {{%?}}head
; CHECK-NEXT: estimated weights, {{.*}}: it starts the next iteration of the loop of %head.
; CHECK: edge {{%?}}out -> {{%?}}a
; CHECK-NEXT: metadata, 3 of 8

; DIFF: -{{.*}} edge %head -> %head probability is {{.*}} = 96.88%
; DIFF-NEXT: +{{.*}} edge %head -> %head probability is {{.*}} = {{[78]}}

; SCORE: Score of module '{{.*}}', predictor calibrated ----

; JSON: "predictor":"calibrated","module"

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
