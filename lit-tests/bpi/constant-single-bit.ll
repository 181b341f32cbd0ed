; No rule applies to a test of a single bit. The rules for comparisons with constants apply to a test of two bits.
; RUN: %bpa -passes=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

define void @one_bit(i32 %x) {
; CHECK-LABEL: 'one_bit'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 50.00%
entry:
  %bit = and i32 %x, 4
  %c = icmp eq i32 %bit, 0
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @two_bits(i32 %x) {
; CHECK-LABEL: 'two_bits'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 37.50%
entry:
  %bits = and i32 %x, 6
  %c = icmp eq i32 %bits, 0
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}

define void @one_bit_of_many(i128 %x) {
; CHECK-LABEL: 'one_bit_of_many'
; CHECK: edge {{%?}}entry -> {{%?}}then probability is {{.*}} = 50.00%
entry:
  %bit = and i128 %x, 147573952589676412928
  %c = icmp eq i128 %bit, 0
  br i1 %c, label %then, label %else
then:
  ret void
else:
  ret void
}
