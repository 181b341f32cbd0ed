; If an edge leaves two loops, LLVM divides the weight of the edge only once. For each loop, the weights of the back
; edge and the exit are 124 : 4.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @f(i1 %c, i1 %d, i1 %e) {
; CHECK: edge {{%?}}inner -> {{%?}}inner probability is {{.*}} = 93.9{{.}}%
; CHECK: edge {{%?}}inner -> {{%?}}latch probability is {{.*}} = 3.03%
; CHECK: edge {{%?}}inner -> {{%?}}end probability is {{.*}} = 3.03%
; CHECK: edge {{%?}}latch -> {{%?}}outer probability is {{.*}} = 96.88% [HOT edge]
entry:
  br label %outer
outer:
  br label %inner
inner:
  switch i1 %c, label %inner [
    i1 0, label %latch
    i1 1, label %end
  ]
latch:
  br i1 %d, label %outer, label %end
end:
  ret void
}
