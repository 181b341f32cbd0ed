; A pass deletes a function, and creates a new function at the same address. For the new function, bpa and LLVM do not
; use the cached results of the deleted function, even if the pass reports these results as preserved.
; UNSUPPORTED: sanitizer
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so -load-pass-plugin=%plugin \
; RUN:   -passes='function(require<domtree>),require<rust-bfi>,test-replace,function(print<domtree>,print<rust-bfi>),rust-bfi<check>' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -load-pass-plugin=%examples/libtest_plugin.so -load-pass-plugin=%plugin \
; RUN:   -passes='function(require<domtree>),require<rust-bfi>,test-replace<what=graph>,function(print<domtree>,print<rust-bfi>),rust-bfi<check>' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s

; CHECK-NOT: entry
; CHECK: only
; CHECK-NOT: entry
; CHECK: block-frequency-info: new{{(\.[0-9]+)?}}
; CHECK-NEXT: only: float = 1.0

define void @f(i1 %c) {
entry:
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  ret void
}
