; The first output of a process truncates the file. Later output of the same process is appended to the file.
; RUN: %bpa -passes='rust-bpi<output=%t>,function(rust-bpi<output=%t>)' -disable-output %s
; RUN: %bpa -passes='rust-bpi<output=%t>,function(rust-bfi<output=%t>),rust-bpi<output=%t>' -disable-output %s
; RUN: FileCheck %s < %t
; If a pipeline prints nothing, bpa also truncates the file.
; RUN: %bpa -passes='internalize,globaldce,rust-bpi<output=%t>' -disable-output %s
; RUN: count 0 < %t
; bpa replaces `%p` in the file name by the process ID.
; RUN: rm -rf %t.d && mkdir %t.d
; RUN: %bpa -passes='rust-bpi<output=%t.d/x.%%p>' -disable-output %s
; RUN: ls %t.d | FileCheck %s --check-prefix=PROCESS

; CHECK: Branch Probabilities
; CHECK: Branch Probabilities
; CHECK: block-frequency-info: f
; CHECK: block-frequency-info: g
; CHECK: Branch Probabilities
; CHECK: Branch Probabilities
; CHECK-NOT: Branch Probabilities
; PROCESS: {{^x\.[0-9]+$}}
define void @f() {
  ret void
}
define void @g() {
  ret void
}
