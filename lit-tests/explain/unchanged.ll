; The explanations are indented by six spaces. Without the explanations, the output equals the output of `rust-bpi` and
; `rust-bfi`.
; RUN: %bpa -passes='rust-bpi<explain>,rust-bfi<explain>' -disable-output %s 2>%t.explained
; RUN: %bpa -passes='rust-bpi,rust-bfi' -disable-output %s 2>%t.plain
; RUN: grep -v '^      ' %t.explained | diff - %t.plain
; RUN: grep -c '^      ' %t.explained | FileCheck %s
; RUN: %bpa -passes='function(rust-bpi<explain>),cgscc(function(rust-bfi<explain>))' -disable-output %s 2>&1 | diff - %t.explained

; CHECK: {{^1[0-9]$}}

declare void @cold() cold

define void @f(ptr %p) !prof !0 {
entry:
  %c = icmp eq ptr %p, null
  br i1 %c, label %rare, label %loop
rare:
  call void @cold()
  ret void
loop:
  br label %loop
}

!0 = !{!"function_entry_count", i64 9}
