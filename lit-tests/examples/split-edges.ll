; The pass of the example plugin splits edges. After each step, the pass computes a new profile. If the new profile
; differs from the updated profile, the process ends. For the changed function, the printed numbers of the
; updated profile equal the output of LLVM's printers.
; RUN: %opt -load-pass-plugin=%examples/libsplit_edges.so -passes='function(split-edges-printing)' -S %s -o %t.ll 2> %t.ours
; RUN: %opt -load-pass-plugin=%examples/libsplit_edges.so \
; RUN:   -passes='function(split-edges,print<branch-prob>,print<block-freq>)' -disable-output %s 2> %t.llvm
; RUN: diff %t.ours %t.llvm
; RUN: FileCheck %s < %t.ll
; RUN: %opt -load-pass-plugin=%examples/libsplit_edges.so -passes='split-edges,verify' -disable-output %s

; Every edge except the edge to %rare is critical. First, the pass splits every critical edge. Then the pass splits the
; least likely edge of each branch.
; CHECK-LABEL: @loops
; CHECK: br i1 %a, label %split6, label %split1
; CHECK: switch i32 %n, label %split3 [
; CHECK-NEXT: i32 1, label %split4
; CHECK-NEXT: i32 2, label %split5
; CHECK-NEXT: i32 3, label %split8
; CHECK: join:
; CHECK-NEXT: phi i32 [ 7, %split1 ], [ %next, %split3 ], [ %next, %split4 ]
define i32 @loops(i1 %a, i32 %n) {
entry:
  br i1 %a, label %loop, label %join
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ], [ %next, %other ]
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %other
other:
  switch i32 %n, label %join [ i32 1, label %join
                               i32 2, label %loop
                               i32 3, label %rare ]
rare:
  unreachable
join:
  %r = phi i32 [ 7, %entry ], [ %next, %other ], [ %next, %other ]
  ret i32 %r
}

; The function has a cycle with two entries, an infinite loop, and an unreachable block.
; CHECK-LABEL: @strange
define void @strange(i1 %a, i1 %b, i1 %c) {
entry:
  br i1 %a, label %one, label %two, !prof !0
one:
  br i1 %b, label %two, label %forever
two:
  br i1 %c, label %one, label %end
forever:
  br i1 %a, label %forever, label %back
back:
  br label %forever
dead:
  br i1 %b, label %end, label %two
end:
  ret void
}

; The function has no critical edge.
; CHECK-LABEL: @straight
; CHECK-NEXT: ret void
define void @straight() {
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 7}
