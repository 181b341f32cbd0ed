; If a plugin and a copy of the plugin add the same pass, the pass runs once. If one plugin adds a pass twice, the pass
; runs twice. From LLVM 24 on, `opt` rejects the copy of a loaded plugin (host/twice-refused.ll).
; UNSUPPORTED: llvm-ge-24
; RUN: cp %examples/libtest_plugin.so %t.copy.so
; RUN: env TEST_EXTEND='optimizer-last:test-name optimizer-last:test-name' %opt -load-pass-plugin=%examples/libtest_plugin.so \
; RUN:   -load-pass-plugin=%t.copy.so -load-pass-plugin=%examples/libtest_plugin.so -passes='default<O1>' -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --implicit-check-not={{.}}

; CHECK: f
; CHECK-NEXT: f
define void @f() {
  ret void
}
