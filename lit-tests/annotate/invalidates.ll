; `annotate` invalidates the results that bpa and LLVM cached for the old weights. Both printers use the new weights.
; RUN: %bpa -passes='require<rust-bpi>,require<rust-bfi>,function(require<branch-prob>),rust-bpi<annotate;overwrite>,print<rust-bpi>,function(print<branch-prob>)' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='function(require<rust-bfi>,require<branch-prob>,rust-bpi<annotate;overwrite>,print<rust-bpi>,print<branch-prob>)' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s

; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 37.50%
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 37.50%
define void @f(ptr %p) {
entry:
  %c = icmp eq ptr %p, null
  br i1 %c, label %then, label %else, !prof !0
then:
  ret void
else:
  ret void
}

!0 = !{!"branch_weights", i32 99, i32 1}
