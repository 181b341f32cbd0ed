; Blocks of an infinite loop have post-dominators. LLVM makes one block of the loop a root of the post-dominator tree.
; The root is the last block that a depth-first search visits. The search visits the successors of a block from the
; last to the first in layout order. In this function, the root is C. All blocks of the loop lead to C. The cold call in
; C therefore makes X and B cold. Then the predecessors of B also become cold. All edges from X lead to cold blocks, so
; all these edges have equal probabilities. If the root were not C, only C would be cold, and the edge from X to C would
; have the probability 5.88%.
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
