; `reset` sets the counter to zero. In the next iteration, the comparison of zero with 10 is false, and the branch
; does not take the edge to `reset`. The rule therefore halves the weight of this edge. The other functions
; test a floating-point number, a pointer, and the result of two operations.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @counter(i1 %c) {
; CHECK-LABEL: 'counter'
; CHECK: edge {{%?}}loop -> {{%?}}reset probability is {{.*}} = 33.33%
; CHECK: edge {{%?}}loop -> {{%?}}latch probability is {{.*}} = 66.67%
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %kept, %latch ]
  %next = add i32 %n, 1
  %full = icmp uge i32 %next, 10
  br i1 %full, label %reset, label %latch
reset:
  br label %latch
latch:
  %kept = phi i32 [ %next, %loop ], [ 0, %reset ]
  br i1 %c, label %loop, label %end
end:
  ret void
}

define void @direct(i1 %c) {
; CHECK-LABEL: 'direct'
; CHECK: edge {{%?}}loop -> {{%?}}reset probability is {{.*}} = 33.33%
entry:
  br label %loop
loop:
  %n = phi i65 [ 0, %entry ], [ 3, %reset ], [ %v, %other ]
  %v = mul i65 %n, 7
  %w = xor i65 %v, 21
  %full = icmp ne i65 %w, 0
  br i1 %full, label %reset, label %other
reset:
  br label %loop
other:
  br i1 %c, label %loop, label %end
end:
  ret void
}

define void @floating(i1 %c, double %x) {
; CHECK-LABEL: 'floating'
; CHECK: edge {{%?}}loop -> {{%?}}other probability is {{.*}} = 66.67%
; CHECK: edge {{%?}}loop -> {{%?}}reset probability is {{.*}} = 33.33%
entry:
  br label %loop
loop:
  %n = phi double [ 0.0, %entry ], [ 1.5, %reset ], [ %x, %other ]
  %low = fcmp ogt double %n, 1.0
  br i1 %low, label %other, label %reset
reset:
  br label %loop
other:
  br i1 %c, label %loop, label %end
end:
  ret void
}

define void @pointer(i1 %c, ptr %p) {
; CHECK-LABEL: 'pointer'
; CHECK: edge {{%?}}loop -> {{%?}}reset probability is {{.*}} = 33.33%
entry:
  br label %loop
loop:
  %n = phi ptr [ %p, %entry ], [ null, %reset ], [ %p, %other ]
  %some = icmp ne ptr %n, null
  br i1 %some, label %reset, label %other
reset:
  br label %loop
other:
  br i1 %c, label %loop, label %end
end:
  ret void
}
