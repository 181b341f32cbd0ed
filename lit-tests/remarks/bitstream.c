// The remarks in a bitstream file equal the remarks in a YAML file. Before LLVM 22, only object files for macOS contain
// the position of the bitstream.
// REQUIRES: clang, x86, llvm-ge-16
// RUN: rm -rf %t && mkdir %t
// RUN: env BPA_PIPELINE='optimizer-last:rust-bpi<remarks>,rust-bfi<remarks>' clang -target x86_64-apple-macosx11 \
// RUN:   -O2 -fpass-plugin=%plugin -fsave-optimization-record -foptimization-record-file=%t/yaml \
// RUN:   -foptimization-record-passes='rust-b[pf]i' -c %s -o %t/yaml.o
// RUN: env BPA_PIPELINE='optimizer-last:rust-bpi<remarks>,rust-bfi<remarks>' clang -target x86_64-apple-macosx11 \
// RUN:   -O2 -fpass-plugin=%plugin -fsave-optimization-record=bitstream -foptimization-record-file=%t/bitstream \
// RUN:   -foptimization-record-passes='rust-b[pf]i' -c %s -o %t/bitstream.o
// RUN: llvm-objcopy --dump-section=__LLVM,__remarks=%t/section %t/bitstream.o
// RUN: llvm-remarkutil yaml2bitstream %t/yaml -o %t/converted
// RUN: llvm-remarkutil bitstream2yaml %t/converted -o - | tee %t/expected | grep -c '^--- ' | FileCheck %s
// RUN: llvm-remarkutil bitstream2yaml %t/section -o - | diff %t/expected -

// CHECK: {{^[78]$}}

void note(int);
void loops(int *values, int count) {
  for (int i = 0; i < count; ++i)
    if (values[i] < 0)
      note(i);
}
