; From LLVM 24 on, plugins can have arguments, and `opt` and `llc` identify a plugin by name. At the start, `opt` and
; `llc` reject a second plugin with the same name, for example a link to the first plugin or a copy of it.
; REQUIRES: llvm-ge-24
; RUN: rm -rf %t.dir && mkdir %t.dir && ln -s %plugin %t.dir/link.so && cp %plugin %t.dir/copy.so
; RUN: not %bpa -load-pass-plugin=%plugin -passes=rust-bpi -o %t.dir/out %s 2>&1 | FileCheck %s
; RUN: not %bpa -load-pass-plugin=%t.dir/link.so -passes=rust-bpi -o %t.dir/out %s 2>&1 | FileCheck %s
; RUN: not %bpa -load-pass-plugin=%t.dir/copy.so -passes=rust-bpi -o %t.dir/out %s 2>&1 | FileCheck %s
; RUN: not llc -load-pass-plugin=%plugin -load-pass-plugin=%plugin -o %t.dir/out %s 2>&1 | FileCheck %s
; RUN: not ls %t.dir/out

; If two plugins with different names define the passes of bpa, LLVM accepts both plugins, and each pass runs once.
; RUN: %bpa -load-pass-plugin=%examples/libcounters.so -load-pass-plugin=%examples/libtest_plugin.so -passes=rust-bpi \
; RUN:   -disable-output %s 2>&1 | FileCheck %s --check-prefix=ONCE

; CHECK: LLVM ERROR: multiple pass plugins are named 'bpa'
; CHECK-NOT: bpa
; ONCE: for function 'f'
; ONCE-NOT: for function 'f'
define void @f() {
  ret void
}
