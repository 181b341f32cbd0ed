; From LLVM 24 on, LLVM identifies a string comparison function by name and prototype. The prototype has two pointer
; parameters. Some functions have a third parameter, a length of type `size_t`. The result has the target's type `int`.
; Before LLVM 24, LLVM compares only the name.
; RUN: rm -rf %t && split-file %s %t
; RUN: %bpa -passes='rust-bpi<like=23>' -disable-output %t/right.ll 2>&1 | FileCheck %s --check-prefix=RIGHT
; RUN: %bpa -passes='rust-bpi<like=24>' -disable-output %t/right.ll 2>&1 | FileCheck %s --check-prefix=RIGHT
; RUN: %bpa -passes='rust-bpi<like=23>' -disable-output %t/wrong.ll 2>&1 | FileCheck %s --check-prefix=NAME
; RUN: %bpa -passes='rust-bpi<like=24>' -disable-output %t/wrong.ll 2>&1 | FileCheck %s --check-prefix=PROTOTYPE
; RUN: %bpa -passes='rust-bpi<like=24>' -disable-output %t/32-bits.ll 2>&1 | FileCheck %s --check-prefix=BITS32
; RUN: %bpa -passes='rust-bpi<like=24>' -disable-output %t/16-bits.ll 2>&1 | FileCheck %s --check-prefix=BITS16
; RUN: %bpa -passes='rust-bpi<explain;like=24>' -disable-output %t/wrong.ll 2>&1 | FileCheck %s --check-prefix=EXPLAIN
; RUN: %check %t/right.ll
; RUN: %check %t/wrong.ll
; RUN: %check %t/32-bits.ll
; RUN: %check %t/16-bits.ll

; RIGHT-COUNT-6: edge %entry -> %then probability is 0x30000000 / 0x80000000 = 37.50%
; NAME-COUNT-6: edge %entry -> %then probability is 0x30000000 / 0x80000000 = 37.50%
; PROTOTYPE-COUNT-6: edge %entry -> %then probability is 0x40000000 / 0x80000000 = 50.00%

; BITS32: for function 'has_32'
; BITS32: edge %entry -> %then probability is {{.*}} = 37.50%
; BITS32: for function 'has_64'
; BITS32: edge %entry -> %then probability is {{.*}} = 50.00%

; BITS16: for function 'yields_16'
; BITS16: edge %entry -> %then probability is {{.*}} = 37.50%
; BITS16: for function 'yields_32'
; BITS16: edge %entry -> %then probability is {{.*}} = 50.00%
; BITS16: for function 'has_16'
; BITS16: edge %entry -> %then probability is {{.*}} = 37.50%

; EXPLAIN: edge %entry -> %then probability
; EXPLAIN-NEXT: even, 1 of 2

;--- right.ll
declare i32 @bcmp(ptr, ptr, i64)
declare i32 @memcmp(ptr, ptr, i64)
declare i32 @strcmp(ptr, ptr)
declare i32 @strncmp(ptr, ptr, i64)
declare i32 @strcasecmp(ptr, ptr)
declare i32 @strncasecmp(ptr, ptr, i64)
define void @calls_bcmp(ptr %p, ptr %q, i64 %n) {
entry:
  %r = call i32 @bcmp(ptr %p, ptr %q, i64 %n)
  %c = icmp eq i32 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
define void @calls_memcmp(ptr %p, ptr %q, i64 %n) {
entry:
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 %n)
  %c = icmp eq i32 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
define void @calls_strcmp(ptr %p, ptr %q, i64 %n) {
entry:
  %r = call i32 @strcmp(ptr %p, ptr %q)
  %c = icmp eq i32 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
define void @calls_strncmp(ptr %p, ptr %q, i64 %n) {
entry:
  %r = call i32 @strncmp(ptr %p, ptr %q, i64 %n)
  %c = icmp eq i32 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
define void @calls_strcasecmp(ptr %p, ptr %q, i64 %n) {
entry:
  %r = call i32 @strcasecmp(ptr %p, ptr %q)
  %c = icmp eq i32 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
define void @calls_strncasecmp(ptr %p, ptr %q, i64 %n) {
entry:
  %r = call i32 @strncasecmp(ptr %p, ptr %q, i64 %n)
  %c = icmp eq i32 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
;--- wrong.ll
declare i32 @bcmp(ptr, ptr, i32)
declare i32 @memcmp(i64, ptr, i64)
declare i32 @strcmp(ptr)
declare i32 @strncmp(ptr, ptr, i64, i64)
declare i32 @strcasecmp(ptr, ptr, ...)
declare i64 @strncasecmp(ptr, ptr, i64)
define void @shorter_length(ptr %p, ptr %q, i64 %n) {
entry:
  %r = call i32 @bcmp(ptr %p, ptr %q, i32 5)
  %c = icmp eq i32 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
define void @no_pointer(ptr %p, ptr %q, i64 %n) {
entry:
  %r = call i32 @memcmp(i64 %n, ptr %q, i64 %n)
  %c = icmp eq i32 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
define void @one_too_few(ptr %p, ptr %q, i64 %n) {
entry:
  %r = call i32 @strcmp(ptr %p)
  %c = icmp eq i32 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
define void @one_too_many(ptr %p, ptr %q, i64 %n) {
entry:
  %r = call i32 @strncmp(ptr %p, ptr %q, i64 %n, i64 %n)
  %c = icmp eq i32 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
define void @any_number(ptr %p, ptr %q, i64 %n) {
entry:
  %r = call i32 (ptr, ptr, ...) @strcasecmp(ptr %p, ptr %q)
  %c = icmp eq i32 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
define void @wider_result(ptr %p, ptr %q, i64 %n) {
entry:
  %r = call i64 @strncasecmp(ptr %p, ptr %q, i64 %n)
  %c = icmp eq i64 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
;--- 32-bits.ll
target datalayout = "e-p:32:32"
declare i32 @bcmp(ptr, ptr, i32)
declare i32 @memcmp(ptr, ptr, i64)
define void @has_32(ptr %p, ptr %q, i32 %n) {
entry:
  %r = call i32 @bcmp(ptr %p, ptr %q, i32 %n)
  %c = icmp eq i32 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
define void @has_64(ptr %p, ptr %q, i64 %n) {
entry:
  %r = call i32 @memcmp(ptr %p, ptr %q, i64 %n)
  %c = icmp eq i32 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
;--- 16-bits.ll
target datalayout = "e-p:16:8"
target triple = "avr"
declare i16 @strcmp(ptr, ptr)
declare i32 @strcasecmp(ptr, ptr)
declare i16 @memcmp(ptr, ptr, i16)
define void @yields_16(ptr %p, ptr %q) {
entry:
  %r = call i16 @strcmp(ptr %p, ptr %q)
  %c = icmp eq i16 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
define void @yields_32(ptr %p, ptr %q) {
entry:
  %r = call i32 @strcasecmp(ptr %p, ptr %q)
  %c = icmp eq i32 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
define void @has_16(ptr %p, ptr %q, i16 %n) {
entry:
  %r = call i16 @memcmp(ptr %p, ptr %q, i16 %n)
  %c = icmp eq i16 %r, 7
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
