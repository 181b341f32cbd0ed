; The rule for unlikely successors folds comparisons of globals. Before LLVM 19, a comparison could become a constant
; expression, which would remain in the use lists of the globals. LLVM creates none.
; UNSUPPORTED: llvm-ge-19
; RUN: %opt -passes='function(require<branch-prob>),function(instcombine)' %s -o %t.llvm.bc
; RUN: %bpa -passes='rust-analyses,function(require<branch-prob>),function(instcombine)' %s -o %t.bpa.bc
; RUN: cmp %t.llvm.bc %t.bpa.bc

@first = external global i8
@second = external global i8
@limit = external global i8

define void @loops(ptr %p, i1 %c) {
entry:
  br label %loop
loop:
  %a = phi ptr [ %p, %entry ], [ @first, %reset ], [ @second, %back ]
  %low = icmp ult ptr %a, @limit
  br i1 %low, label %reset, label %next
reset:
  br label %loop
next:
  br i1 %c, label %other, label %end
other:
  %b = phi ptr [ %p, %next ], [ @second, %again ]
  %high = icmp ult ptr %b, @limit
  br i1 %high, label %again, label %back
again:
  br label %other
back:
  br label %loop
end:
  ret void
}

define void @uses(ptr %p) {
  %b = icmp ult ptr @second, @limit
  %a = icmp ult ptr @first, @limit
  store i1 %b, ptr %p
  %q = getelementptr i8, ptr %p, i64 1
  store i1 %a, ptr %q
  ret void
}
