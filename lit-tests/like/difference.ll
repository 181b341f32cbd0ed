; With `diff`, bpa prints only the lines that differ between LLVM N and the version of the host. If the versions are
; equal, bpa prints nothing.
; RUN: %bpa -passes='rust-bfi<like=%llvm_version;diff>,rust-bpi<like=%llvm_version;diff>' -disable-output %s 2>&1 | count 0
; RUN: %bpa -passes='rust-bpi<like=14;diff>' -disable-output %s 2>&1 | count 0
; RUN: %bpa -passes='rust-bfi<like=14;diff>,rust-bfi<like=22;diff>' -disable-output %s 2>&1 | FileCheck %s

; CHECK: Printing analysis results of BFI for function 'f':
; CHECK-NEXT: - - %entry: float = 1.0, int = [[#]]
; CHECK-NEXT: + - %entry: float = 1.0, int = [[#]]
; CHECK-NEXT: - - %0: float = 32.0, int = [[#]]
define void @f(i1 %c) {
entry:
  br label %0
0:
  br i1 %c, label %0, label %end
end:
  ret void
}
