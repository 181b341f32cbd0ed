; `score` uses the branch weights as the profile, so the predictions ignore the branch weights. `rust-bpi<score>`
; prints one table for the module, and `function(rust-bpi<score>)` prints one table for each function.
; RUN: %bpa -passes='rust-bpi<score>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='print<rust-bpi;score>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='function(rust-bpi<score>)' -disable-output %s 2>&1 | FileCheck %s --check-prefix=EACH
; RUN: %bpa -passes='rust-bpi<score;output=%t>,rust-bpi<score;like=22;append;output=%t>' -disable-output %s
; RUN: FileCheck %s < %t

; CHECK: ---- Score of module '{{.*}}table.ll' ----
; CHECK-NEXT: two-way branches branches executions share hits perfect predicted true KL bits avoidable
; The profile has 990 back edges and 10 exits in 1000 executions, and the prediction is 31 : 1. The divergence is 0.99
; log2(0.99 / 0.96875) + 0.01 log2(0.01 / 0.03125).
; CHECK-NEXT: estimated weights 1 1000 47.62% 99.00% 99.00% 96.88% 99.00% 0.0146 0.00%
; 75 of 100 pointers are null. The prediction is 12 : 20.
; CHECK-NEXT: pointer 1 100 4.76% 25.00% 75.00% 62.50% 25.00% 0.4195 10.00%
; 950 of 1000 executions go to one successor. No rule applies.
; CHECK-NEXT: even 1 1000 47.62% 50.00% 95.00% 50.00% 5.00% 0.7136 90.00%
; CHECK-NEXT: all 3 2100 100.00% 72.14% 95.95% {{.*}} 100.00%
; CHECK-NEXT: switches
; CHECK-NEXT: even 1 100 100.00% 33.33% 80.00% 33.33% 10.00% {{.*}} 100.00%
; CHECK-NEXT: all 1 100
; CHECK-NEXT: never ran: 2 branches; no profile: 1 functions
; CHECK-NEXT: costliest executions predicted true rule where
; CHECK-NEXT: 450 1000 50.00% 5.00% even %body in loop
; CHECK-NEXT: 50 100 62.50% 25.00% pointer %entry in pointer
; CHECK-NEXT: 47 100 33.33% 10.00% even %entry in switch

; EACH: ---- Score of function 'loop' ----
; EACH: ---- Score of function 'pointer' ----
; EACH: ---- Score of function 'switch' ----
; EACH: ---- Score of function 'idle' ----
; EACH-NEXT: never ran: 2 branches; no profile: 0 functions
; EACH: ---- Score of function 'unmeasured' ----
; EACH-NEXT: never ran: 0 branches; no profile: 1 functions

define void @loop(i32 %x) !prof !0 {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br label %body
body:
  %b = icmp ugt i32 %i, %x
  br i1 %b, label %then, label %latch, !prof !2
then:
  br label %latch
latch:
  %next = add i32 %i, 1
  %c = icmp ult i32 %next, %x
  br i1 %c, label %head, label %exit, !prof !1
exit:
  ret void
}

define void @pointer(ptr %p) !prof !3 {
entry:
  %c = icmp eq ptr %p, null
  br i1 %c, label %then, label %else, !prof !4
then:
  ret void
else:
  ret void
}

define void @switch(i32 %x) !prof !3 {
entry:
  switch i32 %x, label %a [
    i32 1, label %b
    i32 2, label %c
  ], !prof !5
a:
  ret void
b:
  ret void
c:
  ret void
}

define void @idle(i1 %x, i1 %y) !prof !6 {
entry:
  br i1 %x, label %a, label %b, !prof !4
a:
  br i1 %y, label %b, label %c
b:
  ret void
c:
  ret void
}

define void @unmeasured(i1 %x) {
entry:
  br i1 %x, label %a, label %b, !prof !4
a:
  ret void
b:
  ret void
}

!0 = !{!"function_entry_count", i64 10}
!1 = !{!"branch_weights", i32 990, i32 10}
!2 = !{!"branch_weights", i32 50, i32 950}
!3 = !{!"function_entry_count", i64 100}
!4 = !{!"branch_weights", i32 75, i32 25}
!5 = !{!"branch_weights", i32 10, i32 80, i32 10}
!6 = !{!"function_entry_count", i64 0}
