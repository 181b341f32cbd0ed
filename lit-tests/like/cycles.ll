; From LLVM 24 on, branch probabilities use all cycles of LLVM's cycle analysis, including nested irreducible cycles.
; Before LLVM 24, LLVM uses natural loops. Outside of natural loops, LLVM uses strongly connected components.
; RUN: %bpa -passes='rust-bpi<like=24>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=NEW
; RUN: %bpa -passes='rust-bpi<like=16>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OLD
; RUN: %bpa -passes='rust-bpi<like=%llvm_version;diff>' -disable-output %s 2>&1 | count 0
; RUN: %check %s

; From LLVM 24 on, the exit of a cycle with two entries is unlikely, even if the cycle is inside a natural loop.
; OLD-LABEL: 'cycle_in_loop'
; OLD: edge a -> b probability is 0x40000000 / 0x80000000 = 50.00%
; OLD-NEXT: edge a -> latch probability is 0x40000000 / 0x80000000 = 50.00%
; OLD-NEXT: edge b -> a probability is 0x40000000 / 0x80000000 = 50.00%
; OLD-NEXT: edge b -> latch probability is 0x40000000 / 0x80000000 = 50.00%
; OLD-NEXT: edge latch -> outer probability is 0x7c000000 / 0x80000000 = 96.88% [HOT edge]
; OLD-NEXT: edge latch -> end probability is 0x04000000 / 0x80000000 = 3.12%
; NEW-LABEL: 'cycle_in_loop'
; NEW: edge %a -> %b probability is 0x7c000000 / 0x80000000 = 96.88% [HOT edge]
; NEW-NEXT: edge %a -> %latch probability is 0x04000000 / 0x80000000 = 3.12%
; NEW-NEXT: edge %b -> %a probability is 0x7c000000 / 0x80000000 = 96.88% [HOT edge]
; NEW-NEXT: edge %b -> %latch probability is 0x04000000 / 0x80000000 = 3.12%
; NEW-NEXT: edge %latch -> %outer probability is 0x7c000000 / 0x80000000 = 96.88% [HOT edge]
; NEW-NEXT: edge %latch -> %end probability is 0x04000000 / 0x80000000 = 3.12%
define void @cycle_in_loop(i1 %c, i1 %d) {
entry:
  br label %outer
outer:
  br i1 %c, label %a, label %b
a:
  br i1 %d, label %b, label %latch
b:
  br i1 %d, label %a, label %latch
latch:
  br i1 %c, label %outer, label %end
end:
  ret void
}

; Each of the two nested cycles has two entries. All four blocks are one strongly connected component.
; OLD-LABEL: 'cycle_in_cycle'
; OLD: edge a -> x probability is 0x40000000 / 0x80000000 = 50.00%
; OLD-NEXT: edge a -> y probability is 0x40000000 / 0x80000000 = 50.00%
; OLD-NEXT: edge x -> y probability is 0x40000000 / 0x80000000 = 50.00%
; OLD-NEXT: edge x -> b probability is 0x40000000 / 0x80000000 = 50.00%
; OLD-NEXT: edge y -> x probability is 0x40000000 / 0x80000000 = 50.00%
; OLD-NEXT: edge y -> b probability is 0x40000000 / 0x80000000 = 50.00%
; OLD-NEXT: edge b -> a probability is 0x7c000000 / 0x80000000 = 96.88% [HOT edge]
; OLD-NEXT: edge b -> end probability is 0x04000000 / 0x80000000 = 3.12%
; NEW-LABEL: 'cycle_in_cycle'
; NEW: edge %a -> %x probability is 0x40000000 / 0x80000000 = 50.00%
; NEW-NEXT: edge %a -> %y probability is 0x40000000 / 0x80000000 = 50.00%
; NEW-NEXT: edge %x -> %y probability is 0x7c000000 / 0x80000000 = 96.88% [HOT edge]
; NEW-NEXT: edge %x -> %b probability is 0x04000000 / 0x80000000 = 3.12%
; NEW-NEXT: edge %y -> %x probability is 0x7c000000 / 0x80000000 = 96.88% [HOT edge]
; NEW-NEXT: edge %y -> %b probability is 0x04000000 / 0x80000000 = 3.12%
; NEW-NEXT: edge %b -> %a probability is 0x7c000000 / 0x80000000 = 96.88% [HOT edge]
; NEW-NEXT: edge %b -> %end probability is 0x04000000 / 0x80000000 = 3.12%
define void @cycle_in_cycle(i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %b
a:
  br i1 %c, label %x, label %y
x:
  br i1 %d, label %y, label %b
y:
  br i1 %d, label %x, label %b
b:
  br i1 %d, label %a, label %end
end:
  ret void
}

declare void @cold() cold

; An edge from the inner loop to the outer cycle does not enter the outer cycle. Therefore the cold exit of the outer
; cycle does not affect the weight of the exit of the inner loop. Before LLVM 24, cycles were not nested.
; OLD-LABEL: 'cold_cycle'
; OLD: edge entry -> choose probability is 0x078780e3 / 0x80000000 = 5.88%
; OLD-NEXT: edge entry -> end probability is 0x78787f1d / 0x80000000 = 94.12% [HOT edge]
; OLD: edge a -> b probability is 0x7fbe1203 / 0x80000000 = 99.80% [HOT edge]
; OLD-NEXT: edge a -> out probability is 0x0041edfd / 0x80000000 = 0.20%
; OLD-NEXT: edge b -> loop probability is 0x04000000 / 0x80000000 = 3.12%
; OLD-NEXT: edge b -> a probability is 0x7c000000 / 0x80000000 = 96.88% [HOT edge]
; OLD-NEXT: edge loop -> loop probability is 0x7fbe1203 / 0x80000000 = 99.80% [HOT edge]
; OLD-NEXT: edge loop -> a probability is 0x0041edfd / 0x80000000 = 0.20%
; NEW-LABEL: 'cold_cycle'
; NEW: edge %entry -> %choose probability is 0x078780e3 / 0x80000000 = 5.88%
; NEW-NEXT: edge %entry -> %end probability is 0x78787f1d / 0x80000000 = 94.12% [HOT edge]
; NEW: edge %a -> %b probability is 0x7fbe1203 / 0x80000000 = 99.80% [HOT edge]
; NEW-NEXT: edge %a -> %out probability is 0x0041edfd / 0x80000000 = 0.20%
; NEW-NEXT: edge %b -> %loop probability is 0x40000000 / 0x80000000 = 50.00%
; NEW-NEXT: edge %b -> %a probability is 0x40000000 / 0x80000000 = 50.00%
; NEW-NEXT: edge %loop -> %loop probability is 0x7c000000 / 0x80000000 = 96.88% [HOT edge]
; NEW-NEXT: edge %loop -> %a probability is 0x04000000 / 0x80000000 = 3.12%
define void @cold_cycle(i1 %c, i1 %d, i1 %e) {
entry:
  br i1 %e, label %choose, label %end
choose:
  br i1 %c, label %a, label %b
a:
  br i1 %d, label %b, label %out
b:
  br i1 %e, label %loop, label %a
loop:
  br i1 %d, label %loop, label %a
out:
  call void @cold()
  ret void
end:
  ret void
}
