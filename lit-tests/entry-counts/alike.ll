; If all functions have equal counts, no function is cold, although the count equals the threshold for cold functions.
; RUN: %bpa -passes='rust-entry-counts<annotate;write=attributes>' -S %s | FileCheck %s
; RUN: %bpa -passes='rust-entry-counts<annotate;write=cold>' -S %s | FileCheck %s

; CHECK-NOT: cold
; CHECK: define void @f() {
; CHECK: define void @g() {
; CHECK-NOT: { cold }
define void @f() {
  ret void
}

define void @g() {
  ret void
}
