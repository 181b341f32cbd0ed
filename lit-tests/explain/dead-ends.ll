; Both successors have the estimated weight 0, so bpa ignores estimated weights. Instead, bpa uses the rule for the
; condition, or no rule. A block with a deoptimize call before `ret` also gets weight 0.
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s

declare void @llvm.experimental.deoptimize.isVoid(...)

define void @by_condition(ptr %p) {
; CHECK-LABEL: 'by_condition'
; CHECK: pointer, 12 of 32: taken if icmp eq %p, null holds; pointers are rarely equal.
; CHECK-NEXT: Other rules: no metadata; estimated weights add up to 0; even 50.00%.
entry:
  %c = icmp eq ptr %p, null
  br i1 %c, label %A, label %B
A:
  unreachable
B:
  unreachable
}

define void @by_nothing(i1 %c) {
; CHECK-LABEL: 'by_nothing'
; CHECK: even, 1 of 2: no rule applies to %c.
; CHECK-NEXT: %A never completes: it ends in a deoptimization.
; CHECK-NEXT: Other rules: no metadata; estimated weights add up to 0.
entry:
  br i1 %c, label %A, label %B
A:
  call void (...) @llvm.experimental.deoptimize.isVoid() [ "deopt"() ]
  ret void
B:
  unreachable
}
