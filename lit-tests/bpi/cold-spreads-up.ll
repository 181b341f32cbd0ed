; If a cold block post-dominates one of its dominators, the dominator is also cold. Only block C has a cold call, but
; block A gets the same weight as C. If B has a second successor, B gets a weight only if all successors of B are cold.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

declare void @cold() cold

define void @row(i1 %c, i1 %d) {
; CHECK-LABEL: 'row'
; CHECK: edge {{%?}}entry -> {{%?}}A probability is {{.*}} = 5.88%
; CHECK: edge {{%?}}entry -> {{%?}}end probability is {{.*}} = 94.12% [HOT edge]
; CHECK: edge {{%?}}A -> {{%?}}B1 probability is {{.*}} = 50.00%
entry:
  br i1 %c, label %A, label %end
A:
  br i1 %d, label %B1, label %B2
B1:
  br label %C
B2:
  br label %C
C:
  call void @cold()
  br label %end
end:
  ret void
}

define void @all_successors(i1 %c, i1 %d) {
; CHECK-LABEL: 'all_successors'
; CHECK: edge {{%?}}entry -> {{%?}}A probability is {{.*}} = 5.88%
; CHECK: edge {{%?}}A -> {{%?}}B1 probability is {{.*}} = 50.00%
entry:
  br i1 %c, label %A, label %end
A:
  br i1 %d, label %B1, label %B2
B1:
  call void @cold()
  ret void
B2:
  call void @cold()
  br label %end
end:
  ret void
}
