; The pass manager caches the results of analyses that a plugin defines, until a pass changes the function.
; UNSUPPORTED: sanitizer
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so -disable-output %s \
; RUN:   -passes='function(test-cached,test-cached,test-change,test-cached),test-cached' 2>&1 | FileCheck %s
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so -disable-output %s \
; RUN:   -passes='function(test-cached,simplifycfg,test-cached)' 2>&1 | FileCheck %s --check-prefix=LLVM

; CHECK: computing LoopCount of f
; CHECK-NEXT: computing BlockCount of f
; CHECK-NEXT: f: 1 loops, 4 blocks
; CHECK-NEXT: f: 1 loops, 4 blocks
; CHECK-NEXT: computing LoopCount of f
; CHECK-NEXT: computing BlockCount of f
; CHECK-NEXT: f: 1 loops, 4 blocks
; CHECK-NEXT: f: 1 loops, 4 blocks
; CHECK-NOT: {{.}}

; LLVM: f: 1 loops, 4 blocks
; LLVM-NEXT: computing LoopCount of f
; LLVM-NEXT: computing BlockCount of f
; LLVM-NEXT: f: 1 loops, 3 blocks

; If a pass of bpa drops probabilities or frequencies, it also drops the results of these analyses.
; RUN: env TEST_ADD_PASSES=1 %opt -load-pass-plugin=%examples/libtest_plugin.so -disable-output %s \
; RUN:   -passes='function(test-cached,invalidate<rust-bfi>,test-cached)' 2>&1 | FileCheck %s --check-prefix=TWICE
; RUN: env TEST_ADD_PASSES=1 %opt -load-pass-plugin=%examples/libtest_plugin.so -disable-output %s \
; RUN:   -passes='function(test-cached,invalidate<rust-bpi>,test-cached)' 2>&1 | FileCheck %s --check-prefix=TWICE
; RUN: env TEST_ADD_PASSES=1 %opt -load-pass-plugin=%examples/libtest_plugin.so -disable-output %s \
; RUN:   -passes='function(test-cached,rust-bpi<annotate>,test-cached)' 2>&1 | FileCheck %s --check-prefix=TWICE
; RUN: env TEST_ADD_PASSES=1 %opt -load-pass-plugin=%examples/libtest_plugin.so -disable-output %s \
; RUN:   -passes='test-cached,rust-bpi<annotate>,test-cached' 2>&1 | FileCheck %s --check-prefix=TWICE

; TWICE: computing LoopCount of f
; TWICE-NEXT: computing BlockCount of f
; TWICE-NEXT: f: 1 loops, 4 blocks
; TWICE-NEXT: computing LoopCount of f
; TWICE-NEXT: computing BlockCount of f
; TWICE-NEXT: f: 1 loops, 4 blocks
; TWICE-NOT: {{.}}

; A new function at the address of a deleted function gets its own results, even if the pass reports that it preserves
; the analyses.
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so -disable-output %s \
; RUN:   -passes='function(test-cached),test-replace,function(test-cached)' 2>&1 | FileCheck %s --check-prefix=REPLACED
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so -disable-output %s \
; RUN:   -passes='function(test-cached),test-replace<what=graph>,function(test-cached)' 2>&1 | \
; RUN:   FileCheck %s --check-prefix=REPLACED

; REPLACED: f: 1 loops, 4 blocks
; REPLACED-NEXT: computing LoopCount of new
; REPLACED-NEXT: computing BlockCount of new
; REPLACED-NEXT: new{{[.0-9]*}}: 0 loops, 1 blocks
; REPLACED-NOT: {{.}}

define void @f(i1 %c) {
entry:
  br label %loop
loop:
  br label %latch
latch:
  br i1 %c, label %loop, label %end
end:
  ret void
}
