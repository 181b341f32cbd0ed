; An irreducible cycle contains natural loops. An edge of the cycle to the header of an inner loop stays in the cycle, but
; LLVM treats the edge as an exit. The JSON lists the blocks of the cycle.
; RUN: %bpa -passes='rust-bpi<explain;like=23>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=BPI
; RUN: %bpa -passes='rust-bpi<json;explain;like=23>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=JSON
; RUN: %bpa -passes='rust-bpi<explain;like=24>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=NEW --implicit-check-not='treats it as an exit'
; RUN: %bpa -passes='rust-bfi<explain;like=23>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=BFI

; BPI-LABEL: 'exit'
; BPI: edge {{%?}}c -> {{%?}}a
; BPI-NEXT: estimated weights, 33825 of {{[0-9]+}}: LLVM treats it as an exit of the irreducible cycle of %{{[ac]}}, because it enters the loop of %a inside the cycle: 1048575 / 31.
; BPI: edge {{%?}}c -> {{%?}}o
; BPI-NEXT: estimated weights, {{[0-9]+}} of {{[0-9]+}}: it leaves the irreducible cycle of %{{[ac]}}: 1048575 / 31.
; JSON: {"from":3,"successor":0,"to":2,{{.*}}"around":{"cycle":[[HEADER:[0-9]]]},"treated_as_exit":true,"base":1048575
; JSON-SAME: "cycles":[{"owner":{"cycle":[[HEADER]]},"parent":null,"blocks":[3]},{"owner":{"loop":2},"parent":0,"blocks":[2]}]
; NEW-LABEL: 'exit'
define void @exit(i1 %s, i1 %t, i1 %x) {
in:
  br label %first
first:
  br i1 %s, label %a, label %c
a:
  br i1 %t, label %a, label %c
c:
  br i1 %x, label %a, label %o
o:
  ret void
}

; Each header of the irreducible loop also heads a natural loop. The factors of the frequency are 0.5 x 4096 x 1
; entries and 32 iterations.
; BFI-LABEL: block-frequency-info: headers
; BFI: - a: float = 65536.0
; BFI-NEXT: 63488.0 from %a: 96.88% of 65536.0.
; BFI-NEXT: 2048.0 from %b: 3.12% of 65536.0.
; BFI-NEXT: 0.5 from %in: 50.00% of 1.0.
; BFI-NEXT: loop header: probability 0.03125 of leaving the loop, which makes 32.0 iterations per entry.
; BFI-NEXT: entered 2048.0 times per call of the function, 0.5 times per iteration of the irreducible loop of %{{[ab]}}.
; BFI-NEXT: irreducible: 2 headers (%{{[ab]}}, %{{[ab]}}) share each iteration according to their back-edge mass: 0.5 for the loop of %a.
; BFI-NEXT: irreducible loop: no edge leaves the loop; LLVM assumes 4096.0 iterations per entry.
; BFI-NEXT: entered 1.0 times per call of the function.
define void @headers(i1 %s, i1 %t, i1 %u) {
in:
  br i1 %s, label %a, label %b
a:
  br i1 %t, label %a, label %b
b:
  br i1 %u, label %a, label %b
}
