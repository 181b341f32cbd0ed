; From LLVM 16 on, the verifier accepts branch weights on `callbr`, so `annotate` writes them.
; REQUIRES: llvm-ge-16
; RUN: %bpa -passes='rust-bpi<annotate>,verify' -S %s | FileCheck %s

declare void @cold() cold

define void @callbr() {
; CHECK: callbr void asm
; CHECK-NEXT: to label %normal [label %indirect], !prof [[COLD:![0-9]+]]
entry:
  callbr void asm sideeffect "", "!i"() to label %normal [label %indirect]
normal:
  ret void
indirect:
  call void @cold()
  ret void
}

; CHECK: [[COLD]] = !{!"branch_weights", i32 1048575, i32 65535}
