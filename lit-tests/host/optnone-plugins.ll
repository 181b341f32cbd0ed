; A plugin pass that changes functions skips functions with `optnone`, also outside of `function(...)`. Printers
; process all functions.
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so -passes=test-change -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so -passes='function(test-change)' -S %s | FileCheck %s
; RUN: env BPA_PIPELINE=optimizer-last:test-change,pipeline-start:test-print %opt -load-pass-plugin=%examples/libtest_plugin.so \
; RUN:   -passes='default<O1>' -S %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=PRINT --implicit-check-not={{.}}
; RUN: FileCheck %s < %t.ll
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so -passes=test-print -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=PRINT --implicit-check-not={{.}}
; The debug log lists the skipped functions.
; RUN: env RUST_LOG=bpa=debug %opt -load-pass-plugin=%examples/libtest_plugin.so -passes=test-change -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=LOG

; CHECK: define void @kept(){{.*}} #[[KEPT:[0-9]+]]
; CHECK: define void @changed(){{.*}} #[[CHANGED:[0-9]+]]
; CHECK: attributes #[[KEPT]] = {
; CHECK-NOT: test
; CHECK-SAME: }
; CHECK: attributes #[[CHANGED]] = { {{.*}}"test"="none"
; PRINT: kept
; PRINT-NEXT: changed
; LOG: test-change skips 'kept' because of its attribute optnone
define void @kept() noinline optnone {
  ret void
}
define void @changed() {
  ret void
}
