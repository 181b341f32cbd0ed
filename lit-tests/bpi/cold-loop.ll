; If all exits of a loop lead to cold blocks, the loop and its entering edge are cold. If all exits of a loop lead to
; `unreachable`, the edge that enters the loop has weight 1.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

declare void @cold() cold

define void @left_coldly(i1 %c, i1 %d) {
; CHECK-LABEL: 'left_coldly'
; CHECK: edge {{%?}}entry -> {{%?}}loop probability is {{.*}} = 5.88%
; CHECK: edge {{%?}}entry -> {{%?}}end probability is {{.*}} = 94.12% [HOT edge]
entry:
  br i1 %c, label %loop, label %end
loop:
  br i1 %d, label %loop, label %out
out:
  call void @cold()
  ret void
end:
  ret void
}

define void @left_nowhere(i1 %c, i1 %d) {
; CHECK-LABEL: 'left_nowhere'
; CHECK: edge {{%?}}entry -> {{%?}}loop probability is 0x00000800 / 0x80000000 = 0.00%
entry:
  br i1 %c, label %loop, label %end
loop:
  br i1 %d, label %loop, label %out
out:
  unreachable
end:
  ret void
}
