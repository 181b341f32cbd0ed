// If a pass panics in clang, the compilation fails with one error line, and writes no object file.
// REQUIRES: clang
// RUN: rm -rf %t.o %t.tmp && mkdir %t.tmp
// RUN: env TMPDIR=%t.tmp BPA_PIPELINE='pipeline-start:rust-bpi<annotate>' BPA_FAULT=annotate \
// RUN:   not clang -O2 -fpass-plugin=%debug_plugin -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not ls %t.o
// RUN: ls %t.tmp | count 0
// RUN: env BPA_PIPELINE='pipeline-start:rust-bpi<annotate>' \
// RUN:   clang -O2 -fpass-plugin=%debug_plugin -c %s -o %t.o 2>&1 | count 0
// RUN: ls %t.o

// CHECK: bpa: internal error in rust-bpi<annotate> on function 'half': BPA_FAULT requests this panic
// CHECK-NOT: {{Stack dump|PLEASE|Abort}}
int half(int x) { return x > 0 ? x / 2 : x; }
