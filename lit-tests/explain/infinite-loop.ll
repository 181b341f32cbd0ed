; For an infinite loop, the explanation contains LLVM's assumption of 4096 iterations.
; RUN: %bpa -passes='rust-bfi<explain>' -disable-output %s 2>&1 | FileCheck %s

define void @f() {
; CHECK: - loop: float = 4096.0
; CHECK-NEXT: 4096.0 from %loop: 100.00% of 4096.0.
; CHECK-NEXT: 1.0 from %entry: 100.00% of 1.0.
; CHECK-NEXT: the edges add up to 4097.0; LLVM replaces the sum by its assumption about infinite loops.
; CHECK-NEXT: loop header: no edge leaves the loop; LLVM assumes 4096.0 iterations per entry.
entry:
  br label %loop
loop:
  br label %loop
}
