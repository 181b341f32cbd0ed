; # Unlikely successors
;
; If a branch in a loop takes its edge E, the compared value can become a constant. If this constant prevents the branch
; from taking E in the next iteration, LLVM divides the weight of E by 2. In this function, the edge to `%reset`
; sets the compared counter to 0. LLVM evaluates phis and operations with a constant to find the compared value.
;
;         entry
;           |
;         loop <-----------.
;   1/2  /    \            |
;     reset   go_on        |
;     n = 0   n + 1        |
;        \    /            |
;         latch -----------'
;           |
;          end
;
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

declare i1 @more()

define void @counting() {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %latch ]
  %full = icmp eq i32 %n, 10
  br i1 %full, label %reset, label %go_on
reset:
  br label %latch
go_on:
  %more = add i32 %n, 1
  br label %latch
latch:
  %next = phi i32 [ 0, %reset ], [ %more, %go_on ]
  %again = call i1 @more()
  br i1 %again, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: 'counting'
; CHECK-NEXT: ---- Branch Probabilities ----
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}loop probability is 0x80000000 / 0x80000000 = 100.00% [HOT edge]
; CHECK-NEXT:       single successor, 1 of 1: %entry has no other successor.
; CHECK-NEXT:   edge {{%?}}loop -> {{%?}}reset probability is 0x2aaaa8e4 / 0x80000000 = 33.33%
; CHECK-NEXT:       estimated weights, 524287 of 1572862: it stays in the loop of %loop; in the next iteration the tested value is 0, which changes the result of icmp eq %n, 10: 1048575 / 2.
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
; CHECK-NEXT:   edge {{%?}}loop -> {{%?}}go_on probability is 0x5555571c / 0x80000000 = 66.67%
; CHECK-NEXT:       estimated weights, 1048575 of 1572862: it stays in the loop of %loop.
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
; CHECK-NEXT:   edge {{%?}}reset -> {{%?}}latch probability is 0x80000000 / 0x80000000 = 100.00% [HOT edge]
; CHECK-NEXT:       single successor, 1 of 1: %reset has no other successor.
; CHECK-NEXT:   edge {{%?}}go_on -> {{%?}}latch probability is 0x80000000 / 0x80000000 = 100.00% [HOT edge]
; CHECK-NEXT:       single successor, 1 of 1: %go_on has no other successor.
; CHECK-NEXT:   edge {{%?}}latch -> {{%?}}loop probability is 0x7c000000 / 0x80000000 = 96.88% [HOT edge]
; CHECK-NEXT:       estimated weights, 1048575 of 1082400: it starts the next iteration of the loop of %loop.
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
; CHECK-NEXT:   edge {{%?}}latch -> {{%?}}end probability is 0x04000000 / 0x80000000 = 3.12%
; CHECK-NEXT:       estimated weights, 33825 of 1082400: it leaves the loop of %loop: 1048575 / 31.
; CHECK-NEXT:       Other rules: no metadata; even 50.00%.
