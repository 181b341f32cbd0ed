// If a pass panics during a link, the link fails with one error line and writes no program. Another thread of the
// linker may optimise a module at the time of the panic.
// REQUIRES: clang, lld
// RUN: rm -f %t.program
// RUN: clang -O2 -flto=thin -c %s -o %t.half.o
// RUN: clang -O2 -flto=thin -c %s -o %t.main.o -DMAIN
// RUN: env BPA_PIPELINE='optimizer-last:rust-bpi<annotate>' BPA_FAULT=annotate \
// RUN:   not ld.lld -shared %t.half.o %t.main.o --load-pass-plugin=%debug_plugin --thinlto-jobs=2 -o %t.program \
// RUN:   2>&1 | FileCheck %s
// RUN: not ls %t.program

// CHECK: bpa: internal error in rust-bpi<annotate> on function '{{half|twice}}': BPA_FAULT requests this panic
// CHECK-NOT: {{Stack dump|PLEASE|Abort}}
#ifdef MAIN
int twice(int x) { return x > 1000 ? twice(x / 2) + x / 3 : x * 2; }
#else
int half(int x) { return x > 1000 ? half(x * 2) - x : x / 2; }
#endif
