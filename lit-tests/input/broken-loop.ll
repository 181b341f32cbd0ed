; An instruction in a reachable loop uses its own result as an operand. The verifier rejects such IR. Without the
; verifier, the printer of LLVM does not terminate, but the printer of bpa terminates.
; RUN: %bpa -disable-verify -passes='rust-bpi,rust-bfi' -disable-output %s 2>&1 | FileCheck %s

; CHECK: for function 'straight'
; CHECK: edge {{%?}}loop -> {{%?}}exit probability is
; CHECK: for function 'behind_another'
; CHECK: edge {{%?}}loop -> {{%?}}exit probability is
define void @straight() {
entry:
  br label %loop
loop:
  %x = add i32 %x, 1
  %c = icmp eq i32 %x, 7
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

define void @behind_another() {
entry:
  br label %loop
loop:
  %a = add i32 %b, 1
  %b = mul i32 %a, 3
  %x = add i32 %b, 1
  %y = add i32 %x, 1
  %c = icmp eq i32 %y, 7
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
