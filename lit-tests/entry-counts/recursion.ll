; If a call causes fewer than one recursive call on average, the counts are exact. Otherwise, bpa multiplies the number
; of recursive calls by a factor below 1, and prints the factor.
; RUN: %bpa -passes='print<rust-entry-counts>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='print<rust-entry-counts;json>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=JSON

; CHECK-DAG: - tenth: calls = 1.1111, {{.*}}from main (90%) and tenth (10%), recursion of 1 function{{$}}
; CHECK-DAG: - even: calls = 1.1429, {{.*}}from main (88%) and odd (12%), recursion of 2 functions, each recursive call counts as 0.125 calls
; CHECK-DAG: - odd: calls = 1.1429, {{.*}}from even (100%), recursion of 2 functions, each recursive call counts as 0.125 calls
; CHECK-DAG: - main: calls = 1.0,
; JSON: "function":"tenth"{{.*}}"recursion":{"functions":1}
; JSON: "function":"even"{{.*}}"recursion":{"functions":2,"factor":{"digits":"{{[0-9]+}}","exponent":{{-?[0-9]+}},"value":0.125}}

define i32 @main(i1 %c) {
  call void @tenth(i1 %c)
  call void @even()
  ret i32 0
}

define internal void @tenth(i1 %c) {
  br i1 %c, label %again, label %end, !prof !0
again:
  call void @tenth(i1 %c)
  br label %end
end:
  ret void
}

define internal void @even() {
  call void @odd()
  ret void
}

define internal void @odd() {
  call void @even()
  ret void
}

; The recursive call has the frequency 0.01. The estimate uses 0.1, the square root of this frequency.
!0 = !{!"branch_weights", i32 1, i32 99}
