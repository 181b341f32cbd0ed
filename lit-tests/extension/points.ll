; BPA_PIPELINE adds passes at LLVM's extension points, in the listed order. Without BPA_PIPELINE, bpa adds no passes.
; RUN: env BPA_PIPELINE='pipeline-start:print<rust-bfi>,rust-bpi<annotate>,optimizer-last:print<rust-bpi>' \
; RUN:   %bpa -passes='default<O2>' -S %s 2>&1 | FileCheck %s
; RUN: env BPA_PIPELINE= %bpa -passes='default<O2>' -S %s 2>&1 | FileCheck %s --check-prefix=UNSET

; CHECK: BFI for function 'f':
; CHECK: Printing analysis {{.*}} for function 'f':
; CHECK-NEXT: ---- Branch Probabilities ----
; CHECK: !{!"branch_weights",
; UNSET-NOT: Printing
; UNSET-NOT: branch_weights

declare void @a()
declare void @b()
define void @f(i32 %x) {
entry:
  %c = icmp eq i32 %x, 0
  br i1 %c, label %yes, label %no
yes:
  call void @a()
  ret void
no:
  call void @b()
  ret void
}
