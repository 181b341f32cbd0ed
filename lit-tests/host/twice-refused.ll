; From LLVM 24 on, `opt` and `llc` identify plugins by name, because plugins can have arguments. They reject two
; plugins with the same name at the start, whether they are different plugins, links or copies.
; REQUIRES: llvm-ge-24
; RUN: rm -rf %t.dir && mkdir %t.dir && ln -s %plugin %t.dir/link.so && cp %plugin %t.dir/copy.so
; RUN: not %bpa -load-pass-plugin=%plugin -passes=rust-bpi -o %t.dir/out %s 2>&1 | FileCheck %s
; RUN: not %bpa -load-pass-plugin=%t.dir/link.so -passes=rust-bpi -o %t.dir/out %s 2>&1 | FileCheck %s
; RUN: not %bpa -load-pass-plugin=%t.dir/copy.so -passes=rust-bpi -o %t.dir/out %s 2>&1 | FileCheck %s
; RUN: not llc -load-pass-plugin=%plugin -load-pass-plugin=%plugin -o %t.dir/out %s 2>&1 | FileCheck %s
; RUN: not ls %t.dir/out

; Plugins with other names and the same passes are accepted, and each pass runs once.
; RUN: %bpa -load-pass-plugin=%examples/libcounters.so -load-pass-plugin=%examples/libtest_plugin.so -passes=rust-bpi \
; RUN:   -disable-output %s 2>&1 | FileCheck %s --check-prefix=ONCE

; CHECK: LLVM ERROR: multiple pass plugins are named 'bpa'
; CHECK-NOT: bpa
; ONCE: for function 'f'
; ONCE-NOT: for function 'f'
define void @f() {
  ret void
}
