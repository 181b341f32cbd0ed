; Branch weights override the rule for cold exits. The weights are in the ratio 70 : 15 : 15.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

declare void @cold() cold

define void @f(i32 %x) {
; CHECK: edge {{%?}}BB2 -> {{%?}}BB6 probability is {{.*}} = 70.00%
; CHECK: edge {{%?}}BB2 -> {{%?}}BB3 probability is {{.*}} = 15.00%
; CHECK: edge {{%?}}BB2 -> {{%?}}BB4 probability is {{.*}} = 15.00%
BB1:
  br label %BB2
BB2:
  switch i32 %x, label %BB6 [
    i32 1, label %BB3
    i32 2, label %BB4
  ], !prof !0
BB3:
  br label %BB5
BB4:
  br label %BB5
BB5:
  br label %BB2
BB6:
  call void @cold()
  ret void
}

!0 = !{!"branch_weights", i32 1503238554, i32 322122548, i32 322122548}
