; The features of a select describe its condition, its values, and its users. Each function has one or two selects.
; RUN: %bpa -passes='rust-bpi<features>' -disable-output %s 2>&1 | FileCheck %s --implicit-check-not='"function":"each"'

declare void @use(ptr)
declare double @sqrt(double)

; The select is the minimum of a parameter and a constant, and is returned.
; CHECK: "function":"least","local":false,"block":"%0","number":0,"kind":"select","select":0,"features":{"answer":512,"same_tests_above":0,"is_tested_below":0,"companions":0,
; CHECK-SAME: "kind":1,"chosen_bits":32,"uses":1,"uses_elsewhere":0,"carried":0,"merged":0,"stored":0,"addresses":0,"returned":1,"passed":0,"compared":0,"branched":0,"selected":0,
; CHECK-SAME: "test":1,"predicate":3,"bits":32,"left":3,"base":0,"right":1,"constant":6,"magnitude":7,"mask_bits":0,"library":0,
; CHECK-SAME: "instructions":3,{{.*}}"function_blocks":1,
; CHECK-SAME: "values":[{"features":{"source":3,"base":0,"constant":0,"magnitude":0,"part":1,"is_kept":0,"is_from_other":0,"is_from_tested":0,"is_here":0,"uses":2,"own_instructions":0,"own_loads":0,"own_slow":0}},
; CHECK-SAME: {"features":{"source":1,"base":0,"constant":6,"magnitude":7,"part":2,{{.*}}"uses":0,
define i32 @least(i32 %x) {
  %c = icmp slt i32 %x, 100
  %m = select i1 %c, i32 %x, i32 100
  ret i32 %m
}

; The select computes the maximum of all loaded numbers. The operands of the select are a phi and a loaded value. The
; comparison has the same operands. The second select computes the index of the maximum.
; CHECK: "function":"greatest",{{.*}}"kind":"select","select":0,"features":{"answer":512,"same_tests_above":0,"is_tested_below":0,"companions":1,"kind":1,
; CHECK-SAME: "uses":2,"uses_elsewhere":1,"carried":1,{{.*}}"depth":1,"is_header":1,
; CHECK-SAME: "values":[{"features":{"source":7,"base":3,"constant":0,"magnitude":0,"part":1,"is_kept":0,{{[^}]*}}"is_here":1,"uses":2,"own_instructions":0,
; CHECK-SAME: {"features":{"source":14,"base":0,"constant":0,"magnitude":0,"part":2,"is_kept":1,
; CHECK-NEXT: "function":"greatest",{{.*}}"select":1,{{.*}}"companions":1,
; CHECK-SAME: "values":[{"features":{"source":16,{{[^}]*}}"is_from_other":1,"is_from_tested":0,"is_here":1,"uses":1,"own_instructions":1,
; CHECK-SAME: {"features":{"source":14,{{.*}}"is_kept":1,
define i32 @greatest(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %best = phi i32 [ -1, %entry ], [ %new, %loop ]
  %found = phi i32 [ 0, %entry ], [ %count, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %e = load i32, ptr %a
  %c = icmp sgt i32 %e, %best
  %new = select i1 %c, i32 %e, i32 %best
  %more = add i32 %found, 1
  %count = select i1 %c, i32 %more, i32 %found
  %j = add i64 %i, 1
  %end = icmp eq i64 %j, 100
  br i1 %end, label %exit, label %loop
exit:
  ret i32 %new
}

; The first operand of the select is the square root of a loaded number, and has no other use. Another branch compares
; `%p` later. The result of the select is stored. A rule applies to the condition.
; CHECK: "function":"root",{{.*}}"kind":"select","select":0,"features":{"answer":384,"same_tests_above":0,"is_tested_below":1,"companions":0,"kind":3,"chosen_bits":0,
; CHECK-SAME: "stored":1,{{.*}}"test":2,"predicate":1,{{.*}}"inverted":1,
; CHECK-SAME: "values":[{"features":{"source":11,{{[^}]*}}"is_here":1,"uses":1,"own_instructions":2,"own_loads":1,"own_slow":1}},{"features":{"source":1,"base":0,"constant":1,
define void @root(ptr %p, ptr %q) {
  %c = icmp ne ptr %p, null
  %v = load double, ptr %q
  %r = call double @sqrt(double %v)
  %s = select i1 %c, double %r, double 0.0
  store double %s, ptr %q
  %d = icmp eq ptr %p, null
  br i1 %d, label %x, label %y
x:
  ret void
y:
  ret void
}

; The select computes `%a && %b` for a branch. The third operand is `%a` instead of false.
; CHECK: "function":"both",{{.*}}"kind":"select","select":0,{{.*}}"kind":1,"chosen_bits":1,{{.*}}"branched":1,{{.*}}"test":7,
; CHECK-SAME: "values":[{"features":{"source":3,{{[^}]*}}"part":0,{{[^}]*}}}},{"features":{"source":3,{{[^}]*}}"part":3,
define i32 @both(i1 %a, i1 %b) {
  %t = select i1 %a, i1 %b, i1 %a
  br i1 %t, label %x, label %y
x:
  ret i32 1
y:
  ret i32 0
}

; The select chooses between two pointers, and the first pointer is computed from the second pointer. The users are a
; load and a call.
; CHECK: "function":"next",{{.*}}"kind":"select",{{.*}}"kind":2,"chosen_bits":0,"uses":2,"uses_elsewhere":0,{{.*}}"addresses":1,"returned":0,"passed":1,
; CHECK-SAME: "values":[{"features":{"source":20,{{[^}]*}}"is_from_other":1,
define void @next(ptr %p, i32 %n) {
  %a = getelementptr i8, ptr %p, i64 1
  %c = icmp eq i32 %n, 7
  %s = select i1 %c, ptr %a, ptr %p
  %v = load i32, ptr %s
  call void @use(ptr %s)
  ret void
}

; A select with a vector condition has no features.
define <2 x i32> @each(<2 x i1> %c, <2 x i32> %x) {
  %s = select <2 x i1> %c, <2 x i32> %x, <2 x i32> zeroinitializer
  ret <2 x i32> %s
}
