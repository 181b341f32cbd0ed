; Each parallel edge is printed with the sum of the probabilities of all parallel edges. If no rule applies, LLVM first
; adds the probabilities of parallel edges, and then rounds the sum. If the branch has weights, LLVM first rounds the
; probability of each edge, and then adds the rounded probabilities.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @even(i32 %x) {
; CHECK-LABEL: 'even'
; CHECK: edge {{%?}}A -> {{%?}}B probability is 0x55555555 / 0x80000000 = 66.67%
; CHECK: edge {{%?}}A -> {{%?}}C probability is 0x2aaaaaab / 0x80000000 = 33.33%
; CHECK: edge {{%?}}A -> {{%?}}B probability is 0x55555555 / 0x80000000 = 66.67%
A:
  switch i32 %x, label %B [
    i32 1, label %C
    i32 2, label %B
  ]
B:
  ret void
C:
  ret void
}

define void @weighted(i32 %x) {
; CHECK-LABEL: 'weighted'
; CHECK: edge {{%?}}A -> {{%?}}B probability is 0x55555556 / 0x80000000 = 66.67%
; CHECK: edge {{%?}}A -> {{%?}}C probability is 0x2aaaaaab / 0x80000000 = 33.33%
A:
  switch i32 %x, label %B [
    i32 1, label %C
    i32 2, label %B
  ], !prof !0
B:
  ret void
C:
  ret void
}

!0 = !{!"branch_weights", i32 5, i32 5, i32 5}
