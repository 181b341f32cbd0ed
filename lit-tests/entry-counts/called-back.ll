; A library gets functions only in tables of constants: the closure that Rust's library calls, and a table of C. The
; library calls one of the entries of each type.
; RUN: %bpa -passes='rust-entry-counts' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='rust-entry-counts<annotate>' -S %s | FileCheck %s --check-prefix=ANNOTATED
; RUN: %bpa -passes='rust-entry-counts<json>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=JSON

; CHECK-DAG: - main: calls = 1.0, {{.*}}runs once: main
; CHECK-DAG: - user_main: calls = 1.0, {{.*}}from call_once (50%) and call_mut (50%)
; CHECK-DAG: - call_once: calls = 0.5, {{.*}}called back: a library calls it through a pointer
; CHECK-DAG: - opened: calls = 1.0, {{.*}}called back
; CHECK-DAG: - stored: calls = 1.0, {{.*}}called back
; CHECK-DAG: - dead: calls = 0.0, {{.*}}not called{{$}}
; CHECK-DAG: - visible: calls = 0.0, {{.*}}not called in this module
; Only other modules can call `visible`, so its calls are unknown.
; ANNOTATED-NOT: Function Attrs: {{.*}}cold
; ANNOTATED: Function Attrs: {{.*}}cold
; ANNOTATED-NEXT: define internal void @dead()
; ANNOTATED-NOT: Function Attrs: {{.*}}cold
; JSON: "function":"opened"{{.*}}"start":"called back"

@closure = private constant { [2 x i64], ptr, ptr } { [2 x i64] [i64 8, i64 8], ptr @call_once, ptr @call_mut }
@table = private constant [1 x ptr] [ptr @opened]
@slot = global ptr null

declare i32 @start_runtime(ptr, ptr)
declare void @serve(ptr)

define i32 @main() {
  store ptr @stored, ptr @slot
  call void @serve(ptr @table)
  %code = call i32 @start_runtime(ptr null, ptr @closure)
  ret i32 %code
}

define internal i32 @call_once(ptr %closure) {
  call void @user_main()
  ret i32 0
}

define internal i32 @call_mut(ptr %closure) {
  call void @user_main()
  ret i32 1
}

define internal void @user_main() noinline {
  ret void
}

define internal void @opened(i64 %file) {
  ret void
}

define internal void @stored(i16 %signal) {
  ret void
}

define internal void @dead() {
  ret void
}

define void @visible() {
  ret void
}
