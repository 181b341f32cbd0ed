; The predictions that `score` compares with the profile ignore expectations. A branch that tests an expected value has
; the same prediction as a branch that tests the value itself.
; RUN: %bpa -passes='rust-bpi<score;json>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='function(rust-bpi<score;json>)' -disable-output %s 2>&1 | FileCheck %s
; `score` does not change the module.
; RUN: %bpa -passes='rust-bpi<score;json;output=%t.scores>' -S %s -o %t.after.ll
; RUN: %opt -passes=verify -S %s -o %t.before.ll
; RUN: diff %t.before.ll %t.after.ll
; The numbers of `rust-bpi` are LLVM's numbers.
; RUN: %bpa -passes='rust-bpi<score;json;output=%t.scores>,rust-bpi<check>' -disable-output %s

declare i1 @llvm.expect.i1(i1, i1)
declare i64 @llvm.expect.i64(i64, i64)
declare i64 @llvm.expect.with.probability.i64(i64, i64, double)
declare i32 @strcmp(ptr, ptr)

; CHECK: "function":"less",{{.*}}"rule":"even",{{.*}}"condition":{"predicate":"icmp slt","operands":["%x","%y"]}
define i32 @less(i32 %x, i32 %y) !prof !0 {
; if (__builtin_expect(x < y, 1)) in C
  %c = icmp slt i32 %x, %y
  %z = zext i1 %c to i32
  %s = sext i32 %z to i64
  %e = call i64 @llvm.expect.i64(i64 %s, i64 1)
  %t = icmp ne i64 %e, 0
  br i1 %t, label %yes, label %no, !prof !1
yes:
  ret i32 1
no:
  ret i32 2
}

; CHECK: "function":"likely",{{.*}}"rule":"constant",{{.*}}"numerator":1342177280,{{.*}}"numerator":805306368,
define i32 @likely(i32 %x) !prof !0 {
; if (x > 0) [[likely]]
  %c = icmp sgt i32 %x, 0
  %e = call i1 @llvm.expect.i1(i1 %c, i1 true)
  br i1 %e, label %yes, label %no, !prof !1
yes:
  ret i32 1
no:
  ret i32 2
}

; CHECK: "function":"null",{{.*}}"rule":"pointer","condition":"pointer.equal",{{.*}}"numerator":805306368,{{.*}}"numerator":1342177280,
define i32 @null(ptr %p) !prof !0 {
; if (__builtin_expect_with_probability(!p, 1, 0.9))
  %c = icmp ne ptr %p, null
  %n = xor i1 %c, true
  %z = zext i1 %n to i64
  %e = call i64 @llvm.expect.with.probability.i64(i64 %z, i64 1, double 0.9)
  %t = icmp ne i64 %e, 0
  br i1 %t, label %yes, label %no, !prof !1
yes:
  ret i32 1
no:
  ret i32 2
}

; CHECK: "function":"mask",{{.*}}"rule":"even",
define i32 @mask(i32 %x) !prof !0 {
; if (__builtin_expect(x & 4, 0))
  %m = and i32 %x, 4
  %s = sext i32 %m to i64
  %e = call i64 @llvm.expect.i64(i64 %s, i64 0)
  %t = icmp ne i64 %e, 0
  br i1 %t, label %yes, label %no, !prof !1
yes:
  ret i32 1
no:
  ret i32 2
}

; CHECK: "function":"number",{{.*}}"rule":"even",
define i32 @number(i32 %x) !prof !0 {
; if (__builtin_expect(x, 3) == 3)
  %s = sext i32 %x to i64
  %e = call i64 @llvm.expect.i64(i64 %s, i64 3)
  %t = icmp eq i64 %e, 3
  br i1 %t, label %yes, label %no, !prof !1
yes:
  ret i32 1
no:
  ret i32 2
}

; CHECK: "function":"string",{{.*}}"rule":"constant",
define i32 @string(ptr %p, ptr %q) !prof !0 {
; if (__builtin_expect(strcmp(p, q), 1) == 0)
  %r = call i32 @strcmp(ptr %p, ptr %q)
  %s = sext i32 %r to i64
  %e = call i64 @llvm.expect.i64(i64 %s, i64 1)
  %t = icmp eq i64 %e, 0
  br i1 %t, label %yes, label %no, !prof !1
yes:
  ret i32 1
no:
  ret i32 2
}

; CHECK: "function":"wide",{{.*}}"rule":"even",
define i32 @wide(i8 %x) !prof !0 {
; 300 has more than 8 bits, so the comparison remains.
  %z = zext i8 %x to i64
  %e = call i64 @llvm.expect.i64(i64 %z, i64 1)
  %t = icmp eq i64 %e, 300
  br i1 %t, label %yes, label %no, !prof !1
yes:
  ret i32 1
no:
  ret i32 2
}

; CHECK: "function":"nested",{{.*}}"rule":"even",{{.*}}"condition":{"predicate":"icmp slt","operands":["%x","%y"]}
define i32 @nested(i32 %x, i32 %y) !prof !0 {
; if (__builtin_expect(x < y, 1)) [[likely]]
  %c = icmp slt i32 %x, %y
  %z = zext i1 %c to i64
  %e = call i64 @llvm.expect.i64(i64 %z, i64 1)
  %t = icmp ne i64 %e, 0
  %l = call i1 @llvm.expect.i1(i1 %t, i1 true)
  br i1 %l, label %yes, label %no, !prof !1
yes:
  ret i32 1
no:
  ret i32 2
}

; The blocks have no names. The second branch is in the block %5.
; CHECK: "function":"numbers",{{.*}}"block":"%0","number":0,{{.*}}"rule":"constant",
; CHECK-NEXT: "function":"numbers",{{.*}}"block":"%5","number":2,
define i32 @numbers(i32 %x, i32 %y) !prof !0 {
; if (__builtin_expect(x != 0, 0)), where the condition has been simplified
  %1 = sext i32 %x to i64
  %2 = call i64 @llvm.expect.i64(i64 %1, i64 0)
  %3 = icmp ne i64 %2, 0
  br i1 %3, label %4, label %5, !prof !1
4:
  ret i32 1
5:
  %6 = icmp slt i32 %x, %y
  br i1 %6, label %7, label %8, !prof !1
7:
  ret i32 1
8:
  ret i32 2
}

; CHECK: "function":"unreachable",
define i32 @unreachable() !prof !0 {
  br i1 true, label %yes, label %no, !prof !1
dead:
  %e = call i1 @llvm.expect.i1(i1 %e, i1 true)
  br i1 %e, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

!0 = !{!"function_entry_count", i64 100}
!1 = !{!"branch_weights", i32 90, i32 10}
