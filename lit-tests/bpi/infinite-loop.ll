; Blocks in a loop that never leaves have post-dominators too: LLVM makes one block of the loop a root, the one that a
; depth-first walk, from each block's last successor in layout order to the first, numbers last. Here that is C. All of
; the loop leads to it, so its cold call makes X and B cold, and then whatever leads to B; between cold blocks nothing
; is more likely. With another root only C would be cold, and X would go there with 5.88%.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

declare void @cold() cold

define void @f(i1 %c, i1 %d) {
; CHECK: edge {{%?}}X -> {{%?}}C probability is {{.*}} = 50.00%
; CHECK: edge {{%?}}X -> {{%?}}E probability is {{.*}} = 50.00%
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
