// The plugin adds its pass at an extension point, so clang needs no further option.
// REQUIRES: clang
// RUN: clang -O2 -fpass-plugin=%examples/libcold_functions.so -S -emit-llvm %s -o - | FileCheck %s
// RUN: clang -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=WITHOUT
// If the plugin is loaded twice, its pass runs once.
// RUN: cp %examples/libcold_functions.so %t.copy.so
// RUN: env BPA_PIPELINE='pipeline-start:mark-cold-functions<explain>' clang -O2 -fpass-plugin=%examples/libcold_functions.so \
// RUN:   -fpass-plugin=%t.copy.so -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=ONCE --implicit-check-not={{.}}
// RUN: FileCheck %s < %t.ll

// CHECK: define internal {{.*}}void @complain{{.*}} #[[COMPLAIN:[0-9]+]]
// CHECK: attributes #[[COMPLAIN]] = { cold
// WITHOUT-NOT: { cold
// ONCE: complain: all 1 calls are cold
_Noreturn void stop(void);
void print_text(const char *text);

__attribute__((noinline)) static void complain(int x) {
  print_text(x < 0 ? "less than nothing" : "too much");
}

int half(int x) {
  if (x < 0 || x > 1000) {
    complain(x);
    stop();
  }
  return x / 2;
}
