; The code of a plugin can add passes at extension points. This plugin, or a plugin that was loaded earlier, must define
; the passes. The added passes run first, in the order of their addition. Then the passes in BPA_PIPELINE run.
; RUN: env TEST_EXTEND='optimizer-last:test-print<loud> optimizer-last:test-print<times=2> optimizer-last:test-list' \
; RUN:   BPA_PIPELINE='optimizer-last:test-name' %opt -load-pass-plugin=%examples/libtest_plugin.so -passes='default<O1>' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s --implicit-check-not={{.}}
; RUN: env TEST_EXTEND='scalar-optimizer-late:test-print<loud> pipeline-start:rust-bpi<annotate> optimizer-last:counters' \
; RUN:   %opt -load-pass-plugin=%plugin -load-pass-plugin=%examples/libcounters.so \
; RUN:   -load-pass-plugin=%examples/libtest_plugin.so -passes='default<O1>' -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=OTHERS --implicit-check-not={{.}}
; A pipeline that `-passes` lists has no extension points.
; RUN: env TEST_EXTEND='optimizer-last:test-print<loud>' %opt -load-pass-plugin=%examples/libtest_plugin.so -passes=dce \
; RUN:   -disable-output %s 2>&1 | count 0
; A pass that is added twice runs twice.
; RUN: env TEST_EXTEND='optimizer-last:test-name optimizer-last:test-name' %opt -load-pass-plugin=%examples/libtest_plugin.so \
; RUN:   -passes='default<O1>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=TWICE --implicit-check-not={{.}}
; bpa reports every invalid extension in one line.
; RUN: not env TEST_EXTEND='optimizer-lost:test-name' %opt -load-pass-plugin=%examples/libtest_plugin.so -passes='default<O1>' \
; RUN:   -o %t.out %s 2>&1 | FileCheck %s --check-prefix=LOST --implicit-check-not={{.}} --match-full-lines
; RUN: not env TEST_EXTEND='optimizer-last:test-nothing' %opt -load-pass-plugin=%examples/libtest_plugin.so -passes=dce \
; RUN:   -o %t.out %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN --implicit-check-not={{.}} --match-full-lines
; RUN: not env TEST_EXTEND='optimizer-last:test-name,test-name' %opt -load-pass-plugin=%examples/libtest_plugin.so -passes=dce \
; RUN:   -o %t.out %s 2>&1 | FileCheck %s --check-prefix=TWO --implicit-check-not={{.}} --match-full-lines
; RUN: not env TEST_EXTEND='optimizer-last:test-print<times=9>' %opt -load-pass-plugin=%examples/libtest_plugin.so -passes=dce \
; RUN:   -o %t.out %s 2>&1 | FileCheck %s --check-prefix=OPTION --implicit-check-not={{.}} --match-full-lines
; RUN: not env TEST_EXTEND='peephole:test-list' %opt -load-pass-plugin=%examples/libtest_plugin.so -passes=dce \
; RUN:   -o %t.out %s 2>&1 | FileCheck %s --check-prefix=MODULE --implicit-check-not={{.}} --match-full-lines
; RUN: not ls %t.out

; CHECK: f!
; CHECK-NEXT: f
; CHECK-NEXT: f
; CHECK-NEXT: module {{.*}}by-code.ll
; CHECK-NEXT: f %0 1.0
; CHECK-NEXT: f
; OTHERS: f!
; OTHERS-NEXT: f: counters on{{.*}}
; OTHERS-NEXT: {{ *}}%0 -> return{{.*}}
; TWICE: f
; TWICE-NEXT: f
; LOST: test-plugin: unknown extension point 'optimizer-lost'; extension points are: pipeline-start, {{.*}}
; UNKNOWN: test-plugin: unknown pass 'test-nothing' for the extension point 'optimizer-last'
; TWO: test-plugin: unknown pass 'test-name,test-name' for the extension point 'optimizer-last'
; OPTION: test-plugin: optimizer-last: test-print: option 'times=9' needs a number from 1 to 3; valid options are: times=N, loud
; MODULE: test-plugin: peephole: test-list: this pass works on modules, so it cannot be in a pipeline of function passes, as at 'peephole'
define void @f() {
  ret void
}
