; After a module pass, LLVM keeps the analyses that the pass reports as preserved. All other analyses become invalid.
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so \
; RUN:   -passes='function(require<domtree>,require<branch-prob>),test-preserve<what=all>,function(require<domtree>)' \
; RUN:   -debug-pass-manager -disable-output %s 2>&1 | FileCheck %s --check-prefix=ALL
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so \
; RUN:   -passes='function(require<domtree>,require<branch-prob>),test-preserve<what=none>,function(require<domtree>,require<branch-prob>)' \
; RUN:   -debug-pass-manager -disable-output %s 2>&1 | FileCheck %s --check-prefix=NONE

; If a pass adds or removes functions, LLVM invalidates all results, including results that the pass reports as
; preserved.
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so \
; RUN:   -passes='function(require<domtree>),test-grow,function(require<domtree>)' \
; RUN:   -debug-pass-manager -disable-output %s 2>&1 | FileCheck %s --check-prefix=GROWN

; ALL: Running analysis: DominatorTreeAnalysis on f
; ALL-NOT: {{Running|Invalidating}} analysis: DominatorTreeAnalysis
; NONE: Running analysis: DominatorTreeAnalysis on f
; NONE: Running analysis: BranchProbabilityAnalysis on f
; NONE: Running analysis: DominatorTreeAnalysis on f
; NONE: Running analysis: BranchProbabilityAnalysis on f
; GROWN: Running analysis: DominatorTreeAnalysis on f
; GROWN: Running analysis: DominatorTreeAnalysis on f
; GROWN: Running analysis: DominatorTreeAnalysis on grown
define void @f(i1 %a) {
entry:
  br i1 %a, label %one, label %end
one:
  br label %end
end:
  ret void
}
