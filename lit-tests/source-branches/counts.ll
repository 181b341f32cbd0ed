; The counters of a front-end profile become branch weights and entry counts. The weights in the module are replaced,
; also in functions without counters.
; RUN: llvm-profdata merge %S/Inputs/counts.proftext -o %t.profdata
; RUN: %bpa -passes='rust-source-branches<profile=%t.profdata;instrumented=%S/Inputs/instrumented.ll;output=%t.unknown>,verify' -S %s | FileCheck %s
; RUN: FileCheck %s --check-prefix=UNKNOWN --match-full-lines < %t.unknown
; RUN: not %bpa -passes='rust-source-branches<profile=%s;instrumented=%S/Inputs/instrumented.ll>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PROFILE
; RUN: not %bpa -passes='rust-source-branches<profile=%t.profdata;instrumented=%t.profdata>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=MODULE
; RUN: not %bpa -passes='rust-source-branches<profile=%t.profdata;instrumented=%t.none>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=MISSING

; UNKNOWN: coroutine
; UNKNOWN-NEXT: changed
; UNKNOWN-NOT: {{.+}}
; PROFILE: bpa: cannot read '{{.*}}counts.ll': {{.+}}
; MODULE: bpa: cannot read '{{.*}}.profdata': {{.+}}
; MISSING: bpa: cannot read '{{.*}}.none': {{.*}}No such file or directory

; CHECK: define internal void @f({{.*}} !prof [[F:![0-9]+]]
; CHECK: br i1 %a, label %if.then, label %if.end, !prof [[F_BRANCH:![0-9]+]]
define internal void @f(i1 %a) !prof !1 {
entry:
  br i1 %a, label %if.then, label %if.end, !prof !2

if.then:
  call void @g()
  br label %if.end

if.end:
  ret void
}

; Two calls evaluate `a` 9 times, and `b` 8 times.
; CHECK: define void @loops({{.*}} !prof [[LOOPS:![0-9]+]]
; CHECK: br i1 %a, label %land.rhs, label %while.end, !prof [[LOOPS_A:![0-9]+]]
; CHECK: br i1 %b, label %while.body, label %while.end, !prof [[LOOPS_B:![0-9]+]]
define void @loops(i1 %a, i1 %b) {
entry:
  br label %while.cond

while.cond:
  br i1 %a, label %land.rhs, label %land.end, !prof !2

land.rhs:
  br label %land.end

land.end:
  %0 = phi i1 [ false, %while.cond ], [ %b, %land.rhs ]
  br i1 %0, label %while.body, label %while.end, !prof !2

while.body:
  br label %while.cond

while.end:
  ret void
}

; The hash of the function is another one.
; CHECK-LABEL: define void @stale(i1 %a) {
; CHECK: br i1 %a, label %if.then, label %if.end{{$}}
define void @stale(i1 %a) !prof !1 {
entry:
  br i1 %a, label %if.then, label %if.end, !prof !2

if.then:
  call void @g()
  br label %if.end

if.end:
  ret void
}

; A coroutine leaves a block at each suspension.
; CHECK-LABEL: define void @coroutine(i1 %a) {
; CHECK: br i1 %a, label %if.then, label %if.end{{$}}
define void @coroutine(i1 %a) !prof !1 {
entry:
  br i1 %a, label %if.then, label %if.end, !prof !2

if.then:
  call void @g()
  br label %if.end

if.end:
  ret void
}

; The successors of the instrumented branch are exchanged.
; CHECK-LABEL: define void @changed(i1 %a) {
; CHECK: br i1 %a, label %if.then, label %if.end{{$}}
define void @changed(i1 %a) !prof !1 {
entry:
  br i1 %a, label %if.then, label %if.end, !prof !2

if.then:
  call void @g()
  br label %if.end

if.end:
  ret void
}

; The counts do not fit into 32 bits.
; CHECK: define void @large({{.*}} !prof [[LARGE:![0-9]+]]
; CHECK: br i1 %a, label %if.then, label %if.end, !prof [[LARGE_BRANCH:![0-9]+]]
define void @large(i1 %a) !prof !1 {
entry:
  br i1 %a, label %if.then, label %if.end, !prof !2

if.then:
  call void @g()
  br label %if.end

if.end:
  ret void
}

; The instrumented module does not have this function.
; CHECK-LABEL: define void @only_here(i1 %a) {
; CHECK: br i1 %a, label %if.then, label %if.end{{$}}
define void @only_here(i1 %a) !prof !1 {
entry:
  br i1 %a, label %if.then, label %if.end, !prof !2

if.then:
  call void @g()
  br label %if.end

if.end:
  ret void
}

declare void @g()

!1 = !{!"function_entry_count", i64 0}
!2 = !{!"branch_weights", i32 1, i32 1}
; CHECK-DAG: [[F]] = !{!"function_entry_count", i64 34}
; CHECK-DAG: [[F_BRANCH]] = !{!"branch_weights", i32 7, i32 27}
; CHECK-DAG: [[LOOPS]] = !{!"function_entry_count", i64 2}
; CHECK-DAG: [[LOOPS_A]] = !{!"branch_weights", i32 8, i32 1}
; CHECK-DAG: [[LOOPS_B]] = !{!"branch_weights", i32 7, i32 1}
; CHECK-DAG: [[LARGE]] = !{!"function_entry_count", i64 6000000000}
; CHECK-DAG: [[LARGE_BRANCH]] = !{!"branch_weights", i32 -1794967296, i32 500000000}
