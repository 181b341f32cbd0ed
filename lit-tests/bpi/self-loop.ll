; For a block with an edge to itself, the weights of this edge and the exit are 124 : 4.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @f(i1 %c) {
; CHECK: edge {{%?}}loop -> {{%?}}loop probability is 0x7c000000 / 0x80000000 = 96.88% [HOT edge]
; CHECK: edge {{%?}}loop -> {{%?}}end probability is 0x04000000 / 0x80000000 = 3.12%
entry:
  br label %loop
loop:
  br i1 %c, label %loop, label %end
end:
  ret void
}
