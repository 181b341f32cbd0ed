; After a panic, opt writes no module to a file or to stdout, and removes an older output file. Earlier passes may have
; changed the module, and the pass with the panic may have changed a part of the function.
; RUN: echo old > %t.bc
; RUN: env BPA_FAULT=annotate not %debug_bpa -passes='rust-bpi<annotate>' -o %t.bc %s 2> %t.err
; RUN: not ls %t.bc
; RUN: FileCheck %s < %t.err
; RUN: env BPA_FAULT=annotate not %debug_bpa -passes='default<O2>,rust-bpi<annotate>,globaldce' -S -o %t.ll %s 2> %t.err
; RUN: not ls %t.ll
; RUN: FileCheck %s < %t.err
; RUN: env BPA_FAULT=annotate not %debug_bpa -passes='cgscc(function(instcombine,rust-bpi<annotate>,simplifycfg))' -S -o - %s 2> %t.err | count 0
; RUN: FileCheck %s < %t.err
; RUN: env BPA_FAULT=annotate not %debug_bpa -passes='rust-bpi<annotate>' %s 2> %t.err | count 0
; RUN: FileCheck %s < %t.err
; If no pass panics, opt writes a module.
; RUN: env BPA_FAULT=nowhere %debug_bpa -passes='rust-bpi<annotate>' -S -o - %s | FileCheck %s --check-prefix=GOOD

; CHECK: bpa: internal error in rust-bpi<annotate> on function 'f': BPA_FAULT requests this panic
; GOOD: !{!"branch_weights",
declare void @work()
define void @f(i32 %x) {
entry:
  br label %loop
loop:
  call void @work()
  %c = icmp eq i32 %x, 0
  br i1 %c, label %end, label %loop
end:
  ret void
}
