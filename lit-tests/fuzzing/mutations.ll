; The fuzzing plugin mutates modules. A mutated module passes the verifier. Equal seeds cause equal changes. The changes
; to a function do not depend on other functions of the module.

; RUN: %opt -load-pass-plugin=%examples/libmutations.so -S %s -o %t.1.ll \
; RUN:   -passes='function(reg2mem),fuzz-mutate<seed=1;rewire;expect>,fuzz-mutate<seed=2;rewire;expect>,verify'
; RUN: %opt -load-pass-plugin=%examples/libmutations.so -S %s -o %t.2.ll \
; RUN:   -passes='function(reg2mem),fuzz-mutate<seed=1;rewire;expect>,fuzz-mutate<seed=2;rewire;expect>,verify'
; RUN: %opt -load-pass-plugin=%examples/libmutations.so -S %s -o %t.3.ll \
; RUN:   -passes='function(reg2mem),fuzz-mutate<seed=3;rewire;expect>,fuzz-mutate<seed=4;rewire;expect>,verify'
; RUN: diff %t.1.ll %t.2.ll
; RUN: not diff -q %t.1.ll %t.3.ll

; Without `rewire`, the plugin does not change edges.
; RUN: %opt -load-pass-plugin=%examples/libmutations.so -S %s -passes='fuzz-mutate<seed=1>,fuzz-mutate<seed=2>,verify' \
; RUN:   | FileCheck %s
; CHECK-LABEL: define i32 @f(
; CHECK: switch i32 %x, label %other [
; CHECK-NEXT: i32 1, label %loop
; CHECK-NEXT: i32 2, label %other
; CHECK: br i1 %{{.*}}, label %loop, label %other
; CHECK-LABEL: define i32 @g(

; `fuzz-stage` prints the number of the pipeline stage.
; RUN: %opt -load-pass-plugin=%examples/libmutations.so -disable-output %s 2>&1 \
; RUN:   -passes='fuzz-stage<stage=0>,fuzz-stage<stage=12;check>' | FileCheck %s --check-prefix=STAGE --implicit-check-not={{.}}
; STAGE: fuzz-stage: stage 0, passes
; STAGE: fuzz-stage: stage 12, check

define i32 @f(i32 %x, ptr %p) {
entry:
  switch i32 %x, label %other [
    i32 1, label %loop
    i32 2, label %other
  ]
loop:
  %n = phi i32 [ %x, %entry ], [ %m, %loop ]
  %m = add i32 %n, 1
  %again = icmp slt i32 %m, 100
  br i1 %again, label %loop, label %other
other:
  %r = phi i32 [ 0, %entry ], [ 0, %entry ], [ %m, %loop ]
  ret i32 %r
}

define i32 @g(i1 %c) {
entry:
  br i1 %c, label %left, label %right
left:
  ret i32 1
right:
  ret i32 2
}
