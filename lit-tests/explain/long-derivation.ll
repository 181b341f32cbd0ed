; If the derivation of a weight has many steps, the explanation prints the origin and the last steps.
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s

declare void @cold() cold

define void @f(i1 %c) {
; CHECK: edge {{%?}}entry -> {{%?}}A
; CHECK-NEXT: estimated weights, 65535 of 1114110: %A is cold.
; CHECK-NEXT: %H is cold: it calls @cold (cold) -> ... 1 more step ... -> is the likeliest successor of %F -> is the likeliest successor of %E -> is the likeliest successor of %D -> is the likeliest successor of %C -> is the likeliest successor of %B -> is the likeliest successor of %A.
entry:
  br i1 %c, label %A, label %end
A:
  br i1 %c, label %dead, label %B
B:
  br i1 %c, label %dead, label %C
C:
  br i1 %c, label %dead, label %D
D:
  br i1 %c, label %dead, label %E
E:
  br i1 %c, label %dead, label %F
F:
  br i1 %c, label %dead, label %G
G:
  br i1 %c, label %dead, label %H
H:
  call void @cold()
  ret void
dead:
  unreachable
end:
  ret void
}
