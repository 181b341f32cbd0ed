; The JSON is valid for names with arbitrary bytes. Block names are escaped like in LLVM IR. Function names are strings
; in UTF-8. If a name is not valid UTF-8, the JSON also has an array of its bytes.
; RUN: %bpa -passes='rust-bpi<json>' -disable-output %s 2>&1 | FileCheck %s

; CHECK: "function":"a \"b\" \\ é","entry_count"
; CHECK-SAME: "name":"%0"
; CHECK-SAME: "name":"%\"b \\22\\C3\\0A\""
; CHECK: "function":"raw{{.*}}","function_bytes":"726177ff",
; CHECK: "function":"line\nfeed\u0001",
define void @"a \22b\22 \5C \C3\A9"() {
  br label %"b \22\C3\0A"
"b \22\C3\0A":
  ret void
}
define void @"raw\FF"() {
  ret void
}
define void @"line\0Afeed\01"() {
  ret void
}
