; A loop that nothing leaves has a scale of LLVM's choice.
; RUN: %bpa -passes='rust-bfi<explain>' -disable-output %s 2>&1 | FileCheck %s

define void @f() {
; CHECK: - loop: float = 4096.0
; CHECK-NEXT: 4096.0 from %loop: 100.00% of 4096.0.
; CHECK-NEXT: 1.0 from %entry: 100.00% of 1.0.
; CHECK-NEXT: loop header: nothing leaves the loop; LLVM lets it turn 4096.0 times.
entry:
  br label %loop
loop:
  br label %loop
}
