; A predictor file can omit rules, change the order of rules, and set the weights of rules.
; RUN: %python -c 'print("rules = [\"constant\", \"estimated-weights\"]\n[constant]\nzero.less = [1, 9]\nother.less = [3, 1]\n[estimated-weights]\nunreachable = 0\nnoreturn = 1\nunwind = 1\ncold = 65535\ndefault = 1000\nloop = [7, 2]\nunlikely = [2, 1]")' > %t.toml
; RUN: %bpa -passes='rust-bpi<explain;predictor=%t.toml>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='rust-bpi<predictor=%t.toml;diff>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=DIFF
; RUN: %bpa -passes='rust-bpi<predictor=%t.toml;score>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=SCORE
; RUN: %bpa -passes='rust-bpi<json;predictor=%t.toml>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=JSON
; LLVM computes the predicted probabilities from the branch weights that `annotate` writes.
; RUN: %bpa -passes='rust-bpi<predictor=%t.toml>' -disable-output %s 2> %t.asked
; RUN: %bpa -passes='rust-bpi<annotate;overwrite;predictor=%t.toml>,rust-bpi' -disable-output %s 2> %t.read
; RUN: diff %t.asked %t.read
; RUN: %bpa -passes='rust-bpi<annotate;predictor=%t.toml>' -S %s | FileCheck %s --check-prefix=WEIGHTS

; The rule for constants precedes the estimated weights, and applies to the branch in %head. In %next.head, the weight
; of the exit is 1000 * 2 / 7 = 285.
; CHECK: edge {{%?}}head -> {{%?}}head probability is 0x60000000 / 0x80000000 = 75.00%
; CHECK-NEXT: constant, 3 of 4: taken if icmp slt %next, 42 holds; {{.*}} has its own weights for other.less.
; CHECK-NEXT: Other rules: metadata left out; estimated weights 1000 of 1285 = 77.82%; even 50.00%.
; CHECK: edge {{%?}}next.head -> {{%?}}next.head
; CHECK-NEXT: estimated weights, 1000 of 1285: it starts the next iteration of the loop of %next.head.
; CHECK: edge {{%?}}next.head -> {{%?}}out
; CHECK-NEXT: estimated weights, 285 of 1285: it leaves the loop of %next.head: 1000 x 2 / 7.
; CHECK: edge {{%?}}out -> {{%?}}a probability is 0x0ccccccd / 0x80000000 = 10.00%
; CHECK-NEXT: constant, 1 of 10: taken if icmp slt %x, 0 holds; {{.*}} has its own weights for zero.less.
; CHECK: edge {{%?}}a -> {{%?}}b probability is 0x40000000 / 0x80000000 = 50.00%
; CHECK-NEXT: even, 1 of 2: no rule applies to icmp eq %p, null.

; DIFF: -{{.*}} edge %head -> %head probability is {{.*}} = 96.88%
; DIFF-NEXT: +{{.*}} edge %head -> %head probability is {{.*}} = 75.00%

; SCORE: Score of module '{{.*}}', predictor {{.*}}rules.ll.tmp ----

; JSON: "predictor":"{{[^/"]*}}rules.ll.tmp","module"

; WEIGHTS: br i1 %c, label %head, label %between, !prof [[LOOP:![0-9]+]]
; WEIGHTS: br i1 %null, label %b, label %c1, !prof [[OLD:![0-9]+]]
; WEIGHTS-DAG: [[LOOP]] = !{!"branch_weights", i32 3, i32 1}
; WEIGHTS-DAG: [[OLD]] = !{!"branch_weights", i32 7, i32 8}

define void @f(i32 %x, i1 %y, ptr %p) !prof !1 {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %next = add i32 %i, 1
  %c = icmp slt i32 %next, 42
  br i1 %c, label %head, label %between
between:
  br label %next.head
next.head:
  br i1 %y, label %next.head, label %out
out:
  %negative = icmp slt i32 %x, 0
  br i1 %negative, label %a, label %b
a:
  %null = icmp eq ptr %p, null
  br i1 %null, label %b, label %c1, !prof !0
b:
  ret void
c1:
  ret void
}

!0 = !{!"branch_weights", i32 7, i32 8}
!1 = !{!"function_entry_count", i64 10}
