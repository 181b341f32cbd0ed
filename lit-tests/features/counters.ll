; The feature `turns` is the number of successive iterations in which a comparison of a loop counter is true. If start,
; step or bound is not a constant, the feature is 0.
; RUN: %bpa -passes='rust-bpi<features>' -disable-output %s 2>&1 | FileCheck %s

declare i1 @outside()

; CHECK: "function":"at_top",{{.*}}"turns":8,
define void @at_top() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %t = icmp slt i32 %i, 8
  br i1 %t, label %body, label %out
body:
  %next = add i32 %i, 1
  br label %loop
out:
  ret void
}

; The branch at the end of the loop compares the new value of the counter with 0. A phi can list the incoming
; value of the back edge first.
; CHECK: "function":"at_bottom",{{.*}}"turns":7,
define void @at_bottom() {
entry:
  br label %loop
loop:
  %i = phi i8 [ %next, %loop ], [ 8, %entry ]
  %next = sub i8 %i, 1
  %t = icmp ne i8 %next, 0
  br i1 %t, label %loop, label %out
out:
  ret void
}

; The bound of the first branch is not constant. The second branch does not test a counter.
; CHECK: "function":"to_parameter",{{.*}}"turns":0,
; CHECK: "function":"to_parameter",{{.*}}"turns":0,
define void @to_parameter(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %t = icmp slt i32 %i, %n
  br i1 %t, label %body, label %out
body:
  %next = add i32 %i, 1
  %o = call i1 @outside()
  br i1 %o, label %loop, label %out
out:
  ret void
}

; `%i` is multiplied in each iteration. Two edges enter the inner loop. `%w` and `%z` compare a counter after the
; loop that increments it.
; CHECK: "function":"two_loops",{{.*}}"number":1,{{.*}}"turns":0,
; CHECK: "function":"two_loops",{{.*}}"number":2,
; CHECK: "function":"two_loops",{{.*}}"number":3,{{.*}}"turns":3,
; CHECK: "function":"two_loops",{{.*}}"number":4,{{.*}}"turns":0,
; CHECK: "function":"two_loops",{{.*}}"number":5,{{.*}}"turns":0,
define void @two_loops() {
entry:
  br label %outer
outer:
  %i = phi i32 [ 5, %entry ], [ %grown, %between ]
  %t = icmp slt i32 %i, 100
  br i1 %t, label %grow, label %inner
grow:
  %o = call i1 @outside()
  br i1 %o, label %inner, label %out
inner:
  %j = phi i32 [ 0, %outer ], [ 0, %grow ], [ %j1, %inner ]
  %j1 = add i32 %j, 1
  %u = icmp ult i32 %j1, 4
  br i1 %u, label %inner, label %between
between:
  %grown = mul i32 %i, 3
  %w = icmp eq i32 %j, 77
  br i1 %w, label %outer, label %out
out:
  %z = icmp eq i32 %i, 7
  br i1 %z, label %end, label %end2
end:
  ret void
end2:
  ret void
}
