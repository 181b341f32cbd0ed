; Outside of `function(...)`, the passes also process functions with `optnone`. At -O0, clang adds this attribute to all
; functions.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s

; CHECK: 'kept_as_it_is'
; CHECK: edge {{%?}}entry -> {{%?}}end probability is 0x80000000 / 0x80000000 = 100.00% [HOT edge]
define void @kept_as_it_is() noinline optnone {
entry:
  br label %end
end:
  ret void
}
