; A panic in any pass is reported in one line with the pass and the function, and the exit status is 1. In debug builds,
; the environment variable BPA_FAULT selects where the pass panics.
; RUN: env BPA_FAULT=probabilities@g sh -c '%debug_bpa -passes="require<rust-bpi>" %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s --match-full-lines --implicit-check-not={{.}} -DPASS='rust-bpi'
; RUN: env BPA_FAULT=print@g sh -c '%debug_bpa -passes="print<rust-bpi>" %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s --match-full-lines -DPASS='rust-bpi'
; RUN: env BPA_FAULT=probabilities@g sh -c '%debug_bpa -passes="rust-bpi<like=19>" %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s --match-full-lines -DPASS='rust-bpi'
; RUN: env BPA_FAULT=annotate@g sh -c '%debug_bpa -passes="rust-bpi<annotate>" %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s --match-full-lines --implicit-check-not={{.}} -DPASS='rust-bpi<annotate>'
; RUN: env BPA_FAULT=probabilities@g sh -c '%debug_bpa -passes="rust-bpi<annotate;overwrite>" %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s --match-full-lines --implicit-check-not={{.}} -DPASS='rust-bpi<annotate>'
; RUN: env BPA_FAULT=frequencies@g sh -c '%debug_bpa -passes="require<rust-bfi>" %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s --match-full-lines --implicit-check-not={{.}} -DPASS='rust-bfi'
; RUN: env BPA_FAULT=frequencies@g sh -c '%debug_bpa -passes="require<rust-bpi>,require<rust-bfi>" %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s --match-full-lines --implicit-check-not={{.}} -DPASS='rust-bfi'
; RUN: env BPA_FAULT=print@g sh -c '%debug_bpa -passes="function(rust-bfi)" %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s --match-full-lines -DPASS='rust-bfi'
; RUN: env BPA_FAULT=print@g sh -c '%debug_bpa -passes="print<rust-bias>" %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s --match-full-lines -DPASS='rust-bias'
; RUN: env BPA_FAULT=expect@g sh -c '%debug_bpa -passes="rust-lower-expect" %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s --match-full-lines --implicit-check-not={{.}} -DPASS='rust-lower-expect'

; CHECK: bpa: internal error in [[PASS]] on function 'g': BPA_FAULT requests this panic ({{.*}}.rs:{{[0-9]+}})
; CHECK-NOT: {{.}}

declare i1 @llvm.expect.i1(i1, i1)

define void @f() {
  ret void
}

define void @g(i1 %c) {
entry:
  %e = call i1 @llvm.expect.i1(i1 %c, i1 true)
  br label %loop
loop:
  br i1 %e, label %end, label %loop
end:
  ret void
}

define void @h() {
  ret void
}
