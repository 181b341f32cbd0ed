; The pass name is valid alone, in `function(...)`, in `cgscc(function(...))`, and between other passes. A second run of
; the pass changes nothing.
; RUN: %bpa -passes=rust-lower-expect -S %s | FileCheck %s
; RUN: %bpa -passes='rust-lower-expect<>' -S %s | FileCheck %s
; RUN: %bpa -passes='function(rust-lower-expect)' -S %s | FileCheck %s
; RUN: %bpa -passes='cgscc(function(rust-lower-expect))' -S %s | FileCheck %s
; RUN: %bpa -passes='no-op-module,rust-lower-expect,verify,rust-lower-expect' -S %s | FileCheck %s
; RUN: %bpa -passes='function(rust-lower-expect,lower-expect)' -S %s | FileCheck %s

; CHECK: define {{.*}} @f(
; CHECK: br i1 {{.*}}, !prof [[FIRST:![0-9]+]]
; CHECK: define {{.*}} @g(
; CHECK: br i1 {{.*}}, !prof [[FIRST]]
; CHECK: [[FIRST]] = !{!"branch_weights", {{(!"expected", )?}}i32 2000, i32 1}

declare i1 @llvm.expect.i1(i1, i1)

define i32 @f(i1 %x) {
  %e = call i1 @llvm.expect.i1(i1 %x, i1 true)
  br i1 %e, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}

define i32 @g(i1 %x) {
  %e = call i1 @llvm.expect.i1(i1 %x, i1 true)
  br i1 %e, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}
