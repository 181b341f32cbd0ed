; A module pass can iterate over all defined functions in module order, and can request the profile of each function.
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so -passes=test-list -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so -passes='default<O0>,test-list,function(test-name),test-list' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s --check-prefix=TWICE

; If a module pass adds a function, all later passes process the new function, even if the module pass reports that it
; preserves all analyses.
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so -load-pass-plugin=%plugin -passes='require<rust-bpi>,test-grow,test-list,print<rust-bpi>' \
; RUN:   -S %s 2>&1 | FileCheck %s --check-prefix=GROWN

; LLVM rejects a module pass in `function(...)`.
; RUN: not %opt -load-pass-plugin=%examples/libtest_plugin.so -passes='function(test-list)' -o %t.out %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=FUNCTION
; RUN: not ls %t.out

; CHECK: module {{.*}}module-passes.ll
; CHECK-NEXT: f %rare 0.25
; CHECK-NEXT: g %end 1.0
; CHECK-NOT: {{.}}

; TWICE: module
; TWICE: g %end 1.0
; TWICE-NEXT: f
; TWICE-NEXT: g
; TWICE-NEXT: module

; GROWN: f %rare 0.25
; GROWN-NEXT: g %end 1.0
; GROWN-NEXT: grown %entry 1.0
; GROWN: for function 'grown'
; GROWN: define void @grown()

; FUNCTION: test-plugin: test-list: this pass works on modules, so it cannot be in a pipeline of function passes
; FUNCTION: unknown function pass 'test-list'

declare void @only_declared()

define i32 @f(i1 %a) {
entry:
  br i1 %a, label %rare, label %usual, !prof !0
usual:
  ret i32 1
rare:
  ret i32 0
}
define void @g() {
entry:
  br label %end
end:
  ret void
}
!0 = !{!"branch_weights", i32 1, i32 3}
