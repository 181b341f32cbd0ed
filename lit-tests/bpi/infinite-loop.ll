; Blocks in a loop that never leaves have post-dominators too: LLVM makes one block of the loop a root. Here the root
; is B, which the cold call in B makes A follow.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %parity --analysis bpi %s

declare void @cold() cold

define void @f(i1 %c) {
; CHECK: edge {{%?}}entry -> {{%?}}A probability is {{.*}} = 5.88%
; CHECK: edge {{%?}}entry -> {{%?}}end probability is {{.*}} = 94.12% [HOT edge]
entry:
  br i1 %c, label %A, label %end
A:
  call void @cold()
  br label %B
B:
  br label %C
C:
  br label %B
end:
  ret void
}
