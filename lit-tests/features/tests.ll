; The features of a comparison are its predicate and the origins of its operands. Each function has one branch, so the
; output has one line for each function.
; RUN: %bpa -passes='rust-bpi<features>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='function(print<rust-bpi;features>)' -disable-output %s 2>&1 | FileCheck %s

declare i32 @strcmp(ptr, ptr)
declare i32 @outside()
declare i32 @llvm.ctpop.i32(i32)
@global = global i32 0

; The condition compares a byte field with 10. A parameter points to the object with the field.
; CHECK: "function":"field",{{.*}}"features":{"test":1,"predicate":1,"bits":8,"left":6,"base":3,"right":1,"constant":6,"magnitude":4,"mask_bits":0,"library":0,
define i32 @field(ptr %p) {
  %a = getelementptr { i32, i8 }, ptr %p, i64 0, i32 1
  %c = load i8, ptr %a
  %w = zext i8 %c to i32
  %t = icmp eq i32 %w, 10
  br i1 %t, label %x, label %y
x:
  ret i32 1
y:
  ret i32 0
}

; CHECK: "function":"element",{{.*}}"features":{"test":1,"predicate":3,"bits":32,"left":7,"base":2,"right":3,"constant":0,
define i32 @element(i64 %i, i32 %n) {
  %s = alloca [4 x i32]
  %a = getelementptr [4 x i32], ptr %s, i64 0, i64 %i
  %c = load i32, ptr %a
  %t = icmp slt i32 %c, %n
  br i1 %t, label %x, label %y
x:
  ret i32 1
y:
  ret i32 0
}

; CHECK: "function":"compared",{{.*}}"features":{"test":1,"predicate":1,"bits":32,"left":9,"base":0,"right":1,"constant":1,"magnitude":0,"mask_bits":0,"library":1,"turns":0,"inverted":1,
define i32 @compared(ptr %p) {
  %c = call i32 @strcmp(ptr %p, ptr %p)
  %t = icmp ne i32 %c, 0
  br i1 %t, label %x, label %y
x:
  ret i32 1
y:
  ret i32 0
}

; CHECK: "function":"masked",{{.*}}"features":{"test":1,"predicate":9,"bits":32,"left":18,"base":0,"right":11,"constant":0,"magnitude":0,"mask_bits":3,
define i32 @masked() {
  %g = load i32, ptr @global
  %m = and i32 %g, 7
  %o = call i32 @outside()
  %t = icmp ugt i32 %m, %o
  br i1 %t, label %x, label %y
x:
  ret i32 1
y:
  ret i32 0
}

; CHECK: "function":"pointers",{{.*}}"features":{"test":2,"predicate":1,"bits":0,"left":8,"base":3,"right":1,"constant":1,
define i32 @pointers(ptr %p) {
  %q = load ptr, ptr %p
  %t = icmp eq ptr %q, null
  br i1 %t, label %x, label %y
x:
  ret i32 1
y:
  ret i32 0
}

; CHECK: "function":"floats",{{.*}}"features":{"test":3,"predicate":3,"bits":0,"left":16,"base":0,"right":1,"constant":1,
define i32 @floats(double %d) {
  %s = fadd double %d, %d
  %t = fcmp ult double %s, 0.0
  br i1 %t, label %x, label %y
x:
  ret i32 1
y:
  ret i32 0
}

; CHECK: "function":"both",{{.*}}"features":{"test":4,"predicate":0,"bits":1,"left":3,{{.*}}"inverted":0,
define i32 @both(i1 %a, i1 %b) {
  %t = select i1 %a, i1 %b, i1 false
  br i1 %t, label %x, label %y
x:
  ret i32 1
y:
  ret i32 0
}

; CHECK: "function":"either",{{.*}}"features":{"test":4,"predicate":0,"bits":1,"left":3,{{.*}}"inverted":1,
define i32 @either(i1 %a, i1 %b) {
  %t = or i1 %a, %b
  br i1 %t, label %x, label %y
x:
  ret i32 1
y:
  ret i32 0
}

; CHECK: "function":"not",{{.*}}"features":{"test":7,"predicate":0,"bits":1,"left":3,{{.*}}"inverted":1,
define i32 @not(i1 %a) {
  %t = xor i1 %a, true
  br i1 %t, label %x, label %y
x:
  ret i32 1
y:
  ret i32 0
}

; CHECK: "function":"bit",{{.*}}"features":{"test":7,"predicate":0,"bits":1,"left":3,
define i32 @bit(i1 %a) {
  br i1 %a, label %x, label %y
x:
  ret i32 1
y:
  ret i32 0
}

; The condition compares a phi of the loop header with the result of an intrinsic. The branch is in the latch.
; CHECK: "function":"carried",{{.*}}"features":{"test":1,"predicate":7,"bits":32,"left":14,"base":0,"right":13,"constant":0,
define i32 @carried(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %count = call i32 @llvm.ctpop.i32(i32 %n)
  %t = icmp ult i32 %i, %count
  br i1 %t, label %loop, label %out
out:
  ret i32 %i
}

; If two cases have the same destination, the output has one successor for them.
; CHECK: "function":"cases",{{.*}}"kind":"switch","rule":"even","features":{"test":8,"predicate":0,"bits":32,"left":10,
; CHECK-SAME: "successors":[{"to":1,{{[^]]*}}"edges":1,"is_default":1,"case":0,"case_value":0,{{[^]]*}}{"to":2,{{[^]]*}}"edges":2,"is_default":0,"case":2,"case_value":1,
define i32 @cases() {
  %v = call i32 @masked()
  switch i32 %v, label %x [ i32 1, label %y
                            i32 2, label %y ]
x:
  ret i32 1
y:
  ret i32 0
}

; Blocks with a single successor have no line.
; CHECK-NOT: "function"
define i32 @none(i1 %a) {
  br i1 %a, label %x, label %x
x:
  ret i32 1
}
