; `predictor=bpa` selects the trained model of bpa. This test checks that the predictions are equal in every build and
; with every LLVM version. If the model is trained again, the expected numbers change.
; RUN: %bpa -passes='rust-bpi<predictor=bpa>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='print<rust-bpi;predictor=bpa;like=16>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='rust-bpi<json;predictor=bpa>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=JSON
; RUN: %bpa -passes='rust-bpi<explain;predictor=bpa>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=WHY
; RUN: %bpa -passes='rust-bpi<annotate;predictor=bpa>,rust-bpi<annotate;predictor=bpa>,print<rust-bpi>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='require<rust-bfi;predictor=bpa>,require<rust-bpi;predictor=bpa>' -disable-output %s 2>&1 | count 0

declare void @complain(ptr)
declare void @abort() noreturn
@text = private constant [5 x i8] c"none\00"

; CHECK: edge {{%?}}entry -> {{%?}}bad probability is 0x13e82716 / 0x80000000 = 15.55%
; CHECK: edge {{%?}}entry -> {{%?}}loop probability is 0x6c17d8ea / 0x80000000 = 84.45%
; The comparison of the loop counter is true in eight iterations.
; CHECK: edge {{%?}}loop -> {{%?}}body probability is 0x6828949a / 0x80000000 = 81.37%
; CHECK: edge {{%?}}end -> {{%?}}other probability is 0x00000400 / 0x80000000 = 0.00%
; CHECK: edge {{%?}}end -> {{%?}}zero probability is 0x440a1e56 / 0x80000000 = 53.16%
; CHECK: edge {{%?}}end -> {{%?}}ten probability is 0x3bf5ddaa / 0x80000000 = 46.84%

; JSON: "predictor":"bpa"
; WHY: learned, {{[0-9]+}} of 2147483648: predicted by a model trained on profiles.
; WHY-NEXT: Log-odds: start {{.*}}; others
; WHY-NEXT: Other rules: no metadata; pointer 12 of 32 = 37.50%; even 50.00%.

define i32 @f(ptr %p, i32 %n) {
entry:
  %null = icmp eq ptr %p, null
  br i1 %null, label %bad, label %loop
bad:
  call void @complain(ptr @text)
  ret i32 -1
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, 8
  br i1 %more, label %body, label %end
body:
  %next = add i32 %i, 1
  store i32 %i, ptr %p
  br label %loop
end:
  switch i32 %n, label %other [ i32 0, label %zero
                                i32 10, label %ten ]
zero:
  ret i32 0
ten:
  ret i32 1
other:
  call void @abort()
  unreachable
}
