; The exit of the loop is cold. LLVM divides the weight of the exit edge, 0xffff, by 31. The two edges that stay in the
; loop have the default weight 0xfffff.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

declare void @cold() cold

define void @f(i32 %x) {
; CHECK: edge {{%?}}BB2 -> {{%?}}BB6 probability is {{.*}} = 0.10%
; CHECK: edge {{%?}}BB2 -> {{%?}}BB3 probability is {{.*}} = 49.95%
; CHECK: edge {{%?}}BB2 -> {{%?}}BB4 probability is {{.*}} = 49.95%
BB1:
  br label %BB2
BB2:
  switch i32 %x, label %BB6 [
    i32 1, label %BB3
    i32 2, label %BB4
  ]
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
