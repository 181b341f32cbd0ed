; A pass can leave a block without a terminator. LLVM's analyses would crash, so `check` reports an error, and the printers
; of bpa print the block without edges.
; RUN: %bpa -load-pass-plugin=%examples/libtest_plugin.so -passes='test-unterminate,rust-bpi,rust-bfi' -disable-verify \
; RUN:   -disable-output %s 2>&1 | FileCheck %s --check-prefix=PRINT
; RUN: sh -c '%bpa -load-pass-plugin=%examples/libtest_plugin.so -passes="test-unterminate,rust-bpi<check>" -o %t.out %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s
; RUN: not ls %t.out

; PRINT: edge {{.*}}entry -> {{.*}}end probability is
; PRINT: block-frequency-info: f
; CHECK: bpa: rust-bpi<check>: function 'f', a block has no terminator, so LLVM cannot analyse the function
define void @f() {
entry:
  br label %end
end:
  ret void
}
