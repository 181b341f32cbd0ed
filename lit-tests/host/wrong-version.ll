; If an LLVM version loads a plugin for another LLVM version, the plugin reports both versions. In this case, the
; plugin does not call LLVM.
; REQUIRES: other-llvm
; RUN: sh -c 'for opt in %other_opts; do $opt -load-pass-plugin=%plugin -passes=rust-bpi -o %t.out %s; test $? = 1 || echo $?; done' \
; RUN:   > %t.lines 2>&1
; RUN: FileCheck %s -DLLVM=%llvm_version < %t.lines
; RUN: not grep -vE 'LLVM ([0-9]+); build for LLVM \1 with the Cargo feature llvm\1-[01] .scripts/build --llvm \1.$' %t.lines
; RUN: not ls %t.out
; RUN: sh -c 'for opt in %other_opts; do $opt -load-pass-plugin=%examples/libcounters.so -passes=counters -disable-output %s; done; true' \
; RUN:   2>&1 | FileCheck %s --check-prefix=OTHER -DLLVM=%llvm_version

; CHECK: bpa: this build is for LLVM [[LLVM]] and was loaded by LLVM
; OTHER: counters: this build is for LLVM [[LLVM]] and was loaded by LLVM
define void @f() {
  ret void
}
