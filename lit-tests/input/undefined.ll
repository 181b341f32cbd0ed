; The conditions are `undef`, `poison`, or comparisons with `undef` or `poison`. Passes can create such conditions. In a
; loop, the rule for unlikely successors has to fold comparisons of a phi with `undef` and `poison` operands.
; RUN: %check %s
; RUN: %bpa -passes='rust-bpi<annotate>,verify,function(print<branch-prob>)' -disable-output %s 2> %t.after
; RUN: %opt -passes='function(print<branch-prob>)' -disable-output %s 2> %t.before
; RUN: diff %t.before %t.after
; RUN: %check-annotated %s
; RUN: %check-overwritten %s

define void @undefined(i32 %x) {
entry:
  br i1 undef, label %a, label %b
a:
  br i1 poison, label %b, label %c
b:
  switch i32 undef, label %c [ i32 1, label %d ]
c:
  %c1 = icmp eq i32 %x, undef
  br i1 %c1, label %d, label %e
d:
  %c2 = icmp slt i32 %x, poison
  br i1 %c2, label %e, label %f
e:
  %c3 = fcmp oeq float undef, poison
  br i1 %c3, label %f, label %g
f:
  %c4 = icmp eq ptr null, undef
  br i1 %c4, label %e, label %g
g:
  br i1 true, label %h, label %h
h:
  ret void
}

define void @phi_of_undef(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ undef, %entry ], [ poison, %reset ], [ %next, %latch ], [ undef, %again ]
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, 7
  br i1 %c, label %reset, label %latch
reset:
  br label %loop
latch:
  %d = icmp sgt i32 %i, undef
  br i1 %d, label %loop, label %again
again:
  %e = icmp ult i32 %i, 12
  br i1 %e, label %loop, label %exit
exit:
  ret void
}
