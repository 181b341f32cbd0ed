; Before LLVM 16 the verifier allows no weights on `callbr`, so none are written.
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
