; Up to LLVM 22, `rust-analyses` also fills LLVM's loops: the same loops, with the same order of blocks and inner loops.
; UNSUPPORTED: llvm-ge-23
; RUN: rm -rf %t && mkdir %t
; RUN: %opt -passes='print<loops>' -disable-output %s > %t/llvm.txt 2>&1
; RUN: %bpa -passes='rust-analyses<check>,print<loops>' -disable-output %s > %t/alone.txt 2>&1
; RUN: diff %t/llvm.txt %t/alone.txt
; The loops come from what the probabilities have read.
; RUN: %bpa -passes='rust-analyses<check>,function(require<branch-prob>),print<loops>' -disable-output %s \
; RUN:   > %t/kept.txt 2>&1
; RUN: diff %t/llvm.txt %t/kept.txt
; RUN: FileCheck %s < %t/llvm.txt
; CHECK: Loop at depth 1 containing: %outer<header>,%inner,%tail<latch>,%deep,%left<latch><exiting>
; CHECK: Loop at depth 2

; `check` finds faults in the loops, and probabilities of blocks to which no rule applies.
; RUN: not env BPA_FAULT=loop-order %debug_bpa -passes='rust-analyses<check>,print<loops>' -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=ORDER
; ORDER: bpa: rust-analyses<check>: function 'nest', the order of the loops and their blocks
; RUN: not env BPA_FAULT=even-probabilities %debug_bpa -passes='rust-analyses<check>,print<branch-prob>' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s --check-prefix=EVEN
; EVEN: bpa: rust-analyses<check>: function 'nest', edge 0 of %entry: only bpa sets a probability

define void @nest(i1 %a, i1 %b, i1 %c) {
entry:
  br i1 %a, label %after, label %outer
after:
  br i1 %b, label %self, label %end
self:
  br i1 %c, label %self, label %one
one:
  br label %two
two:
  br i1 %c, label %one, label %end
tail:
  br i1 %b, label %outer, label %deep
deep:
  br i1 %c, label %tail, label %inner
outer:
  br i1 %b, label %left, label %inner
left:
  br i1 %c, label %outer, label %end
inner:
  br i1 %b, label %tail, label %inner
unreachable:
  br i1 %a, label %unreachable, label %outer
end:
  ret void
}

define void @irreducible(i1 %a, i1 %b, i1 %c) {
entry:
  br label %head
head:
  br i1 %a, label %left, label %right
left:
  br i1 %b, label %right, label %latch
right:
  br i1 %c, label %left, label %latch
latch:
  br i1 %a, label %head, label %latch
}
