; Conditions of loops branch on their operands. The code is the output of clang for `while (a && (b || c))`, for
; `!(a && b)`, for a value that is also returned, and for `assert(a && b)`, after which clang leaves a block without a
; name.
; RUN: %bpa -passes='rust-source-branches,verify' -S %s -o %t
; RUN: FileCheck %s < %t
; RUN: %bpa -passes='rust-source-branches,verify' -S %t | FileCheck %s
; RUN: not %bpa -passes='rust-source-branches<profile=p>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=ALONE
; RUN: not %bpa -passes='rust-source-branches<instrumented=i>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=ALONE
; RUN: not %bpa -passes='function(rust-source-branches)' -disable-output %s 2>&1 | FileCheck %s --check-prefix=FUNCTION

; ALONE: bpa: rust-source-branches: option '{{.*}}' needs option '{{profile|instrumented}}'
; FUNCTION: bpa: rust-source-branches: this pass works on modules

; CHECK-LABEL: define i1 @loops(
; CHECK: br i1 %a, label %land.rhs, label %while.end, !prof [[A:![0-9]+]]
; CHECK: land.rhs:
; CHECK: br i1 %b, label %while.body, label %lor.rhs{{$}}
; CHECK: lor.rhs:
; CHECK-NEXT: br i1 %c, label %while.body, label %while.end, !llvm.loop
; CHECK-NOT: land.end:
; CHECK: br i1 %d, label %g.rhs, label %g.end
; CHECK: g.end:
; CHECK-NEXT: phi i1
; CHECK-NEXT: br i1 %{{.*}}, label %while.cond, label %last
define i1 @loops(i1 %a, i1 %b, i1 %c, i1 %d, i1 %e) {
entry:
  br label %while.cond

while.cond:
  br i1 %a, label %land.rhs, label %land.end, !prof !1

land.rhs:
  br i1 %b, label %lor.end, label %lor.rhs

lor.rhs:
  br label %lor.end

lor.end:
  %0 = phi i1 [ true, %land.rhs ], [ %c, %lor.rhs ]
  br label %land.end

land.end:
  %1 = phi i1 [ false, %while.cond ], [ %0, %lor.end ]
  br i1 %1, label %while.body, label %while.end, !llvm.loop !0

while.body:
  br label %while.cond

while.end:
  br i1 %d, label %g.rhs, label %g.end

g.rhs:
  br label %g.end

g.end:
  %2 = phi i1 [ false, %while.end ], [ %e, %g.rhs ]
  br i1 %2, label %while.cond, label %last

last:
  ret i1 %2
}

; CHECK-LABEL: define void @negated(
; CHECK: br i1 %a, label %land.rhs, label %taken
; CHECK: land.rhs:
; CHECK-NEXT: br i1 %b, label %other, label %taken
define void @negated(i1 %a, i1 %b) {
entry:
  br i1 %a, label %land.rhs, label %land.end

land.rhs:
  br label %land.end

land.end:
  %value = phi i1 [ false, %entry ], [ %b, %land.rhs ]
  %not = xor i1 %value, true
  br i1 %not, label %taken, label %other

taken:
  ret void

other:
  ret void
}

; CHECK-LABEL: define i1 @asserted(
; CHECK: br i1 %a, label %land.rhs, label %cond.false
; CHECK: land.rhs:
; CHECK-NEXT: br i1 %b, label %cond.true, label %cond.false
; CHECK-NOT: land.end:
; CHECK: unreachable
define i1 @asserted(i1 %a, i1 %b) {
entry:
  br i1 %a, label %land.rhs, label %land.end

land.rhs:
  br label %land.end

land.end:
  %0 = phi i1 [ false, %entry ], [ %b, %land.rhs ]
  br i1 %0, label %cond.true, label %cond.false

cond.true:
  br label %cond.end

cond.false:
  call void @failed()
  unreachable

1:
  br label %cond.end

cond.end:
  %2 = xor i1 %a, %b
  ret i1 %2
}

; A phi at a destination needs a value for each edge, so the block stays.
; CHECK-LABEL: define i32 @merged(
; CHECK: land.end:
; CHECK: br i1 %value, label %end, label %other
define i32 @merged(i1 %a, i1 %b) {
entry:
  br i1 %a, label %land.rhs, label %land.end

land.rhs:
  br label %land.end

land.end:
  %value = phi i1 [ false, %entry ], [ %b, %land.rhs ]
  br i1 %value, label %end, label %other

other:
  br label %end

end:
  %result = phi i32 [ 1, %land.end ], [ 2, %other ]
  ret i32 %result
}

declare void @failed()

!0 = distinct !{!0}
!1 = !{!"branch_weights", i32 1, i32 2000}
; CHECK: [[A]] = !{!"branch_weights", i32 1, i32 2000}
