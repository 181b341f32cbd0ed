; From LLVM 24 on, LLVM divides the mass of an irreducible loop among all nodes of the loop. Each node gets mass in
; proportion to its flow inside the loop. LLVM iterates until the flow converges, at most 16 times. Before LLVM 24, LLVM
; divides the mass between the headers in proportion to the mass of their back edges. The expected lines are the output
; of LLVM.
; RUN: %bpa -passes='rust-bfi<like=24>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=NEW
; RUN: %bpa -passes='rust-bfi<like=16>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OLD
; RUN: %bpa -passes='rust-bfi<like=%llvm_version;diff>' -disable-output %s 2>&1 | count 0
; RUN: %check %s
; For functions without irreducible loops, LLVM 23 and LLVM 24 compute equal results.
; RUN: %bpa -passes='rust-bfi<like=23>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=REDUCIBLE
; RUN: %bpa -passes='rust-bfi<like=24>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=REDUCIBLE

; The flow from a to b equals the flow from b to a.
; OLD-LABEL: block-frequency-info: swap
; OLD-NEXT: - entry: float = 1.0, int = 8
; OLD-NEXT: - a: float = 32.508, int = 260
; OLD-NEXT: - b: float = 31.492, int = 251
; OLD-NEXT: - end: float = 1.0, int = 8
; NEW-LABEL: block-frequency-info: swap
; NEW-NEXT: - entry: float = 1.0, int = 562949953421312
; NEW-NEXT: - a: float = 32.0, int = 18014398509481984
; NEW-NEXT: - b: float = 32.0, int = 18014398509481984
; NEW-NEXT: - end: float = 1.0, int = 562949953421312
define void @swap(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  br i1 %c, label %b, label %end
b:
  br label %a
end:
  ret void
}

; Half of the mass of `a` goes to `d` and returns one iteration later. The flow oscillates, and LLVM stops after 16
; iterations. The exact frequencies of `a`, `b` and `d` are 3, 2 and 3/2.
; OLD-LABEL: block-frequency-info: unsettled
; OLD-NEXT: - entry: float = 1.0, int = 8
; OLD-NEXT: - a: float = 2.6667, int = 21
; OLD-NEXT: - b: float = 2.6667, int = 21
; OLD-NEXT: - d: float = 1.3333, int = 10
; OLD-NEXT: - end: float = 1.0, int = 8
; NEW-LABEL: block-frequency-info: unsettled
; NEW-NEXT: - entry: float = 1.0, int = 9007199254740992
; NEW-NEXT: - a: float = 2.0, int = 18014398509481984
; NEW-NEXT: - b: float = 2.0, int = 18014398509481984
; NEW-NEXT: - d: float = 2.0, int = 18014398509481984
; NEW-NEXT: - end: float = 1.0, int = 9007199254740992
define void @unsettled(i1 %c) {
entry:
  br i1 %c, label %a, label %b, !prof !0
a:
  br i1 %c, label %b, label %d, !prof !0
b:
  br i1 %c, label %a, label %end, !prof !0
d:
  br label %a
end:
  ret void
}

; An inner loop with a single header is a separate node, unless the outer loop has the same header. The loop with the
; header %loop is a separate node. The loop with the header %a is not a separate node, because %a is a header of the
; outer loop.
; OLD-LABEL: block-frequency-info: loop_inside
; OLD-NEXT: - entry: float = 1.0, int = 8
; OLD-NEXT: - a: float = 13.714, int = 109
; OLD-NEXT: - loop: float = 16.0, int = 127
; OLD-NEXT: - b: float = 4.5714, int = 36
; OLD-NEXT: - end: float = 1.0, int = 8
; NEW-LABEL: block-frequency-info: loop_inside
; NEW-NEXT: - entry: float = 1.0, int = 1178436829997891
; NEW-NEXT: - a: float = 14.605, int = 17211223041295645
; NEW-NEXT: - loop: float = 15.287, int = 18014398509481984
; NEW-NEXT: - b: float = 4.0, int = 4713747319991564
; NEW-NEXT: - end: float = 1.0, int = 1178436829997891
define void @loop_inside(i1 %c, i32 %n) {
entry:
  switch i32 %n, label %a [ i32 1, label %b
                            i32 2, label %b ]
a:
  br i1 %c, label %a, label %loop, !prof !1
loop:
  br i1 %c, label %loop, label %b, !prof !1
b:
  br i1 %c, label %a, label %end, !prof !1
end:
  ret void
}

; LLVM computes the mass in a nested irreducible loop before it computes the mass in the outer loop.
; OLD-LABEL: block-frequency-info: inside_loop
; OLD-NEXT: - entry: float = 1.0, int = 8
; OLD-NEXT: - outer: float = 4.0, int = 31
; OLD-NEXT: - a: float = 6.4, int = 51
; OLD-NEXT: - b: float = 4.2667, int = 34
; OLD-NEXT: - latch: float = 4.0, int = 31
; OLD-NEXT: - end: float = 1.0, int = 8
; NEW-LABEL: block-frequency-info: inside_loop
; NEW-NEXT: - entry: float = 1.0, int = 3377699720527872
; NEW-NEXT: - outer: float = 4.0, int = 13510798882111487
; NEW-NEXT: - a: float = 5.3333, int = 18014398509481984
; NEW-NEXT: - b: float = 5.3333, int = 18014398509481984
; NEW-NEXT: - latch: float = 4.0, int = 13510798882111487
; NEW-NEXT: - end: float = 1.0, int = 3377699720527872
define void @inside_loop(i1 %c) {
entry:
  br label %outer
outer:
  br i1 %c, label %a, label %b, !prof !1
a:
  br i1 %c, label %b, label %latch, !prof !0
b:
  br i1 %c, label %a, label %latch, !prof !1
latch:
  br i1 %c, label %outer, label %end, !prof !1
end:
  ret void
}

; LLVM 24 uses the header weights of all nodes. From these weights, LLVM 24 computes the mass of nodes without a weight.
; Before LLVM 24, LLVM uses only the weights of headers.
; OLD-LABEL: block-frequency-info: measured
; OLD-NEXT: - entry: float = 1.0, int = 8
; OLD-NEXT: - a: float = 2.6667, int = 21
; OLD-NEXT: - b: float = 2.6667, int = 21
; OLD-NEXT: - d: float = 1.3333, int = 10, irr_loop_header_weight = 7
; OLD-NEXT: - end: float = 1.0, int = 8
; NEW-LABEL: block-frequency-info: measured
; NEW-NEXT: - entry: float = 1.0, int = 4503599627370496
; NEW-NEXT: - a: float = 4.0, int = 18014398509481984
; NEW-NEXT: - b: float = 2.0, int = 9007199254740992
; NEW-NEXT: - d: float = 3.0, int = 13511005043687472, irr_loop_header_weight = 7
; NEW-NEXT: - end: float = 1.0, int = 4503599627370496
define void @measured(i1 %c) {
entry:
  br i1 %c, label %a, label %b, !prof !0
a:
  br i1 %c, label %b, label %d, !prof !0
b:
  br i1 %c, label %a, label %end, !prof !0
d:
  br label %a, !irr_loop !2
end:
  ret void
}

; The sum of the frequencies of all nodes of an infinite loop is 4096.
; OLD-LABEL: block-frequency-info: infinite
; OLD-NEXT: - entry: float = 1.0, int = 8
; OLD-NEXT: - a: float = 4096.0, int = 32767
; OLD-NEXT: - b: float = 2048.0, int = 16384
; NEW-LABEL: block-frequency-info: infinite
; NEW-NEXT: - entry: float = 1.0, int = 6597094932576
; NEW-NEXT: - a: float = 2730.7, int = 18014398509481984
; NEW-NEXT: - b: float = 1365.3, int = 9007302334349313
define void @infinite(i1 %c) {
entry:
  br i1 %c, label %a, label %b, !prof !1
a:
  br i1 %c, label %a, label %b, !prof !0
b:
  br label %a
}

; REDUCIBLE-LABEL: block-frequency-info: reducible
; REDUCIBLE-NEXT: - entry: float = 1.0, int = 2251799813685248
; REDUCIBLE-NEXT: - outer: float = 4.0, int = 9007199254740992
; REDUCIBLE-NEXT: - inner: float = 8.0, int = 18014398509481984
; REDUCIBLE-NEXT: - latch: float = 4.0, int = 9007199254740992
; REDUCIBLE-NEXT: - end: float = 1.0, int = 2251799813685248
define void @reducible(i1 %c) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  br i1 %c, label %inner, label %latch, !prof !0
latch:
  br i1 %c, label %outer, label %end, !prof !1
end:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 1}
!1 = !{!"branch_weights", i32 3, i32 1}
!2 = !{!"loop_header_weight", i64 7}
