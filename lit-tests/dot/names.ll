; bpa escapes function names in file names, so the file is always in the output directory. Long names are truncated to
; the length limit of file names.
; RUN: rm -rf %t && mkdir %t && cd %t
; RUN: %bpa -passes='rust-bfi<dot>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PRINTS
; RUN: FileCheck %s < '%t/.a "b" &lt;.dot'

; PRINTS: Writing '.a "b" &lt;.dot'...
; PRINTS: Writing '..._.._up-{{[0-9a-f]+}}.dot'...
; PRINTS: Writing '.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx{{x*}}-{{[0-9a-f]+}}.dot'...

; CHECK: digraph "a \"b\" &amp;lt;" {
; CHECK: b0 [label="%\"q\\22 \\{{.*}}l\\0A\"\n1"
define void @"a \22b\22 &lt;"() {
"q\22 \5Cl\0A":
  ret void
}
define void @"../../up"() {
  ret void
}
define void @xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx() {
  ret void
}
