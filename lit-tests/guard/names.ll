; The message about a panic has one line, even if the name of the function has line breaks.
; RUN: env BPA_FAULT=probabilities not %debug_bpa -passes='require<rust-bpi>' -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --match-full-lines --implicit-check-not={{.}}

; CHECK: bpa: internal error in rust-bpi on function 'two\nlines "é\': BPA_FAULT requests this panic ({{.*}})
define void @"two\0Alines \22\C3\A9\5C"() {
  ret void
}
