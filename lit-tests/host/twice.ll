; If a host loads a plugin twice, bpa registers its passes once. The second file can be the same file, a link
; to this file, or a copy of this file. The plugin and its copy have separate static variables. From LLVM 24 on, `opt` rejects
; the second plugin (twice-refused.ll). Compilers and linkers accept the second plugin (twice.c, twice-in-lld.c).
; UNSUPPORTED: llvm-ge-24
; RUN: rm -rf %t.dir && mkdir %t.dir && ln -s %plugin %t.dir/link.so && cp %plugin %t.dir/copy.so
; RUN: %bpa -load-pass-plugin=%plugin -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -load-pass-plugin=%t.dir/link.so -passes='function(rust-bpi)' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -load-pass-plugin=%t.dir/copy.so -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s

; A pass at an extension point runs once. It does not matter which plugin file is loaded first.
; RUN: env BPA_PIPELINE=optimizer-last:rust-bpi %bpa -load-pass-plugin=%plugin -passes='default<O1>' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s
; RUN: env BPA_PIPELINE=optimizer-last:rust-bpi %bpa -load-pass-plugin=%t.dir/link.so \
; RUN:   -load-pass-plugin=%t.dir/copy.so -passes='default<O1>' -disable-output %s 2>&1 | FileCheck %s
; RUN: env BPA_PIPELINE=optimizer-last:rust-bpi %opt -load-pass-plugin=%t.dir/copy.so -load-pass-plugin=%plugin \
; RUN:   -passes='default<O1>' -disable-output %s 2>&1 | FileCheck %s

; The passes of other plugins that use this library also run once.
; RUN: %opt -load-pass-plugin=%examples/libcounters.so -load-pass-plugin=%examples/libcounters.so -passes=counters \
; RUN:   -disable-output %s 2>&1 | FileCheck %s --check-prefix=COUNTERS
; RUN: cp %examples/libcounters.so %t.dir/counters.so
; RUN: %bpa -load-pass-plugin=%examples/libcounters.so -load-pass-plugin=%t.dir/counters.so \
; RUN:   -load-pass-plugin=%t.dir/copy.so -passes=counters -disable-output %s 2>&1 | FileCheck %s --check-prefix=COUNTERS

; CHECK: for function 'f'
; CHECK-NOT: for function 'f'
; COUNTERS: f: counters on 1 of 1 edges
; COUNTERS-NOT: f: counters
define void @f() {
  ret void
}
