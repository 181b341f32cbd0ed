; The weights have an effect on machine code: after `annotate;overwrite`, the machine blocks have bpa's probabilities.
; If the two weights of the branch are exchanged, LLVM also exchanges the two successor blocks.
; RUN: %bpa -passes='rust-bpi<annotate;overwrite>' -S -o %t.ll %s
; RUN: %llc -mtriple=x86_64-linux-gnu -stop-after=finalize-isel -o - %t.ll | FileCheck %s --check-prefix=MIR
; RUN: %llc -mtriple=x86_64-linux-gnu -o - %t.ll | FileCheck %s --check-prefix=THEN-LAST
; RUN: sed 's/i32 12, i32 20/i32 20, i32 12/' %t.ll > %t.turned.ll
; RUN: %llc -mtriple=x86_64-linux-gnu -o - %t.turned.ll | FileCheck %s --check-prefix=THEN-FIRST
; REQUIRES: x86

; 0x30000000 of 0x80000000 is 37.50%, and 0x50000000 is 62.50%.
; MIR: successors: %bb.1(0x30000000), %bb.2(0x50000000)
; THEN-LAST: callq is_else
; THEN-LAST: callq is_then
; THEN-FIRST: callq is_then
; THEN-FIRST: callq is_else

declare void @is_then()
declare void @is_else()
declare void @after()

define void @f(ptr %p) {
entry:
  %c = icmp eq ptr %p, null
  br i1 %c, label %then, label %else, !prof !0
then:
  call void @is_then()
  br label %end
else:
  call void @is_else()
  br label %end
end:
  call void @after()
  ret void
}

!0 = !{!"branch_weights", i32 1000, i32 1}
