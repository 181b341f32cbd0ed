; A model with the parts `calls` and `time` replaces the solution of the call equations. In this model, a function with
; two call sites has 16 times as many calls as a function with one call site, and a function with a parameter takes four
; times as much time as a function without parameters. The sums of calls and times are those of the equations. The calls
; of @main and @die are those of the equations, because these functions run at most once.
; RUN: %bpa -passes='rust-entry-counts<predictor=%S/Inputs/calls.model>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='rust-entry-counts<json;predictor=%S/Inputs/calls.model>' -disable-output %s 2>&1 \
; RUN:   | FileCheck --check-prefix=JSON %s
; RUN: %bpa -passes='rust-entry-counts<explain=twice;predictor=%S/Inputs/calls.model>' -disable-output %s 2>&1 \
; RUN:   | FileCheck --check-prefix=EXPLAIN %s
; RUN: %bpa -passes='rust-entry-counts<annotate;write=counts;predictor=%S/Inputs/calls.model>' -S %s \
; RUN:   | FileCheck --check-prefix=WRITTEN %s

; CHECK: Entry counts of module '{{.*}}learned.ll':
; CHECK-DAG: - main: calls = 1.0, {{.*}}runs once: main
; CHECK-DAG: - once: calls = 0.17647, {{.*}}from main (100%)
; CHECK-DAG: - twice: calls = 2.8235, {{.*}}from main (100%)
; CHECK-DAG: - die: calls = {{.*}}never returns: called at most once
; CHECK-DAG: - unused: calls = 0.0, time = 0.00%, not called

; The times of @main, @once, @twice and @die are 4 : 1 : 4 : 1.
; JSON: "function":"main",{{.*}}"percent":39.99
; JSON: "function":"once",{{.*}}"percent":10.0
; JSON: "function":"twice",{{.*}}"percent":39.99
; JSON-SAME: "callers":[{"function":"main","calls":{{.*}}"value":2.82

; EXPLAIN: calls = 2.8235, instructions = {{[0-9.]+}}, time = {{[0-9.]+}}%
; EXPLAIN-NEXT: a model estimates the calls; the call equations give 2.0 calls
; EXPLAIN-NEXT: called by main 2.8235 times

; WRITTEN: define i32 @main(i1 %bad){{.*}} !prof [[ONE:![0-9]+]]
; WRITTEN: define internal void @once(){{.*}} !prof [[LESS:![0-9]+]]
; WRITTEN: define internal void @twice(i32 %x){{.*}} !prof [[MORE:![0-9]+]]
; WRITTEN-DAG: [[ONE]] = !{!"function_entry_count", i64 1024}
; WRITTEN-DAG: [[LESS]] = !{!"function_entry_count", i64 181}
; WRITTEN-DAG: [[MORE]] = !{!"function_entry_count", i64 2891}

declare void @exit(i32) noreturn

define i32 @main(i1 %bad) {
  call void @once()
  call void @twice(i32 1)
  call void @twice(i32 2)
  br i1 %bad, label %failed, label %done
failed:
  call void @die()
  unreachable
done:
  ret i32 0
}

define internal void @once() {
  ret void
}

define internal void @twice(i32 %x) {
  ret void
}

define internal void @die() {
  call void @exit(i32 1)
  unreachable
}

define internal void @unused() {
  ret void
}
