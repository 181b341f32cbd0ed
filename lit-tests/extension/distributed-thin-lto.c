// In distributed ThinLTO, the compilation of a module writes branch weights, and the backend keeps them. Each backend
// is a process for one module.
// REQUIRES: clang, lld
// RUN: env BPA_PIPELINE='optimizer-last:rust-bpi<annotate>' \
// RUN:   clang -O2 -flto=thin -fpass-plugin=%plugin -c %s -o %t.half.o 2>&1 | count 0
// RUN: ld.lld -shared %t.half.o --thinlto-index-only -o %t.program
// RUN: clang -O2 -x ir %t.half.o -fthinlto-index=%t.half.o.thinlto.bc -emit-llvm -S -o - | FileCheck %s

// CHECK: br i1 %{{.*}}, !prof
int half(int x) { return x > 1000 ? half(x * 2) - x : x / 2; }
