// clang prints remarks at their source lines, and writes them to a YAML file.
// REQUIRES: clang
// RUN: env BPA_PIPELINE='optimizer-last:rust-bpi<remarks>' clang -O2 -fpass-plugin=%plugin -Rpass-analysis=rust-bpi -c %s \
// RUN:   -o %t.o 2>&1 | FileCheck %s
// RUN: env BPA_PIPELINE='optimizer-last:rust-bpi<remarks>' clang -O2 -fpass-plugin=%plugin -c %s -o %t.o 2>&1 | count 0
// LLVM wraps long lines of YAML, so this test uses a short path.
// RUN: rm -rf %t && mkdir %t && cd %S
// RUN: env BPA_PIPELINE='optimizer-last:rust-bpi<remarks>,rust-bfi<remarks>' clang -O2 -fpass-plugin=%plugin \
// RUN:   -fsave-optimization-record -foptimization-record-file=%t/yaml -foptimization-record-passes='rust-b[pf]i' -c clang.c -o %t.o
// RUN: FileCheck %s --check-prefix=YAML < %t/yaml

// CHECK: clang.c:37:9: remark: 62.50% to line 38, 37.50% to line 40; constant for line 40: taken if {{.*}}; numbers are rarely 0{{.*}} [-Rpass-analysis=rust-bpi]
// CHECK-NOT: remark:

// YAML: --- !Analysis
// YAML-NEXT: Pass: rust-bpi
// YAML-NEXT: Name: BranchProbability
// YAML-NEXT: DebugLoc: { File: clang.c, Line: 37, Column: 9 }
// YAML-NEXT: Function: half
// YAML-NEXT: Args:
// YAML-NEXT: - Share: '62.50%'
// YAML-NEXT: - String: ' to '
// YAML-NEXT: - To: line 38
// YAML-NEXT: DebugLoc:
// YAML: - Rule: constant
// YAML-NEXT: - String:
// YAML-NEXT: - For: line 40
// YAML-NEXT: - String:
// YAML-NEXT: - Reason: 'taken if {{.*}}'
// YAML: Pass: rust-bfi
// YAML-NEXT: Name: BlockFrequency
// YAML: - Frequency: '1.0'
// YAML-NOT: ---

void first(void), second(void);
void half(int x) {
  if (x > 0)
    first();
  else
    second();
}
