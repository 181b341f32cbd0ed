; A cast extends an `i1` phi, and the expectation is about the result of the cast. `zext` converts true to 1, and `sext`
; converts true to -1.
; RUN: %bpa -passes=rust-lower-expect -S %s | FileCheck %s
; RUN: %bpa -passes=rust-lower-expect -S %s -o %t.ours
; RUN: %opt -passes=lower-expect -S %s -o %t.llvms
; RUN: diff %t.ours %t.llvms

declare i64 @llvm.expect.i64(i64, i64)
declare i128 @llvm.expect.i128(i128, i128)

define i1 @zero_extended(i1 %a, i1 %b) {
; The incoming constant false becomes 0, which differs from the expected value 1.
; CHECK-LABEL: @zero_extended(
; CHECK:         br i1 %a, label %rest, label %join, !prof [[FIRST:![0-9]+]]
entry:
  br i1 %a, label %rest, label %join
rest:
  br label %join
join:
  %p = phi i1 [ false, %entry ], [ %b, %rest ]
  %z = zext i1 %p to i64
  %e = call i64 @llvm.expect.i64(i64 %z, i64 1)
  %c = icmp ne i64 %e, 0
  ret i1 %c
}

define i1 @sign_extended(i1 %a, i1 %b) {
; The sign extension of the incoming constant `true` is -1, which is the expected value.
; CHECK-LABEL: @sign_extended(
; CHECK:         br i1 %a, label %rest, label %join{{$}}
entry:
  br i1 %a, label %rest, label %join
rest:
  br label %join
join:
  %p = phi i1 [ true, %entry ], [ %b, %rest ]
  %s = sext i1 %p to i64
  %e = call i64 @llvm.expect.i64(i64 %s, i64 -1)
  %c = icmp ne i64 %e, 0
  ret i1 %c
}

define i1 @several_steps(i1 %a, i8 %b) {
; The 8-bit constant -128 becomes 2^64 - 128 in 64 bits. The result of the xor is 127 in 64 bits and in 128 bits.
; CHECK-LABEL: @several_steps(
; CHECK:         br i1 %a, label %rest, label %join{{$}}
; CHECK:         br i1 %a, label %rest2, label %join2, !prof [[FIRST]]
entry:
  br i1 %a, label %rest, label %join
rest:
  br label %join
join:
  %p = phi i8 [ -128, %entry ], [ %b, %rest ]
  %s = sext i8 %p to i64
  %x = xor i64 %s, -1
  %z = zext i64 %x to i128
  %e = call i128 @llvm.expect.i128(i128 %z, i128 127)
  br i1 %a, label %rest2, label %join2
rest2:
  br label %join2
join2:
  %p2 = phi i8 [ -128, %join ], [ %b, %rest2 ]
  %s2 = sext i8 %p2 to i64
  %x2 = xor i64 %s2, -1
  %z2 = zext i64 %x2 to i128
  %e2 = call i128 @llvm.expect.i128(i128 %z2, i128 128)
  ret i1 true
}

define i1 @truncated(i1 %a, i64 %b) {
; LLVM follows only `zext` and `sext`.
; CHECK-LABEL: @truncated(
; CHECK:         br i1 %a, label %rest, label %join{{$}}
entry:
  br i1 %a, label %rest, label %join
rest:
  br label %join
join:
  %p = phi i128 [ 0, %entry ], [ 1, %rest ]
  %t = trunc i128 %p to i64
  %e = call i64 @llvm.expect.i64(i64 %t, i64 1)
  ret i1 true
}

; CHECK: [[FIRST]] = !{!"branch_weights", {{(!"expected", )?}}i32 2000, i32 1}
