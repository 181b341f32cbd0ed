; The library parses the options of a plugin's passes in the same way as the options of bpa's own passes.
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so -passes='test-print<loud>,function(test-print<times=3>),test-print<>' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s --implicit-check-not={{.}}
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so -passes='test-change<value=abc>' -S %s | FileCheck %s --check-prefix=VALUE
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so -passes='function(test-change)' -S %s | FileCheck %s --check-prefix=DEFAULT

; RUN: not %opt -load-pass-plugin=%examples/libtest_plugin.so -passes='test-print<quiet>' -o %t.out %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=ERROR --implicit-check-not=test-plugin: -DLINE="unknown option 'quiet'"
; RUN: not %opt -load-pass-plugin=%examples/libtest_plugin.so -passes='function(test-print<loud=1>)' -o %t.out %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=ERROR --implicit-check-not=test-plugin: -DLINE="option 'loud=1' needs no value"
; RUN: not %opt -load-pass-plugin=%examples/libtest_plugin.so -passes='test-print<times=2;times=2>' -o %t.out %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=ERROR --implicit-check-not=test-plugin: -DLINE="option 'times=2' is given twice"
; RUN: not %opt -load-pass-plugin=%examples/libtest_plugin.so -passes='test-print<times=4>' -o %t.out %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=ERROR --implicit-check-not=test-plugin: -DLINE="option 'times=4' needs a number from 1 to 3"
; RUN: not %opt -load-pass-plugin=%examples/libtest_plugin.so -passes='test-print<loud;times=2>' -o %t.out %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=APART --implicit-check-not=test-plugin:
; ERROR: test-plugin: test-print: [[LINE]]; valid options are: times=N, loud
; APART: test-plugin: test-print: option 'loud' cannot be used with option 'times'; with 'times', no other option is valid

; If a pass without options gets an option, the error states that the pass has no options.
; RUN: not %opt -load-pass-plugin=%examples/libtest_plugin.so -passes='test-name<all>' -o %t.out %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=NONE --implicit-check-not=test-plugin:
; NONE: test-plugin: test-name: unknown option 'all'; this pass has no options
; RUN: not ls %t.out

; CHECK: f!
; CHECK-NEXT: f
; CHECK-NEXT: f
; CHECK-NEXT: f
; CHECK-NEXT: f
; VALUE: "test"="abc"
; DEFAULT: "test"="none"
define void @f() {
  ret void
}
