; Passes that only print do not change the order of use lists, although they ignore expectations. Later passes can depend
; on this order.
; RUN: %opt -passes=no-op-module -preserve-ll-uselistorder -S %s -o %t.before.ll
; RUN: %bpa -passes='rust-bpi<score;output=%t.out>' -preserve-ll-uselistorder -S %s -o %t.after.ll
; RUN: diff %t.before.ll %t.after.ll
; RUN: %bpa -passes='function(rust-bpi<score;json;output=%t.out>)' -preserve-ll-uselistorder -S %s -o %t.after.ll
; RUN: diff %t.before.ll %t.after.ll
; RUN: %bpa -passes='rust-entry-counts<score;output=%t.out>' -preserve-ll-uselistorder -S %s -o %t.after.ll
; RUN: diff %t.before.ll %t.after.ll
; RUN: %bpa -passes='rust-entry-counts<features;output=%t.out>' -preserve-ll-uselistorder -S %s -o %t.after.ll
; RUN: diff %t.before.ll %t.after.ll

declare i1 @llvm.expect.i1(i1, i1)
declare i64 @llvm.expect.i64(i64, i64)

; The branches use %e, %c, %t, %n and %l between other uses. Without expectations, three branches have the condition %c.
; The use list of %x begins with the oldest use.
define i32 @several(i32 %x, ptr %p) !prof !0 {
entry:
  %c = icmp slt i32 %x, 9
  %e = call i1 @llvm.expect.i1(i1 %c, i1 true)
  store volatile i1 %e, ptr %p
  store volatile i1 %c, ptr %p
  br i1 %e, label %a, label %end, !prof !1
a:
  store volatile i1 %e, ptr %p
  br i1 %c, label %b, label %end, !prof !1
b:
  store volatile i1 %c, ptr %p
  br i1 %e, label %d, label %end, !prof !1
d:
  %z = sext i32 %x to i64
  %w = call i64 @llvm.expect.i64(i64 %z, i64 0)
  %t = icmp ne i64 %w, 0
  store volatile i1 %t, ptr %p
  br i1 %t, label %f, label %end, !prof !1
f:
  store volatile i1 %t, ptr %p
  %n = call i1 @llvm.expect.i1(i1 false, i1 true)
  br i1 %n, label %g, label %end, !prof !1
g:
  store volatile i1 %n, ptr %p
  %l = call i1 @llvm.expect.i1(i1 %e, i1 true)
  br i1 %l, label %h, label %end, !prof !1
h:
  store volatile i1 %l, ptr %p
  store volatile i1 %e, ptr %p
  %y = add i32 %x, 1
  ret i32 %y
end:
  ret i32 0

  uselistorder i32 %x, { 2, 1, 0 }
}

!0 = !{!"function_entry_count", i64 100}
!1 = !{!"branch_weights", i32 90, i32 10}
