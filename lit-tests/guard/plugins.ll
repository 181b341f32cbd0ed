; A panic in a closure of another plugin is reported in one line. The exit status is 1, and no module is written. The
; panic can happen in a function pass, in a module pass, or while the plugin creates a pass from options.
; RUN: sh -c '%opt -load-pass-plugin=%examples/libtest_plugin.so -passes=test-panic -o %t.out %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s --match-full-lines --implicit-check-not={{.}} --check-prefix=FUNCTION
; RUN: sh -c '%opt -load-pass-plugin=%examples/libtest_plugin.so -passes=test-panic-after-another -o %t.out %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s --match-full-lines --implicit-check-not={{.}} --check-prefix=ANOTHER
; RUN: sh -c '%opt -load-pass-plugin=%examples/libtest_plugin.so -passes=test-module-panic -o %t.out %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s --match-full-lines --implicit-check-not={{.}} --check-prefix=MODULE
; RUN: env BPA_PIPELINE=pipeline-start:test-module-panic \
; RUN:   sh -c '%opt -load-pass-plugin=%examples/libtest_plugin.so -passes="default<O1>" -o %t.out %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s --match-full-lines --implicit-check-not={{.}} --check-prefix=MODULE
; RUN: sh -c '%opt -load-pass-plugin=%examples/libtest_plugin.so -passes="function(test-make-panic<a>)" -o %t.out %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s --match-full-lines --implicit-check-not={{.}} --check-prefix=MAKE
; RUN: not ls %t.out

; bpa also prints the message if a thread of a pass panics, or if a second panic ends the process.
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so -passes=test-panic-on-thread -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=THREAD
; RUN: not --crash %opt -load-pass-plugin=%examples/libtest_plugin.so -passes=test-panic-twice -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=TWICE
; RUN: sh -c 'RUST_BACKTRACE=1 %opt -load-pass-plugin=%examples/libtest_plugin.so -passes=test-panic -disable-output %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s --check-prefix=BACKTRACE

; THREAD: of a thread
; TWICE: the first
; TWICE: the second
; BACKTRACE: there is no f
; BACKTRACE-NEXT: stack backtrace:
; BACKTRACE: test-plugin: internal error in test-panic on function 'f': there is no f

; FUNCTION: test-plugin: internal error in test-panic on function 'f': there is no f ({{.*}}plugin.rs:{{[0-9]+}})
; ANOTHER: test-plugin: internal error in test-panic-after-another on function 'f': there is no f ({{.*}}plugin.rs:{{[0-9]+}})
; MODULE: test-plugin: internal error in test-module-panic on module '{{.*}}plugins.ll': no\nmodule ({{.*}}plugin.rs:{{[0-9]+}})
; MAKE: test-plugin: internal error in reading 'test-make-panic<a>': test-make-panic has no option called 'b' ({{.*}})
define void @f() {
  ret void
}
