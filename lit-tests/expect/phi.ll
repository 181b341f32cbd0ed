; If an incoming constant of a phi contradicts the expectation about the phi, the edge towards the phi is unlikely. If
; the incoming block ends in a conditional branch, the edge starts at this block. Otherwise, the edge starts at the only
; predecessor of the incoming block.
; RUN: %bpa -passes=rust-lower-expect -S %s | FileCheck %s
; RUN: %bpa -passes=rust-lower-expect -S %s -o %t.ours
; RUN: %opt -passes=lower-expect -S %s -o %t.llvms
; RUN: diff %t.ours %t.llvms

declare i1 @llvm.expect.i1(i1, i1)

define i1 @edge_into_the_phi(i1 %a, i1 %b) {
; CHECK-LABEL: @edge_into_the_phi(
; CHECK:         br i1 %a, label %rest, label %join, !prof [[FIRST:![0-9]+]]
entry:
  br i1 %a, label %rest, label %join
rest:
  br label %join
join:
  %p = phi i1 [ false, %entry ], [ %b, %rest ]
  %e = call i1 @llvm.expect.i1(i1 %p, i1 true)
  ret i1 %e
}

define i1 @block_between(i1 %a, i1 %b) {
; CHECK-LABEL: @block_between(
; CHECK:         br i1 %a, label %false, label %rest, !prof [[SECOND:![0-9]+]]
entry:
  br i1 %a, label %false, label %rest
false:
  br label %join
rest:
  br label %join
join:
  %p = phi i1 [ false, %false ], [ %b, %rest ]
  %e = call i1 @llvm.expect.i1(i1 %p, i1 true)
  ret i1 %e
}

define i1 @as_expected(i1 %a, i1 %b) {
; CHECK-LABEL: @as_expected(
; CHECK:         br i1 %a, label %rest, label %join{{$}}
entry:
  br i1 %a, label %rest, label %join
rest:
  br label %join
join:
  %p = phi i1 [ true, %entry ], [ %b, %rest ]
  %e = call i1 @llvm.expect.i1(i1 %p, i1 true)
  ret i1 %e
}

define i1 @two_edges_to_the_incoming_block(i1 %a, i1 %b, i1 %c) {
; The incoming block has two predecessors, so neither branch gets weights.
; CHECK-LABEL: @two_edges_to_the_incoming_block(
; CHECK:         br i1 %a, label %false, label %more{{$}}
; CHECK:         br i1 %c, label %false, label %rest{{$}}
entry:
  br i1 %a, label %false, label %more
more:
  br i1 %c, label %false, label %rest
false:
  br label %join
rest:
  br label %join
join:
  %p = phi i1 [ false, %false ], [ %b, %rest ]
  %e = call i1 @llvm.expect.i1(i1 %p, i1 true)
  ret i1 %e
}

define i1 @both_edges_into_the_block_between(i1 %a, i1 %b) {
; Two edges from one block count as two predecessors. If both edges of a branch lead to the block of the phi, the second
; edge is unlikely.
; CHECK-LABEL: @both_edges_into_the_block_between(
; CHECK:         br i1 %a, label %false, label %false{{$}}
; CHECK:         br i1 %b, label %join, label %join, !prof [[FIRST]]
entry:
  br i1 %a, label %false, label %false
false:
  br label %join
other:
  br i1 %b, label %join, label %join
join:
  %p = phi i1 [ false, %false ], [ false, %other ], [ false, %other ]
  %e = call i1 @llvm.expect.i1(i1 %p, i1 true)
  ret i1 %e
}

define i1 @loop(i1 %a, i1 %b) {
; The branch and the phi are in one block. The edge from the block to itself is unlikely.
; CHECK-LABEL: @loop(
; CHECK:         br i1 %p, label %join, label %end, !prof [[SECOND]]
entry:
  br label %join
join:
  %p = phi i1 [ %b, %entry ], [ false, %join ]
  %e = call i1 @llvm.expect.i1(i1 %p, i1 true)
  br i1 %p, label %join, label %end
end:
  ret i1 %e
}

define i1 @loop_before(i1 %a, i1 %b) {
; LLVM assumes that the edge from %self to %self leads to the phi. In fact, only the edge to %join leads to the phi.
; CHECK-LABEL: @loop_before(
; CHECK:         br i1 %a, label %join, label %self, !prof [[FIRST]]
entry:
  br label %self
self:
  br i1 %a, label %join, label %self
join:
  %p = phi i1 [ false, %self ]
  %e = call i1 @llvm.expect.i1(i1 %p, i1 true)
  ret i1 %e
}

; CHECK-DAG: [[FIRST]] = !{!"branch_weights", {{(!"expected", )?}}i32 2000, i32 1}
; CHECK-DAG: [[SECOND]] = !{!"branch_weights", {{(!"expected", )?}}i32 1, i32 2000}
