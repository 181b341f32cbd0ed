; The plugin has a module pass. A function without external callers is cold if only cold blocks and cold functions
; call the function. In this test, a block is cold if it ends in `unreachable`. The function @complain is cold.
; Therefore @write is cold: outside of cold blocks, only @complain calls @write. The test also has five functions that
; are not cold. Every path of @f calls @used. The address of @taken is taken. External functions can call @visible. One
; of the two calls to @both is not cold. Only @alone calls @alone.
; RUN: %opt -load-pass-plugin=%examples/libcold_functions.so -passes='mark-cold-functions<explain>' -S %s -o %t.ll 2>&1 \
; RUN:   | FileCheck %s --check-prefix=EXPLAIN --implicit-check-not={{.}}
; RUN: FileCheck %s < %t.ll
; The pass can be at every position where module passes are allowed.
; RUN: %opt -load-pass-plugin=%examples/libcold_functions.so -passes='function(simplifycfg),mark-cold-functions<>' -S %s | FileCheck %s
; RUN: env BPA_PIPELINE='optimizer-last:mark-cold-functions<percent=100;explain>' \
; RUN:   %opt -load-pass-plugin=%examples/libcold_functions.so -passes='default<O0>' -S %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=ALL
; The default position is the start of the pipeline.
; RUN: %opt -load-pass-plugin=%examples/libcold_functions.so -passes='default<O0>' -S %s | FileCheck %s

; The library parses the options, and reports every invalid option in one line.
; RUN: not %opt -load-pass-plugin=%examples/libcold_functions.so -passes='mark-cold-functions<cent=3>' -o %t.out %s 2>&1 \
; RUN:   | FileCheck %s --implicit-check-not=cold-functions: --check-prefix=UNKNOWN
; RUN: not %opt -load-pass-plugin=%examples/libcold_functions.so -passes='mark-cold-functions<percent=101>' -o %t.out %s 2>&1 \
; RUN:   | FileCheck %s --implicit-check-not=cold-functions: --check-prefix=VALUE
; RUN: not %opt -load-pass-plugin=%examples/libcold_functions.so -passes='mark-cold-functions<explain;explain>' -o %t.out %s 2>&1 \
; RUN:   | FileCheck %s --implicit-check-not=cold-functions: --check-prefix=TWICE
; RUN: not %opt -load-pass-plugin=%examples/libcold_functions.so -passes='mark-cold-functions<explain' -o %t.out %s 2>&1 \
; RUN:   | FileCheck %s --implicit-check-not=cold-functions: --check-prefix=BRACKETS
; The pass is a module pass, so a function pipeline cannot contain it.
; RUN: not %opt -load-pass-plugin=%examples/libcold_functions.so -passes='function(mark-cold-functions)' -o %t.out %s 2>&1 \
; RUN:   | FileCheck %s --implicit-check-not=cold-functions: --check-prefix=FUNCTION
; RUN: not env BPA_PIPELINE='peephole:mark-cold-functions' %opt -load-pass-plugin=%examples/libcold_functions.so \
; RUN:   -passes='default<O1>' -o %t.out %s 2>&1 | FileCheck %s --implicit-check-not=cold-functions: --check-prefix=POINT
; RUN: not ls %t.out

; EXPLAIN: complain: all 2 calls are cold
; EXPLAIN-NEXT: write: all 1 calls are cold

; CHECK: define internal void @write() #[[COLD:[0-9]+]]
; CHECK: define internal void @complain() #[[COLD]]
; CHECK: define internal void @used() {
; CHECK: define internal void @taken() {
; CHECK: define void @visible() {
; CHECK: define internal void @both() {
; CHECK: define internal void @alone() {
; CHECK: attributes #[[COLD]] = { cold }

; ALL-DAG: both: all 2 calls are cold
; ALL-DAG: complain: all 2 calls are cold
; ALL-NOT: used: all

; UNKNOWN: cold-functions: mark-cold-functions: unknown option 'cent=3'; valid options are: percent=N, explain
; VALUE: cold-functions: mark-cold-functions: option 'percent=101' needs a number from 1 to 100; valid options are: percent=N, explain
; TWICE: cold-functions: mark-cold-functions: option 'explain' is given twice; valid options are: percent=N, explain
; BRACKETS: cold-functions: mark-cold-functions: options must be in one pair of angle brackets, separated by semicolons
; FUNCTION: cold-functions: mark-cold-functions: this pass works on modules, so it cannot be in a pipeline of function passes
; POINT: cold-functions: BPA_PIPELINE: mark-cold-functions: this pass works on modules, so it cannot be in a pipeline of function passes, as at 'peephole'

@table = global ptr @taken

define internal void @write() {
  ret void
}
define internal void @complain() {
  call void @write()
  ret void
}
define internal void @used() {
  ret void
}
define internal void @taken() {
  ret void
}
define void @visible() {
  ret void
}
define internal void @both() {
  ret void
}
define internal void @alone() {
  call void @alone()
  ret void
}
define void @f(i1 %a, i1 %b) {
entry:
  call void @used()
  br i1 %a, label %dead, label %alive
dead:
  call void @complain()
  call void @complain()
  call void @taken()
  call void @visible()
  call void @both()
  unreachable
alive:
  br i1 %b, label %half, label %end
half:
  call void @both()
  br label %end
end:
  ret void
}
