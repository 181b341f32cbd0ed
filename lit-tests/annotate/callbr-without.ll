; Before LLVM 16, the verifier rejects branch weights on `callbr`, so `annotate` does not write them.
; UNSUPPORTED: llvm-ge-16
; REQUIRES: llvm15
; RUN: %bpa -passes='rust-bpi<annotate>,verify' -S %s | FileCheck %s

declare void @cold() cold

define void @callbr() {
; CHECK-NOT: !prof
entry:
  callbr void asm sideeffect "", "!i"() to label %normal [label %indirect]
normal:
  ret void
indirect:
  call void @cold()
  ret void
}
