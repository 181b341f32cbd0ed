; LLVM processes blocks in layout order, and removes the expectations of each processed block. An expectation therefore
; affects branches in its block and in earlier blocks, but not in later blocks.
; RUN: %bpa -passes=rust-lower-expect -S %s | FileCheck %s
; RUN: %bpa -passes=rust-lower-expect -S %s -o %t.ours
; RUN: %opt -passes=lower-expect -S %s -o %t.llvms
; RUN: diff %t.ours %t.llvms

declare i1 @llvm.expect.i1(i1, i1)

; CHECK-LABEL: earlier:
; CHECK-NEXT:    br i1 %x, label %end, label %later, !prof ![[#]]
; CHECK-LABEL: home:
; CHECK-NEXT:    br i1 %x, label %earlier, label %later, !prof ![[#]]
; CHECK-LABEL: later:
; CHECK-NEXT:    br i1 %x, label %end, label %home{{$}}
define void @f(i1 %x) {
  br label %home
earlier:
  br i1 %e, label %end, label %later
home:
  %e = call i1 @llvm.expect.i1(i1 %x, i1 true)
  br i1 %e, label %earlier, label %later
later:
  br i1 %e, label %end, label %home
end:
  ret void
}
