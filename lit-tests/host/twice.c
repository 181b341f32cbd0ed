// Build systems can repeat flags. If the flags load a plugin twice, bpa registers its passes once.
// REQUIRES: clang
// RUN: cp %plugin %t.so
// RUN: env BPA_PIPELINE=optimizer-last:rust-bpi clang -O2 -fpass-plugin=%plugin -fpass-plugin=%plugin \
// RUN:   -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: env BPA_PIPELINE=optimizer-last:rust-bpi clang -O2 -fpass-plugin=%plugin -fpass-plugin=%t.so \
// RUN:   -c %s -o %t.o 2>&1 | FileCheck %s

// CHECK: for function 'f'
// CHECK-NOT: for function 'f'
int f(int x) { return x > 1000 ? x * 2 : x / 2; }
