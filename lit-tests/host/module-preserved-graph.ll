; From LLVM 19 on, a module pass can report that it preserves only the analyses that depend on the CFGs.
; REQUIRES: llvm-ge-19
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so \
; RUN:   -passes='function(require<domtree>,require<branch-prob>),test-preserve<what=graph>,function(require<domtree>,require<branch-prob>)' \
; RUN:   -debug-pass-manager -disable-output %s 2>&1 | FileCheck %s

; CHECK: Running analysis: DominatorTreeAnalysis on f
; CHECK: Running pass: test-preserve<what=graph> on [module]
; CHECK-NEXT: Invalidating analysis: BranchProbabilityAnalysis on f
; CHECK-NOT: {{Running|Invalidating}} analysis: DominatorTreeAnalysis
; CHECK: Running analysis: BranchProbabilityAnalysis on f
define void @f(i1 %a) {
entry:
  br i1 %a, label %one, label %end
one:
  br label %end
end:
  ret void
}
