; `rust-audit` charges each pass with exactly the damage that the pass does.
; RUN: rm -rf %t && mkdir %t
; RUN: %cxx -fPIC -shared %S/Inputs/damage.cpp %llvm_flags -o %t/damage.so
;
; The function is entered 1,000 times. `a` runs 750 times, and `b` 250 times.
; RUN: %bpa -load-pass-plugin=%t/damage.so -disable-output %s \
; RUN:   -passes='rust-audit<begin>,function(drop-weights),rust-audit' 2>&1 | FileCheck %s --check-prefixes=EACH,DROP
; RUN: %bpa -load-pass-plugin=%t/damage.so -disable-output %s \
; RUN:   -passes='rust-audit<begin>,function(swap-weights),rust-audit' 2>&1 | FileCheck %s --check-prefixes=EACH,SWAP
; RUN: %bpa -load-pass-plugin=%t/damage.so -disable-output %s \
; RUN:   -passes='rust-audit<begin>,function(halve-entry-count),rust-audit' 2>&1 | FileCheck %s --check-prefixes=EACH,HALVE
; RUN: %bpa -load-pass-plugin=%t/damage.so -disable-output %s \
; RUN:   -passes='rust-audit<begin>,function(copy-without-scaling),rust-audit' 2>&1 | FileCheck %s --check-prefixes=EACH,COPY
; RUN: %bpa -load-pass-plugin=%t/damage.so -disable-output %s \
; RUN:   -passes='rust-audit<begin>,function(delete-block),rust-audit' 2>&1 | FileCheck %s --check-prefixes=EACH,DELETE
; RUN: %bpa -load-pass-plugin=%t/damage.so -disable-output %s \
; RUN:   -passes='rust-audit<begin>,function(make-unknown),rust-audit' 2>&1 | FileCheck %s --check-prefixes=EACH,UNKNOWN
; EACH:      Audit of module '{{.*}}damage.ll':
; EACH-NEXT:   executions: 3000 of 4 blocks; 0 blocks are unknown
; DROP-NEXT:     wrong at the end: 500 (16.67%); with exact frequencies: 500 (16.67%)
; SWAP-NEXT:     wrong at the end: 1000 (33.33%); with exact frequencies: 1000 (33.33%)
; HALVE-NEXT:    wrong at the end: 1500 (50.00%); with exact frequencies: 1500 (50.00%)
; COPY-NEXT:     wrong at the end: 750 (25.00%); with exact frequencies: 750 (25.00%)
; DELETE-NEXT:   wrong at the end: 250 (8.33%); with exact frequencies: 250 (8.33%)
; UNKNOWN-NEXT:  wrong at the end: 500 (16.67%); with exact frequencies: 500 (16.67%)
; EACH-NEXT:   wrong at the beginning: 0 (0.00%)
; EACH-NEXT:   lost: {{(250 \(8.33%\))|(0 \(0.00%\))}}
; EACH-NEXT:      wrong      %  worse  better  exact  lost  weights  unknown  stale  pass
; DROP-NEXT:       +500  16.67    500       0   +500    +0        1        0      0  {{.*}}DropWeights
; SWAP-NEXT:      +1000  33.33   1000       0  +1000    +0        0        0      0  {{.*}}SwapWeights
; HALVE-NEXT:     +1500  50.00   1500       0  +1500    +0        0        0      0  {{.*}}HalveEntryCount
; COPY-NEXT:       +750  25.00    750       0   +750    +0        0        0      0  {{.*}}CopyWithoutScaling
; DELETE-NEXT:     +250   8.33    250       0   +250  +250        0        0      0  {{.*}}DeleteBlock
; UNKNOWN-NEXT:    +500  16.67    500       0   +500    +0        0        1      0  {{.*}}MakeUnknown
; EACH-NEXT:   block
;
; A pass that changes weights and keeps both analyses. No other pass is charged, although they also keep the analyses.
; RUN: %bpa -load-pass-plugin=%t/damage.so -disable-output %s -passes='rust-audit<begin>,function(require<branch-prob>,require<block-freq>,keep-stale,loop-simplify,lcssa,sink),rust-audit<limit=1>' 2>&1 \
; RUN:   | FileCheck %s --check-prefix=STALE
; STALE:        wrong      %  worse  better  exact  lost  weights  unknown  stale  pass
; STALE-NEXT:   +1000  33.33   1000       0  +1000    +0        0        0      2  {{.*}}KeepStale
; STALE-NEXT:   block %a of 'f' ran 750 times; after {{.*}}KeepStale LLVM assumes 250, before 750, at the end 250
; STALE-EMPTY:
;
; All in sequence. Swapping again is an improvement.
; RUN: %bpa -load-pass-plugin=%t/damage.so -disable-output %s -passes='rust-audit<begin>,function(swap-weights,correct-change),replace-function,function(halve-entry-count,swap-weights,copy-without-scaling),rust-audit<json>' 2>&1 \
; RUN:   | %python -c "import json, sys; audit = json.load(sys.stdin); names = [row['pass'].rpartition('::')[2] for row in audit['passes']]; [print(*[row[key] for key in ('wrong', 'worse', 'better', 'lost', 'weights', 'unknown', 'stale')], name) for row, name in zip(audit['passes'], names)]; print(sum(row['wrong'] for row in audit['passes']) == audit['wrong'] - audit['wrong_at_begin'], audit['executions'], audit['lost'])" \
; RUN:   | FileCheck %s --check-prefix=ALL
; After the first swap, `a` runs 250 times and `b` 750 times. Half of the entries: the entry and `end` are wrong by 500 each,
; `a` runs 125 times (wrong by 625 instead of 500), and `b` 375 times (wrong by 125 instead of 500). After the second swap,
; `a` runs 375 times (wrong by 375), and `b` 125 times. With the copy, `a` runs 750 times.
; ALL:      750 1000 250 0 0 0 0 SwapWeights
; ALL-NEXT: 0 0 0 0 0 0 0 CorrectChange
; ALL-NEXT: 0 0 0 0 0 0 0 ReplaceFunction
; ALL-NEXT: 750 1125 375 0 0 0 0 HalveEntryCount
; ALL-NEXT: -375 0 375 0 0 0 0 CopyWithoutScaling
; ALL-NEXT: True 3000 0
;
; Passes that change nothing, and correct changes.
; RUN: %bpa -load-pass-plugin=%t/damage.so -disable-output %s -passes='rust-audit<begin>,function(correct-change,reassociate,early-cse,loop-simplify,lcssa,gvn),globaldce,function(simplifycfg),rust-audit' 2>&1 \
; RUN:   | FileCheck %s --check-prefix=NONE
; NONE: wrong at the end: 0 (0.00%); with exact frequencies: 0 (0.00%)
; NONE: lost: 0 (0.00%)
; NONE-NEXT: no pass changed the executions, the weights or stale results
; NONE-EMPTY:

define void @f(i1 %p) !prof !0 {
entry:
  br i1 %p, label %a, label %b, !prof !1
a:
  call void @g(i32 1)
  br label %end
b:
  call void @g(i32 2)
  br label %end
end:
  ret void
}

declare void @g(i32)

!0 = !{!"function_entry_count", i64 1000}
!1 = !{!"branch_weights", i32 3, i32 1}
