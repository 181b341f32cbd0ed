; A function that ends the process runs at most once, even if it is called through wrappers. The branches of main have
; profiled weights, so the count of a call in main is the frequency of the block with the call.
; RUN: %bpa -passes='print<rust-entry-counts>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-DAG: - main: calls = 1.0, {{.*}}, runs once: main{{$}}
; CHECK-DAG: - check: calls = 40.0, {{.*}}from main (100%){{$}}
; CHECK-DAG: - wrapper: calls = 1.0, {{.*}}, never returns: called at most once
; CHECK-DAG: - die: calls = 1.0, {{.*}}, never returns: called at most once
; CHECK-DAG: - print_text: calls = 1.0, {{.*}}from die (100%){{$}}

declare void @exit(i32) noreturn

define i32 @main(i1 %c) !prof !1 {
  br label %loop
loop:
  call void @check(i1 %c)
  br i1 %c, label %loop, label %end, !prof !0
end:
  ret i32 0
}

define internal void @check(i1 %c) {
  br i1 %c, label %bad, label %good
bad:
  call void @wrapper()
  br label %good
good:
  ret void
}

define internal void @wrapper() {
  call void @die()
  ret void
}

define internal void @die() {
  call void @print_text()
  call void @exit(i32 1)
  unreachable
}

define internal void @print_text() {
  ret void
}

!0 = !{!"branch_weights", i32 39, i32 1}
!1 = !{!"function_entry_count", i64 7}
