; From LLVM 24 on `opt` and `llc` have plugins tell apart by their names, for arguments to them: two of one name are refused
; before anything happens, whoever they are of, by a link and as a copy as well.
; REQUIRES: llvm-ge-24
; RUN: rm -rf %t.dir && mkdir %t.dir && ln -s %plugin %t.dir/link.so && cp %plugin %t.dir/copy.so
; RUN: not %bpa -load-pass-plugin=%plugin -passes=rust-bpi -o %t.dir/out %s 2>&1 | FileCheck %s
; RUN: not %bpa -load-pass-plugin=%t.dir/link.so -passes=rust-bpi -o %t.dir/out %s 2>&1 | FileCheck %s
; RUN: not %bpa -load-pass-plugin=%t.dir/copy.so -passes=rust-bpi -o %t.dir/out %s 2>&1 | FileCheck %s
; RUN: not llc -load-pass-plugin=%plugin -load-pass-plugin=%plugin -o %t.dir/out %s 2>&1 | FileCheck %s
; RUN: not ls %t.dir/out

; Plugins of other names that bring the same passes are welcome, and answer once.
; RUN: %bpa -load-pass-plugin=%examples/libcounters.so -load-pass-plugin=%examples/libtest_plugin.so -passes=rust-bpi \
; RUN:   -disable-output %s 2>&1 | FileCheck %s --check-prefix=ONCE

; CHECK: LLVM ERROR: multiple pass plugins are named 'bpa'
; CHECK-NOT: bpa
; ONCE: for function 'f'
; ONCE-NOT: for function 'f'
define void @f() {
  ret void
}
