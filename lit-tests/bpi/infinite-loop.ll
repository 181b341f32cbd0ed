; Blocks in a loop that never leaves have post-dominators too: LLVM makes one block of the loop a root, the one that a
; depth-first walk, from each block's last successor in layout order to the first, numbers last. Here that is C. All of
; the loop leads to it, so its cold call makes X and B cold; with another root X would not be.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %parity --analysis bpi %s

declare void @cold() cold

define void @f(i1 %c, i1 %d) {
; CHECK: edge {{%?}}B -> {{%?}}X probability is {{.*}} = 5.88%
; CHECK: edge {{%?}}B -> {{%?}}D probability is {{.*}} = 94.12% [HOT edge]
entry:
  br label %B
B:
  br i1 %c, label %X, label %D
X:
  br i1 %d, label %C, label %E
C:
  call void @cold()
  br label %B
E:
  br label %B
D:
  br label %B
}
