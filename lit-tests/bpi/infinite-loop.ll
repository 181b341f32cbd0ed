; Blocks of an infinite loop have post-dominators. LLVM makes one block of the loop a root: the last block in a
; depth-first search that visits the successors of each block from the last to the first in layout order. Here the
; root is C. All blocks of the loop lead to C, so the cold call in C makes X and B cold, and then the predecessors of
; B. Between cold blocks, the probabilities are equal. With another root, only C would be cold, and the edge from X to
; C would have 5.88%.
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
