; If no weights give the predicted probabilities, `annotate` writes no weights. Such probabilities occur only on
; branches without weights. For parallel edges with equal probabilities, LLVM rounds only the sum. If the branch has
; weights, LLVM rounds the probability of each parallel edge before the addition. If both successors end in
; `unreachable`, LLVM ignores the branch weights, and predicts the branch from its condition. If an edge leads to
; `unreachable`, LLVM adds the rounding error to the edge with the highest probability.
; RUN: %bpa -passes='rust-bpi<annotate>,verify' -S %s | FileCheck %s
; RUN: env RUST_LOG=bpa=debug %bpa -passes='rust-bpi<annotate>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=LOG
; RUN: %bpa -passes='rust-bpi<annotate>' -S -o %t.ll %s
; RUN: %opt -passes='print<branch-prob>' -disable-output %s 2>%t.before
; RUN: %opt -passes='print<branch-prob>' -disable-output %t.ll 2>%t.after
; RUN: diff %t.before %t.after

; LOG-COUNT-2: branch weights cannot express
; CHECK-NOT: !prof

define void @parallel(i32 %x) {
entry:
  switch i32 %x, label %A [
    i32 1, label %B
    i32 2, label %A
  ]
A:
  ret void
B:
  ret void
}

define void @nowhere(ptr %p) {
entry:
  %c = icmp eq ptr %p, null
  br i1 %c, label %A, label %B
A:
  unreachable
B:
  unreachable
}
