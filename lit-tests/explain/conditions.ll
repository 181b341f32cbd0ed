; The constant in a comparison determines which rule applies. Comparisons are printed like LLVM IR without types.
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s

define void @f(i32 %x, i128 %wide, double %d) {
; CHECK: constant, 12 of 32: taken if icmp eq %x, 0 holds; numbers are rarely 0.
; CHECK: constant, 12 of 32: taken if icmp eq %x, -1 holds; numbers are rarely -1.
; CHECK: constant, 20 of 32: taken if icmp sgt %x, -1 holds; numbers are rarely negative.
; CHECK: constant, 12 of 32: taken if icmp slt %x, 1 holds; numbers are rarely 0 or negative.
; CHECK: even, 1 of 2: no rule applies to icmp ult %wide, -2.
; CHECK: even, 1 of 2: no rule applies to icmp eq %bit, 0, which tests one bit.
; CHECK: floating point, 20 of 32: taken if fcmp oeq %d, %d holds; LLVM predicts all equality tests except fcmp ueq as likely.
; CHECK: floating point, 12 of 32: taken if fcmp ueq %d, %d holds; LLVM predicts only this kind of equality test as unlikely.
; CHECK: even, 1 of 2: no rule applies to true.
entry:
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %end, label %A
A:
  %minus = icmp eq i32 %x, -1
  br i1 %minus, label %end, label %B
B:
  %positive = icmp sgt i32 %x, -1
  br i1 %positive, label %C, label %end
C:
  %not_positive = icmp slt i32 %x, 1
  br i1 %not_positive, label %end, label %D
D:
  %unknown = icmp ult i128 %wide, -2
  br i1 %unknown, label %end, label %E
E:
  %bit = and i32 %x, 4
  %is_set = icmp eq i32 %bit, 0
  br i1 %is_set, label %end, label %F
F:
  %same = fcmp oeq double %d, %d
  br i1 %same, label %G, label %end
G:
  %maybe = fcmp ueq double %d, %d
  br i1 %maybe, label %H, label %end
H:
  br i1 true, label %I, label %end
I:
  ret void
end:
  ret void
}
