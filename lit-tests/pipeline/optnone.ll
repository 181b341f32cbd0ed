; At module position, functions with `optnone` are processed too. All functions in clang's -O0 output have this
; attribute.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s

; CHECK: 'kept_as_it_is'
; CHECK: edge {{%?}}entry -> {{%?}}end probability is 0x80000000 / 0x80000000 = 100.00% [HOT edge]
define void @kept_as_it_is() noinline optnone {
entry:
  br label %end
end:
  ret void
}
