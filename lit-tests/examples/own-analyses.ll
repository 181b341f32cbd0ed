; The pass manager caches the results of analyses that a plugin defines, until a pass changes the function.
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so -disable-output %s \
; RUN:   -passes='function(test-cached,test-cached,test-change,test-cached),test-cached' 2>&1 | FileCheck %s
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so -disable-output %s \
; RUN:   -passes='function(test-cached,simplifycfg,test-cached)' 2>&1 | FileCheck %s --check-prefix=LLVM

; CHECK: counting loops of f
; CHECK-NEXT: counting blocks of f
; CHECK-NEXT: f: 1 loops, 3 blocks
; CHECK-NEXT: f: 1 loops, 3 blocks
; CHECK-NEXT: counting loops of f
; CHECK-NEXT: counting blocks of f
; CHECK-NEXT: f: 1 loops, 3 blocks
; CHECK-NEXT: f: 1 loops, 3 blocks
; CHECK-NOT: {{.}}

; LLVM: f: 1 loops, 3 blocks
; LLVM-NEXT: counting loops of f
; LLVM-NEXT: counting blocks of f
; LLVM-NEXT: f: 1 loops, 2 blocks

define void @f() {
entry:
  br label %loop
loop:
  br label %latch
latch:
  br label %loop
}
