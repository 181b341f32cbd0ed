// If BPA_PIPELINE is invalid, the linker prints one error line, even if several threads find the error, and writes no
// program.
// REQUIRES: clang, lld
// RUN: rm -f %t.program
// RUN: clang -O2 -flto=thin -c %s -o %t.half.o
// RUN: clang -O2 -flto=thin -c %s -o %t.main.o -DMAIN
// RUN: env BPA_PIPELINE='optimizer-lost:rust-bpi' not ld.lld -shared %t.half.o %t.main.o \
// RUN:   --load-pass-plugin=%plugin --thinlto-jobs=2 -o %t.program > %t.errors 2>&1
// RUN: FileCheck %s --input-file=%t.errors
// RUN: count 1 < %t.errors
// RUN: not ls %t.program

// CHECK: bpa: BPA_PIPELINE: unknown extension point 'optimizer-lost'; extension points are: pipeline-start,
#ifdef MAIN
int half(int);
int twice(int x) { return x > 1000 ? twice(x / 2) + half(x) : x * 2; }
#else
int half(int x) { return x > 1000 ? half(x * 2) - x : x / 2; }
#endif
