; The rule for unlikely successors folds comparisons of globals. Before LLVM 19, a comparison could become a constant
; expression, which would remain in the use lists of the globals. LLVM creates none.
; UNSUPPORTED: llvm-ge-19
; RUN: %opt -passes='function(require<branch-prob>,instcombine)' %s -o %t.llvm.bc
; RUN: %bpa -passes='rust-analyses,function(require<branch-prob>,instcombine)' %s -o %t.bpa.bc
; RUN: cmp %t.llvm.bc %t.bpa.bc

@table = external global i8
@limit = external global i8

define void @scan(i1 %c) {
entry:
  br label %head
head:
  %v = phi ptr [ @table, %entry ], [ getelementptr inbounds (i8, ptr @limit, i64 1), %yes ], [ @table, %no ]
  %t = icmp sgt ptr %v, @limit
  br i1 %t, label %yes, label %no
yes:
  br label %head
no:
  br i1 %c, label %head, label %exit
exit:
  ret void
}
