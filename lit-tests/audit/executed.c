// The invariant of `rust-audit`, in an executed program: passes inline, unroll and vectorise the code, and all copies of a
// probe together run as often as before. Probes become calls of `count`. If a pass deletes some copies of a probe, their
// executions are missing; no probe runs more often than before.
// REQUIRES: clang, x86, llvm-ge-16
// RUN: rm -rf %t && mkdir %t
// RUN: clang -O2 -Xclang -disable-llvm-passes -DPROGRAM -emit-llvm -c %s -o %t/program.bc
// RUN: %bpa -passes='function(sroa),rust-entry-counts<annotate;write=counts>,rust-audit<begin>' %t/program.bc -S -o %t/before.ll
// RUN: %opt -passes='default<O2>' %t/before.ll -S -o %t/after.ll
// RUN: %python -c "import re, sys; [open(name + '.c.ll', 'w').write(re.sub('^declare void @count.*', 'declare void @count(i64, i64, i32, i64)', open(name).read().replace('@llvm.pseudoprobe(', '@count('), flags=re.M)) for name in sys.argv[1:]]" %t/before.ll %t/after.ll
// RUN: clang -O0 -Wno-override-module %t/before.ll.c.ll %s -o %t/before && %t/before > %t/before.txt
// RUN: clang -O0 -Wno-override-module %t/after.ll.c.ll %s -o %t/after && %t/after > %t/after.txt
// RUN: %python -c "import sys; before, after = ({line.split()[0]: int(line.split()[1]) for line in open(name)} for name in sys.argv[1:]); assert all(after[key] <= before[key] for key in after); print(len(before) > 15, sum(before.values()) > 100000, sum(before[key] - after[key] for key in after) * 1000 < sum(before.values()))" %t/before.txt %t/after.txt | FileCheck %s
// CHECK: True True True

#ifdef PROGRAM
static int sum(const int *values, int count, int limit) {
  int all = 0;
  for (int i = 0; i < count; i++) {
    if (values[i] > limit)
      all += values[i] * 3;
    else if (values[i] == 7)
      all -= 2;
    for (int j = 0; j < 3; j++)
      if (values[i] >> j & 1)
        all ^= i;
  }
  return all;
}

int result;

void program(void) {
  int values[100];
  for (int i = 0; i < 100; i++)
    values[i] = i * 37 % 101;
  for (int round = 0; round < 200; round++)
    result += sum(values, 100, round % 50) + sum(values + round % 90, 10, 3);
}
#else
#include <stdio.h>

static unsigned long counts[64][64];

void count(unsigned long function, unsigned long index, unsigned kind, unsigned long factor) {
  ++counts[function][index];
}

void program(void);

int main(void) {
  program();
  for (int function = 0; function < 64; function++)
    for (int index = 0; index < 64; index++)
      if (counts[function][index])
        printf("%d.%d %lu\n", function, index, counts[function][index]);
}
#endif
