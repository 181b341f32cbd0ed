; A model predicts a branch if the branch has no weights, and if no successor is unreachable or cold. All passes use the
; predictions of the model.
; RUN: %bpa -passes='rust-bpi<predictor=%S/Inputs/small.model>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='rust-bpi<explain;predictor=%S/Inputs/small.model>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=WHY
; RUN: %bpa -passes='rust-bpi<annotate;predictor=%S/Inputs/small.model>' -S %s | FileCheck %s --check-prefix=WEIGHTS
; RUN: %bpa -passes='rust-bpi<json;predictor=%S/Inputs/small.model>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=JSON
; RUN: %bpa -passes='rust-bfi<predictor=%S/Inputs/small.model>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OFTEN

declare void @complain(ptr)
declare void @give_up() cold
@text = private constant [5 x i8] c"none\00"

; The log-odds of the edge to %ok are (1000 + 65536 + 131072) / 65536 = 3.015.
; CHECK: edge {{%?}}entry -> {{%?}}ok probability is {{.*}} = 95.33%
; CHECK: edge {{%?}}entry -> {{%?}}bad probability is {{.*}} = 4.67%
; Branch weights and the rules for unreachable and cold successors have precedence over the model.
; CHECK: edge {{%?}}ok -> {{%?}}more probability is {{.*}} = 75.00%
; CHECK: edge {{%?}}more -> {{%?}}cold probability is {{.*}} = 5.88%
; The model predicts log-odds for each successor of a switch: 1 for the default, and -1 for the cases. The probabilities
; are then normalised to the sum 1.
; CHECK: edge {{%?}}end -> {{%?}}x1 probability is {{.*}} = 57.61%
; CHECK: edge {{%?}}end -> {{%?}}y1 probability is {{.*}} = 21.19%
; CHECK: edge {{%?}}end -> {{%?}}z1 probability is {{.*}} = 21.19%
; If two cases have the same destination, bpa prints the sum of their probabilities. For an unreachable successor, the
; probability is the prediction of LLVM.
; CHECK: edge {{%?}}start -> {{%?}}rest probability is 0x00000000
; CHECK: edge {{%?}}start -> {{%?}}two probability is {{.*}} = 50.00%
; CHECK: edge {{%?}}start -> {{%?}}two probability is {{.*}} = 50.00%
; CHECK: edge {{%?}}start -> {{%?}}one probability is {{.*}} = 50.00%

; WHY: = 95.33%
; WHY-NEXT: learned, {{[0-9]+}} of 2147483648: predicted by a model trained on profiles.
; WHY-NEXT: Log-odds: start +0.01; second.text_calls = 1 +2.01; constant = 1 +1.03; test = 1 -0.03; others +0.00.
; WHY-NEXT: Other rules: no metadata; constant 12 of 32 = 37.50%; even 50.00%.
; WHY: = 4.67%
; WHY-NEXT: learned, {{[0-9]+}} of 2147483648: predicted by a model trained on profiles.
; WHY-NEXT: Log-odds: start -0.01; second.text_calls = 1 -2.01; constant = 1 -1.03; test = 1 +0.03; others +0.00.

; WHY: edge {{%?}}end -> {{%?}}x1 probability
; WHY-NEXT: learned, {{[0-9]+}} of {{[0-9]+}}: predicted by a model trained on profiles.
; WHY-NEXT: Log-odds, before the probabilities of all successors are scaled to the sum 1: start -0.31; side.is_default = 1 +1.31; others +0.00.
; WHY: edge {{%?}}start -> {{%?}}rest probability is 0x00000000
; WHY-NEXT: learned, 0 of 2147483648: LLVM's prediction for a rare destination; the model predicts the other edges.
; WEIGHTS: br i1 %zero, label %ok, label %bad, !prof ![[LEARNED:[0-9]+]]
; WEIGHTS: br i1 %c, label %more, label %end, !prof ![[GIVEN:[0-9]+]]
; WEIGHTS-DAG: ![[GIVEN]] = !{!"branch_weights", i32 3, i32 1}
; WEIGHTS-DAG: !{!"branch_weights", i32 0, i32 536870912, i32 536870912, i32 1073741824}
; WEIGHTS-DAG: ![[LEARNED]] = !{!"branch_weights", i32 {{[0-9]+}}, i32 {{[0-9]+}}}

; JSON: "rule":"learned"
; OFTEN: entry: float = 1.0
; OFTEN: bad: float = 0.046

define i32 @f(i32 %x, i1 %c) {
entry:
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %ok, label %bad
ok:
  br i1 %c, label %more, label %end, !prof !0
more:
  br i1 %c, label %cold, label %end
cold:
  call void @give_up()
  br label %end
bad:
  call void @complain(ptr @text)
  br label %end
end:
  switch i32 %x, label %x1 [ i32 1, label %y1
                             i32 2, label %z1 ]
x1:
  ret i32 1
y1:
  ret i32 2
z1:
  ret i32 3
}

define i32 @g(i32 %x) {
start:
  switch i32 %x, label %rest [ i32 1, label %two
                               i32 2, label %two
                               i32 3, label %one ]
rest:
  unreachable
two:
  ret i32 1
one:
  ret i32 2
}
!0 = !{!"branch_weights", i32 3, i32 1}

; If a model file is invalid, bpa prints an error with the line number, and opt writes no module.
; RUN: sed 's/^bpa-model 2/bpa-model 7/' %S/Inputs/small.model > %t.title.model
; RUN: not %bpa -passes='rust-bpi<annotate;predictor=%t.title.model>' -o %t.bc %s 2>&1 | FileCheck %s --check-prefix=TITLE
; TITLE: bpa: {{.*}}.title.model:1: expected bpa-model 2
; RUN: sed 's/,depth,/,deepness,/' %S/Inputs/small.model > %t.names.model
; RUN: not %bpa -passes='rust-bpi<annotate;predictor=%t.names.model>' -o %t.bc %s 2>&1 | FileCheck %s --check-prefix=NAMES
; NAMES: bpa: {{.*}}.names.model:3: expected the line 'features test,{{.*}},depth,
; RUN: sed 's/ 30000$//' %S/Inputs/small.model > %t.tree.model
; RUN: not %bpa -passes='rust-bpi<annotate;predictor=%t.tree.model>' -o %t.bc %s 2>&1 | FileCheck %s --check-prefix=TREE
; TREE: bpa: {{.*}}.tree.model:4: expected a split such as 3<=7@-21, or the number of a leaf
; RUN: not ls %t.bc
