// In full link-time optimisation, the whole program is one module. LLVM has separate extension points for full
// link-time optimisation.
// REQUIRES: clang, lld
// RUN: clang -O2 -flto -c %s -o %t.o
// RUN: env BPA_PIPELINE='full-lto-last:rust-bpi<annotate>' ld.lld -shared %t.o --load-pass-plugin=%plugin \
// RUN:   --save-temps -o %t.program 2>&1 | count 0
// RUN: opt -S %t.program.0.4.opt.bc | FileCheck %s

// CHECK: br i1 %{{.*}}, !prof
int half(int x) { return x > 1000 ? half(x * 2) - x : x / 2; }
