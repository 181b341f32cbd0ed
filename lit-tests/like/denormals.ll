; The constant from %reset makes the comparison in the next iteration false, so %reset is an unlikely successor. From
; LLVM 20 on, LLVM does not fold comparisons with denormal numbers, because code can flush such numbers to zero. No rule
; then applies to @tiny. The result of `like=N` does not depend on the host.
; RUN: %bpa -passes='rust-bpi<like=14>' -disable-output %s 2>&1 | FileCheck %s --check-prefixes=CHECK,OLD
; RUN: %bpa -passes='rust-bpi<like=19>' -disable-output %s 2>&1 | FileCheck %s --check-prefixes=CHECK,OLD
; RUN: %bpa -passes='rust-bpi<like=20>' -disable-output %s 2>&1 | FileCheck %s --check-prefixes=CHECK,NEW
; RUN: %bpa -passes='rust-bpi<like=23>' -disable-output %s 2>&1 | FileCheck %s --check-prefixes=CHECK,NEW
; RUN: %check %s

; CHECK: 'normal'
; CHECK: edge {{%?}}head -> {{%?}}reset probability is 0x2aaaa8e4 / 0x80000000 = 33.33%
; CHECK: 'tiny'
; OLD: edge {{%?}}head -> {{%?}}reset probability is 0x2aaaa8e4 / 0x80000000 = 33.33%
; NEW: edge {{%?}}head -> {{%?}}reset probability is 0x40000000 / 0x80000000 = 50.00%
; CHECK: 'tiny_operand'
; OLD: edge {{%?}}head -> {{%?}}reset probability is 0x2aaaa8e4 / 0x80000000 = 33.33%
; NEW: edge {{%?}}head -> {{%?}}reset probability is 0x40000000 / 0x80000000 = 50.00%
define void @normal(i1 %c) {
entry:
  br label %head
head:
  %v = phi float [ 1.0, %entry ], [ 0.25, %reset ], [ %v, %other ]
  %t = fcmp ogt float %v, 0.5
  br i1 %t, label %reset, label %other
reset:
  br label %head
other:
  br i1 %c, label %head, label %exit
exit:
  ret void
}

define void @tiny(i1 %c) {
entry:
  br label %head
head:
  %v = phi float [ 1.0, %entry ], [ 0x36A0000000000000, %reset ], [ %v, %other ]
  %t = fcmp ogt float %v, 0.5
  br i1 %t, label %reset, label %other
reset:
  br label %head
other:
  br i1 %c, label %head, label %exit
exit:
  ret void
}

; In this function, the denormal number is the second operand of the comparison.
define void @tiny_operand(i1 %c) {
entry:
  br label %head
head:
  %v = phi float [ 1.0, %entry ], [ 0.0, %reset ], [ %v, %other ]
  %t = fcmp ogt float %v, 0x36A0000000000000
  br i1 %t, label %reset, label %other
reset:
  br label %head
other:
  br i1 %c, label %head, label %exit
exit:
  ret void
}
