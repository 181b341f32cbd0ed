; The probability of an edge to a block that ends in `unreachable` is 0. If the block is an exception path, or if a call
; that does not return precedes `unreachable`, the edge has the probability 2^-20. A deoptimize call before a return has
; the effect of `unreachable`.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

declare void @stop() noreturn
declare void @may_throw()
declare void @llvm.experimental.deoptimize.isVoid(...)
declare i32 @__gxx_personality_v0(...)

define void @never(i1 %c) {
; CHECK-LABEL: 'never'
; CHECK: edge {{%?}}A -> {{%?}}B probability is 0x00000000 / 0x80000000 = 0.00%
; CHECK: edge {{%?}}A -> {{%?}}C probability is 0x80000000 / 0x80000000 = 100.00% [HOT edge]
A:
  br i1 %c, label %B, label %C
B:
  unreachable
C:
  ret void
}

define void @once(i1 %c) {
; The weights of the edges to B and C are 1 : 0xfffff.
; CHECK-LABEL: 'once'
; CHECK: edge {{%?}}A -> {{%?}}B probability is 0x00000800 / 0x80000000 = 0.00%
; CHECK: edge {{%?}}A -> {{%?}}C probability is 0x7ffff800 / 0x80000000 = 100.00% [HOT edge]
A:
  br i1 %c, label %B, label %C
B:
  call void @stop()
  unreachable
C:
  ret void
}

define void @unwind() personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: 'unwind'
; CHECK: edge {{%?}}A -> {{%?}}B probability is 0x7ffff800 / 0x80000000 = 100.00% [HOT edge]
; CHECK: edge {{%?}}A -> {{%?}}C probability is 0x00000800 / 0x80000000 = 0.00%
A:
  invoke void @may_throw() to label %B unwind label %C
B:
  ret void
C:
  %e = landingpad { ptr, i32 } cleanup
  ret void
}

define void @deoptimize(i1 %c) {
; CHECK-LABEL: 'deoptimize'
; CHECK: edge {{%?}}A -> {{%?}}B probability is 0x00000000 / 0x80000000 = 0.00%
A:
  br i1 %c, label %B, label %C
B:
  call void (...) @llvm.experimental.deoptimize.isVoid() [ "deopt"() ]
  ret void
C:
  ret void
}
