// In a ThinLTO link, one process optimises all modules on several threads, with the passes that BPA_PIPELINE lists.
// REQUIRES: clang, lld
// RUN: clang -O2 -flto=thin -c %s -o %t.half.o
// RUN: clang -O2 -flto=thin -c %s -o %t.main.o -DMAIN
// RUN: env BPA_PIPELINE='optimizer-last:rust-bpi<annotate>' ld.lld -shared %t.half.o %t.main.o \
// RUN:   --load-pass-plugin=%plugin --thinlto-jobs=2 --save-temps -o %t.program 2>&1 | count 0
// RUN: opt -S %t.half.o.4.opt.bc | FileCheck %s
// RUN: opt -S %t.main.o.4.opt.bc | FileCheck %s

// CHECK: br i1 %{{.*}}, !prof
#ifdef MAIN
int half(int);
int twice(int x) { return x > 1000 ? twice(x / 2) + half(x) : x * 2; }
#else
int half(int x) { return x > 1000 ? half(x * 2) - x : x / 2; }
#endif
