; The features of a successor describe its instructions, its returned value, and its use of the compared value.
; RUN: %bpa -passes='rust-bpi<features>' -disable-output %s 2>&1 | FileCheck %s

declare void @complain(ptr)
declare void @exit(i32) noreturn
@text = private constant [5 x i8] c"none\00"

; If the pointer is null, the successor passes a string to a function, and the returned phi is -1. If the pointer is
; not null, the successor uses the pointer.
; CHECK: "function":"checked",{{.*}}"successors":[{"to":1,"numerator":{{[0-9]+}},"features":{"answer":{{[0-9]+}},"estimate":0,"never_completes":0,
; CHECK-SAME: "uses_tested":0,"constants":0,"returned":3,"terminator":1,"targets":1,"instructions":2,"calls":1,"indirect_calls":0,"text_calls":1,"loads":0,"stores":0,"phis":0,
; CHECK-SAME: "region_blocks":1,"region_calls":1,"region_text_calls":1,"region_loads":0,"region_stores":0,"region_loops":0,"region_ends":0}}
; CHECK-SAME: {"to":2,
; CHECK-SAME: "uses_tested":1,"constants":0,"returned":7,"terminator":1,"targets":1,"instructions":4,"calls":1,"indirect_calls":1,"text_calls":0,"loads":1,"stores":1,"phis":0,
define i32 @checked(ptr %p) {
entry:
  %null = icmp eq ptr %p, null
  br i1 %null, label %bad, label %good
bad:
  call void @complain(ptr @text)
  br label %end
good:
  %f = load ptr, ptr %p
  %r = call i32 %f()
  store i32 %r, ptr %p
  br label %end
end:
  %result = phi i32 [ -1, %bad ], [ %r, %good ]
  ret i32 %result
}

; The phi gets the constant directly from the block of the branch.
; CHECK: "function":"early",{{.*}}"successors":[{"to":2,{{[^]]*}}"constants":1,"returned":2,"terminator":0,{{[^]]*}}{"to":1,{{[^]]*}}"noreturn_call":1,{{[^]]*}}"returned":0,"terminator":7,
define ptr @early(i1 %c) {
  br i1 %c, label %end, label %stop
stop:
  call void @exit(i32 1)
  unreachable
end:
  %result = phi ptr [ null, %0 ]
  ret ptr %result
}
