; The estimate follows all kinds of calls from main: calls in loops, `invoke`s, and calls through aliases and pointers.
; The estimate also counts calls of functions that are passed as arguments. A call in a block with frequency 32 counts
; as 5.7 calls, the square root of 32.
; RUN: %bpa -passes=rust-entry-counts -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='print<rust-entry-counts>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='rust-entry-counts,default<O1>' -disable-output %s 2>&1 | FileCheck %s

; CHECK: Entry counts of module '{{.*}}calls.ll':
; CHECK-NEXT: - main: calls = 1.0, time = {{[0-9.]+}}%, runs once: main
; CHECK-NEXT: - compare: calls = 100.0, time = {{[0-9.]+}}%, from main (100%)
; CHECK-NEXT: - looped: calls = 5.6569, time = {{[0-9.]+}}%, from main (100%)
; CHECK-NEXT: - twice: calls = 2.0, time = {{[0-9.]+}}%, from main (100%)
; CHECK-NEXT: - half: calls = 1.7071, time = {{[0-9.]+}}%, from a pointer to one of 2 functions (59%) and main (41%)
; CHECK-NEXT: - other: calls = 1.0, time = {{[0-9.]+}}%, from a pointer to one of 2 functions (100%)
; CHECK-NEXT: - thread: calls = 1.0, time = {{[0-9.]+}}%, from main (100%)
; CHECK-NEXT: - before: calls = 1.0, time = {{[0-9.]+}}%, runs once: before main or after it
; CHECK-NEXT: - alone: calls = 0.0, time = 0.00%, not called
; CHECK-EMPTY:

@table = global [2 x ptr] [ptr @half, ptr @other]
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @before, ptr null }]
@llvm.used = appending global [1 x ptr] [ptr @alone], section "llvm.metadata"
@name = alias void (), ptr @twice

declare void @qsort(ptr, i64, i64, ptr)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @__gxx_personality_v0(...)

define i32 @main(i32 %x, ptr %data) personality ptr @__gxx_personality_v0 {
entry:
  call void @qsort(ptr %data, i64 9, i64 4, ptr @compare)
  %created = call i32 @pthread_create(ptr %data, ptr null, ptr @thread, ptr null)
  %taken = load ptr, ptr @table
  call void %taken(i32 %x)
  call void %taken(i32 %x)
  call void @twice()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  call void @looped()
  %more = icmp slt i32 %next, %x
  br i1 %more, label %loop, label %on
on:
  %odd = trunc i32 %x to i1
  br i1 %odd, label %then, label %end
then:
  call void @half(i32 0)
  br label %end
end:
  invoke void @name() to label %good unwind label %bad
good:
  ret i32 0
bad:
  %p = landingpad { ptr, i32 } cleanup
  ret i32 1
}

define internal void @looped() {
  ret void
}

define internal void @twice() {
  ret void
}

define internal void @half(i32 %x) {
  ret void
}

define internal void @other(i32 %x) {
  ret void
}

define internal ptr @thread(ptr %x) {
  ret ptr null
}

define internal i32 @compare(ptr %x, ptr %y) {
  ret i32 0
}

define internal void @before() {
  ret void
}

define internal void @alone() {
  ret void
}
