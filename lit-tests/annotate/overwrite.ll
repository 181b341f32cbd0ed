; `annotate` keeps existing branch weights. With `overwrite`, the prediction ignores existing weights, and `annotate`
; replaces them.
; RUN: %bpa -passes='rust-bpi<annotate>,verify' -S %s | FileCheck %s --check-prefix=KEPT
; RUN: %bpa -passes='rust-bpi<annotate;overwrite>,verify' -S %s | FileCheck %s --check-prefix=REPLACED
; RUN: %bpa -passes='rust-bpi<annotate;overwrite>,rust-bpi' -disable-output %s 2>&1 | FileCheck %s --check-prefix=READ

define void @f(ptr %p) {
; KEPT: br i1 %c, label %then, label %else, !prof [[WEIGHTS:![0-9]+]]
; REPLACED: br i1 %c, label %then, label %else, !prof [[WEIGHTS:![0-9]+]]
; READ: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 37.50%
entry:
  %c = icmp eq ptr %p, null
  br i1 %c, label %then, label %else, !prof !0
then:
  ret void
else:
  ret void
}

!0 = !{!"branch_weights", i32 99, i32 1}
; KEPT: [[WEIGHTS]] = !{!"branch_weights", i32 99, i32 1}
; REPLACED: [[WEIGHTS]] = !{!"branch_weights", i32 12, i32 20}
