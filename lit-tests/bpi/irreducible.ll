; A cycle with two entries is not a natural loop, but the loop rules also apply to it: the back edge is 31 times as
; likely as the exit. A cold exit makes the edge into the cycle cold.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

declare void @cold() cold

define void @f(i1 %c, i1 %d, i1 %e) {
; CHECK-LABEL: 'f'
; CHECK: edge {{%?}}A -> {{%?}}B probability is {{.*}} = 96.88% [HOT edge]
; CHECK: edge {{%?}}A -> {{%?}}end probability is {{.*}} = 3.12%
entry:
  br i1 %c, label %A, label %B
A:
  br i1 %d, label %B, label %end
B:
  br label %A
end:
  ret void
}

define void @g(i1 %c, i1 %d, i1 %e) {
; CHECK-LABEL: 'g'
; CHECK: edge {{%?}}entry -> {{%?}}choose probability is {{.*}} = 5.88%
entry:
  br i1 %e, label %choose, label %end
choose:
  br i1 %c, label %A, label %B
A:
  br i1 %d, label %B, label %out
B:
  br label %A
out:
  call void @cold()
  ret void
end:
  ret void
}
