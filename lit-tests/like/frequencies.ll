; `like=N` prints the results of LLVM N in the format of LLVM N. From LLVM 18 on, the largest integer frequency is 2^54.
; Before LLVM 18, the smallest integer frequency is 8.
; RUN: %bpa -passes='rust-bfi<like=16>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OLD
; RUN: %bpa -passes='function(rust-bfi<like=19>)' -disable-output %s 2>&1 | FileCheck %s --check-prefix=NEW

; OLD: Printing analysis results of BFI for function 'f':
; OLD: - entry: float = 1.0, int = 8
; OLD-NEXT: - loop: float = 32.0, int = 255
; NEW: - entry: float = 1.0, int = 562949953421312
; NEW-NEXT: - loop: float = 32.0, int = 18014398509481984
define void @f(i1 %c) {
entry:
  br label %loop
loop:
  br i1 %c, label %loop, label %end
end:
  ret void
}
