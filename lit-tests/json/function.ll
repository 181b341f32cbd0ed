; `json` prints one JSON object for each function. The function in this test has a loop that ends at a null pointer.
; RUN: %bpa -passes='rust-bfi<json;output=%t>' -disable-output %s && %python %scripts/../docs/src/reference/flow.py %t
; RUN: %bpa -passes='rust-bfi<json>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='rust-bpi<json>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=EDGES
; RUN: %bpa -passes='print<rust-bfi;json>' -disable-output %s 2>&1 | count 2

; CHECK: {"format":3,"analysis":"rust-bfi","llvm":{{[0-9]+}},"module":"{{.*}}","function":"f","entry_count":null,
; CHECK-SAME: "blocks":[{"name":"%entry","loop":null,"frequency":{"digits":"1","exponent":0,"value":1.0},"integer":"[[#]]","bias":{"digits":"1","exponent":0,"value":1.0},"reference":{"digits":"1","exponent":0,"value":1.0}},
; CHECK-SAME: {"name":"%loop","loop":0,"terminator":"br","frequency":{"digits":"18446744073709551584","exponent":-59,"value":32.0},
; CHECK-SAME: "edges":[{"from":0,"successor":0,"to":1,"numerator":2147483648,"percent":100.0,"weight":1,"rule":"single"},
; CHECK-SAME: {"from":1,"successor":0,"to":2,"numerator":67108864,"percent":3.12,"weight":33825,"rule":"estimated weights"},
; CHECK-SAME: "loops":[{"headers":[1],"irreducible":false,"parent":null,"depth":1,"entries":{"digits":"1","exponent":0,"value":1.0},"scale":{"digits":"18446744073709551584","exponent":-59,"value":32.0}}]}{{$}}
; CHECK-NEXT: {"format":3,{{.*}}"function":"g"

; EDGES: {"format":3,"analysis":"rust-bpi",
; EDGES-SAME: "blocks":[{"name":"%entry","loop":null},{"name":"%loop","loop":0,"terminator":"br"},{"name":"%exit","loop":null}],
; EDGES-SAME: "loops":[{"headers":[1],"irreducible":false,"parent":null,"depth":1}]}{{$}}
define void @f(ptr %p) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  %next = load ptr, ptr %q
  %end = icmp eq ptr %next, null
  br i1 %end, label %exit, label %loop
exit:
  ret void
}
define void @g() {
  ret void
}
