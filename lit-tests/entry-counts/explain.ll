; `explain=NAME` explains the count of one function. A function that the module does not define is an error.
; RUN: %bpa -passes='rust-entry-counts<explain=f>' -disable-output %s 2>&1 | FileCheck %s
; RUN: rm -rf %t && mkdir %t
; RUN: %bpa -passes='print<rust-entry-counts;explain=f;output=%t/x>' -disable-output %s 2>&1 | count 0
; RUN: FileCheck %s < %t/x
; RUN: not %bpa -passes='rust-entry-counts<explain=g>' -o %t/module %s 2>&1 | FileCheck %s --check-prefix=NONE
; RUN: not ls %t/module
; RUN: %bpa -passes='rust-entry-counts<json>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=JSON

; CHECK: Entry count of 'f' in module '{{.*}}explain.ll':
; CHECK-NEXT: calls = 2.0, instructions = 4.0, time = 57.14%
; CHECK-NEXT: called by main 2.0 times
; CHECK-NEXT: calls g 2.0 times
; CHECK-EMPTY:
; NONE: bpa: rust-entry-counts: module '{{.*}}explain.ll' defines no function 'g'
; JSON: {"format":3,"analysis":"rust-entry-counts","llvm":{{[0-9]+}},"predictor":"llvm","module":"{{.*}}explain.ll","function":"f","calls":{"digits":"{{[0-9]+}}","exponent":{{-?[0-9]+}},"value":2.0},"instructions":{{.*}}"value":4.0},"instructions_per_call":{{.*}}"value":2.0},"percent":57.142857{{[0-9]*}},"never_returns":false,"callers":[{"function":"main","calls":{{.*}}}],"callees":[{"function":"g","calls":{{.*}}}]}
; JSON-NEXT: "function":"main",{{.*}}"start":"main"

declare void @g()

define internal void @f() {
  call void @g()
  ret void
}

define i32 @main() {
  call void @f()
  call void @f()
  ret i32 0
}
