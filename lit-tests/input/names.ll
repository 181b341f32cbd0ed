; The names have quotes, backslashes, control characters, and bytes above 127 (valid UTF-8 or not). Some names look like
; numbers or like output of bpa. In each line, bpa escapes a name only if LLVM escapes it.
; RUN: %check %s
; RUN: %check-annotated %s
; RUN: %bpa -passes='print<rust-bpi>,print<rust-bias>' -disable-output %s 2>&1 | FileCheck %s
; RUN: env RUST_LOG=bpa=debug %bpa -passes='require<rust-bfi>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=LOG

; CHECK: for function 'quo"ted \ back':
; CHECK: edge {{(%")?}}quo{{("|\\22)}}te{{"?}} -> {{(%")?}}back{{\\(\\)?}}slash{{"?}} probability is
; CHECK: block-bias-info: quo"ted \ back
; LOG: computing branch probabilities of 'quo"ted \ back'
define void @"quo\22ted \5C back"(i1 %c) {
"quo\22te":
  br i1 %c, label %"back\5Cslash", label %"new\0Aline"
"back\5Cslash":
  br i1 %c, label %"\C3\A9t\C3\A9", label %"\FF\FE not UTF-8"
"new\0Aline":
  br label %"\01\1B[31m"
"\C3\A9t\C3\A9":
  br label %" "
"\FF\FE not UTF-8":
  br label %" "
"\01\1B[31m":
  br label %" "
" ":
  br label %"0digit"
"0digit":
  br label %"-dash"
"-dash":
  br label %"$dollar"
"$dollar":
  br label %"->"
"->":
  br label %"\7F"
"\7F":
  ret void
}
define void @"new\0Aline"(i1 %c) {
  br i1 %c, label %"1", label %1
"1":
  ret void
1:
  ret void
}
define void @"\FF"() { ret void }
define void @"\01_mangled"() { ret void }
define void @0() { ret void }
define void @"Printing analysis results of BPI for function 'f':"() { ret void }
