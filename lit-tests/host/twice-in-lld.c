// If a linker loads a plugin twice, the passes that the plugin adds at extension points run once for each module.
// REQUIRES: clang, lld
// RUN: clang -O2 -flto=thin -c %s -o %t.f.o
// RUN: clang -O2 -flto=thin -DG -c %s -o %t.g.o
// RUN: cp %plugin %t.so
// RUN: env BPA_PIPELINE=optimizer-last:rust-bpi ld.lld -shared %t.f.o %t.g.o --thinlto-jobs=2 -o %t.program \
// RUN:   --load-pass-plugin=%plugin --load-pass-plugin=%plugin --load-pass-plugin=%t.so > %t.out 2>&1
// RUN: grep -c "for function 'f'" %t.out | grep -x 1
// RUN: grep -c "for function 'g'" %t.out | grep -x 1
#ifdef G
int g(int x) { return x > 1000 ? g(x / 2) + x / 3 : x * 2; }
#else
int f(int x) { return x > 1000 ? f(x * 2) - x : x / 2; }
#endif
