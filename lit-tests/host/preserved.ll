; From LLVM 19 on, `annotate` preserves the analyses that depend only on the CFG, and invalidates the analyses that
; depend on branch weights.
; REQUIRES: llvm-ge-19
; RUN: %bpa -passes='function(require<domtree>,require<loops>,require<branch-prob>,require<block-freq>,rust-bpi<annotate>)' \
; RUN:   -debug-pass-manager -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='function(require<domtree>,require<branch-prob>,require<block-freq>),rust-bpi<annotate>' \
; RUN:   -debug-pass-manager -disable-output %s 2>&1 | FileCheck %s

; CHECK: Running pass: rust-bpi<annotate>
; CHECK-NOT: Invalidating analysis: {{DominatorTree|Loop}}Analysis
; CHECK-DAG: Invalidating analysis: BranchProbabilityAnalysis on f
; CHECK-DAG: Invalidating analysis: BlockFrequencyAnalysis on f
; CHECK-NOT: Invalidating analysis: {{DominatorTree|Loop}}Analysis
define void @f(i1 %c) {
entry:
  br label %loop
loop:
  br i1 %c, label %end, label %loop
end:
  ret void
}
