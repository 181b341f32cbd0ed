; With `rust-analyses`, LLVM's passes use bpa's analyses, and the output of the pipeline stays the same.
; RUN: rm -rf %t && mkdir %t
; RUN: %opt -passes='default<O2>' %s -o %t/llvm.bc
; RUN: %bpa -passes='rust-analyses,default<O2>' %s -o %t/bpa.bc 2>&1 | count 0
; RUN: cmp %t/llvm.bc %t/bpa.bc
; RUN: env BPA_PIPELINE=analyses %bpa -passes='default<O2>' %s -o %t/variable.bc 2>&1 | count 0
; RUN: cmp %t/llvm.bc %t/variable.bc
; RUN: %bpa -passes='rust-analyses<check>,default<O3>' -verify-each -disable-output %s 2>&1 | count 0
; RUN: %bpa -passes='rust-analyses<check>,function(jump-threading,simplifycfg,loop(loop-rotate),print<block-freq>)' \
; RUN:   -verify-each -disable-output %s > /dev/null

; LLVM's printers show that the objects are equal. The IR of a function is read once for all analyses.
; RUN: %opt -passes='function(print<loops>,print<branch-prob>,print<block-freq>)' -disable-output %s > %t/llvm.txt 2>&1
; RUN: %bpa -passes='rust-analyses,function(print<loops>,print<branch-prob>,print<block-freq>)' -disable-output %s > %t/bpa.txt 2>&1
; RUN: diff %t/llvm.txt %t/bpa.txt
; RUN: env RUST_LOG=bpa=debug %bpa -passes='rust-analyses,print<block-freq>' -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=ONCE
; ONCE-COUNT-3: computing branch probabilities of
; ONCE-NOT: computing branch probabilities of

; Frequencies follow the cached probabilities, even if the IR has changed since. loop-rotate keeps the probabilities,
; and `rust-bpi<annotate>` changes weights in between.
; RUN: %bpa -passes='rust-analyses<check>,function(require<branch-prob>,loop-simplify,simplifycfg,require<block-freq>)' \
; RUN:   -disable-output %s 2>&1 | count 0

; `check` finds faults in the objects.
; RUN: not env BPA_FAULT=current-probabilities %debug_bpa -disable-output %s \
; RUN:   -passes='rust-analyses<check>,function(require<branch-prob>,require<block-freq>)' 2> %t/faults.txt
; RUN: not env BPA_FAULT=edge-order %debug_bpa -disable-output %s \
; RUN:   -passes='rust-analyses<check>,function(require<branch-prob>,require<block-freq>)' 2>> %t/faults.txt
; RUN: not env BPA_FAULT=irreducible-headers %debug_bpa -disable-output %s \
; RUN:   -passes='rust-analyses<check>,function(require<branch-prob>,require<block-freq>)' 2>> %t/faults.txt
; RUN: FileCheck %s --check-prefix=FAULT --input-file=%t/faults.txt
; FAULT: bpa: rust-analyses<check>: function 'sum', frequency of %{{[a-z]+}}: LLVM has {{[0-9]+}}, we have {{[0-9]+}}
; FAULT: bpa: rust-analyses<check>: function 'sum', probability of edge 0 of %entry: LLVM has
; FAULT: bpa: rust-analyses<check>: function 'irreducible', %left is the header of an irreducible loop for only one

; Other predictors give other results. The last pass wins, and cached results are dropped.
; RUN: %bpa -passes='no-op-module,print<branch-prob>,rust-analyses<predictor=bpa>,print<branch-prob>,rust-analyses,print<branch-prob>' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: 'sum'
; CHECK: edge {{.*}}loop -> {{.*}}rare probability is [[LLVM:.*]]
; CHECK-LABEL: 'sum'
; CHECK-NOT: edge {{.*}}loop -> {{.*}}rare probability is [[LLVM]]
; CHECK-LABEL: 'sum'
; CHECK: edge {{.*}}loop -> {{.*}}rare probability is [[LLVM]]

; RUN: env BPA_PIPELINE='analyses<exact>' %bpa -passes='print<block-freq>' -disable-output %s > %t/exact.txt 2>&1
; RUN: %bpa -passes='print<rust-bfi;exact>' -disable-output %s > %t/ours.txt 2>&1
; RUN: diff %t/ours.txt %t/exact.txt
; RUN: not diff %t/llvm.txt %t/exact.txt
; RUN: %bpa -passes='rust-analyses<like=24>,print<block-freq>' -disable-output %s 2>&1 | grep -o 'float = .*' > %t/24.txt
; RUN: %bpa -passes='rust-bfi<like=24>' -disable-output %s 2>&1 | grep -o 'float = .*' | diff - %t/24.txt

; RUN: not %bpa -passes='function(rust-analyses)' -disable-output %s 2>&1 | FileCheck %s --check-prefix=FUNCTION
; FUNCTION: rust-analyses
; RUN: not %bpa -passes='rust-analyses<check;exact>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=BOTH
; BOTH: rust-analyses: {{.*}}check
; RUN: not env BPA_PIPELINE='analyses<all>' %bpa -passes=verify -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=OPTION
; OPTION: BPA_PIPELINE: rust-analyses: unknown option 'all'; valid options are: exact, like=N, predictor=NAME|FILE, check

declare void @rare(i32) cold
declare i32 @next(i32)

define i32 @sum(ptr %data, i32 %n) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %s = phi i32 [ 0, %entry ], [ %t, %latch ]
  %p = getelementptr i32, ptr %data, i32 %i
  %x = load i32, ptr %p
  %bad = icmp eq i32 %x, 7
  br i1 %bad, label %rare, label %good
rare:
  %r = call i32 @next(i32 %x)
  br label %latch
good:
  switch i32 %x, label %latch [
    i32 1, label %cold
    i32 2, label %latch
    i32 3, label %latch
  ]
cold:
  call void @rare(i32 %x)
  br label %latch
latch:
  %d = phi i32 [ %r, %rare ], [ %x, %good ], [ %x, %good ], [ %x, %good ], [ 0, %cold ]
  %t = add i32 %s, %d
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %end
end:
  %z = phi i32 [ 0, %entry ], [ %t, %latch ]
  ret i32 %z
}

define void @irreducible(i1 %c, i32 %n) !prof !0 {
entry:
  br i1 %c, label %left, label %right, !prof !1
left:
  %a = call i32 @next(i32 %n)
  %d = icmp eq i32 %a, 3
  br i1 %d, label %right, label %end
right:
  %b = call i32 @next(i32 %n)
  %e = icmp eq i32 %b, 5
  br i1 %e, label %left, label %end
lost:
  br i1 %c, label %lost, label %end
end:
  ret void
}

define i32 @straight(ptr %data) {
  %x = call i32 @sum(ptr %data, i32 9)
  call void @irreducible(i1 true, i32 %x)
  ret i32 %x
}

!0 = !{!"function_entry_count", i64 100}
!1 = !{!"branch_weights", i32 3, i32 5}
