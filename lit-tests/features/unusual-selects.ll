; A `select` has features even if its condition is constant, its operands are equal, or its operands are structures.
; RUN: %bpa -passes='rust-bpi<features>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='rust-bpi<annotate;predictor=%S/../predictor/Inputs/selects.model>' -S %s | FileCheck %s --check-prefix=WEIGHTS

; CHECK: "function":"constant",{{.*}}"kind":"select","select":0,{{.*}}"test":7,{{.*}}"values":[{"features":{"source":3,{{.*}}"uses":5,
; CHECK: "function":"constant",{{.*}}"kind":"select","select":1,{{.*}}"values":[{"features":{"source":3,{{[^}]*}}}},{"features":{"source":3,
; CHECK: "function":"constant",{{.*}}"kind":"select","select":2,
; CHECK: "function":"structure",{{.*}}"kind":"select","select":0,{{[^}]*}}"kind":0,"chosen_bits":0,
; Unreachable selects have no line.
; CHECK-NOT: "function":"lost"

; WEIGHTS-COUNT-3: select i1 {{.*}}, !prof
; WEIGHTS: define { i32, i32 } @structure
; WEIGHTS: select i1 %c, {{.*}}, !prof
; WEIGHTS: define i32 @lost
; WEIGHTS: %x = select i1 %c, i32 %x, i32 1{{$}}

; The conditions are constants, or the two operands of the select are equal.
define i32 @constant(i32 %x) {
  %a = select i1 true, i32 %x, i32 0
  %b = select i1 false, i32 %x, i32 %x
  %c = select i1 undef, i32 %x, i32 undef
  %d = add i32 %a, %b
  %e = add i32 %c, %d
  %f = add i32 %e, %x
  ret i32 %f
}

define { i32, i32 } @structure(i1 %c, { i32, i32 } %s) {
  %r = select i1 %c, { i32, i32 } %s, { i32, i32 } zeroinitializer
  ret { i32, i32 } %r
}

; An instruction in unreachable code uses its own result as an operand.
define i32 @lost(i1 %c) {
  ret i32 0
nowhere:
  %x = select i1 %c, i32 %x, i32 1
  %y = select i1 %c, i32 %z, i32 1
  %z = add i32 %y, %y
  br label %nowhere
}
