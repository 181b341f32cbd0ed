; If a block has many predecessors, the explanation prints the six highest contributions to the frequency in descending
; order. The contributions of parallel edges are added.
; RUN: %bpa -passes='rust-bfi<explain>' -disable-output %s 2>&1 | FileCheck %s

define void @f(i32 %x) {
; CHECK: - end:
; CHECK-NEXT: 0.5 from %entry: 50.00% of 1.0.
; CHECK-NEXT: 0.1 from %A: 100.00% of 0.1.
; CHECK-NEXT: 0.09 from %B: 100.00% of 0.09.
; CHECK-NEXT: 0.08 from %C: 100.00% of 0.08.
; CHECK-NEXT: 0.07 from %D: 100.00% of 0.07.
; CHECK-NEXT: 0.06 from %E: 100.00% of 0.06.
; CHECK-NEXT: 0.1 from 2 more predecessors; each contributes at most 0.05.
entry:
  switch i32 %x, label %end [
    i32 0, label %end
    i32 1, label %A
    i32 2, label %B
    i32 3, label %C
    i32 4, label %D
    i32 5, label %E
    i32 6, label %F
    i32 7, label %G
  ], !prof !0
A:
  br label %end
B:
  br label %end
C:
  br label %end
D:
  br label %end
E:
  br label %end
F:
  br label %end
G:
  br label %end
end:
  ret void
}

!0 = !{!"branch_weights", i32 250, i32 250, i32 100, i32 90, i32 80, i32 70, i32 60, i32 50, i32 50}
