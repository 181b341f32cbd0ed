; LLVM 22 and later write `unknown` where no profile is known. The pass predicts these branches and writes weights. With
; `complete`, the pass writes `unknown` where it writes no weights: on selects, and on branches whose probabilities
; weights cannot express.
; RUN: %bpa -passes='rust-bpi<annotate>,verify' -S %s | FileCheck %s --check-prefixes=CHECK,PLAIN --implicit-check-not='!prof'
; RUN: %bpa -passes='rust-bpi<annotate;complete>,verify' -S %s | FileCheck %s --check-prefixes=CHECK,COMPLETE --implicit-check-not='!prof'
; RUN: %bpa -passes='rust-bpi<complete;annotate;skip-even>,verify' -S %s | FileCheck %s --check-prefix=EVEN
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=EXPLAIN
; RUN: not %bpa -passes='rust-bpi<complete>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=ALONE
; ALONE: option 'complete' needs option 'annotate'

; EXPLAIN: edge {{%?}}entry -> {{%?}}null
; EXPLAIN: Other rules: metadata: the profile is unknown; no estimated weights; even 50.00%.

define i32 @f(ptr %p, i32 %x, i1 %c) {
; PLAIN: %s = select i1 %c, i32 1, i32 2{{$}}
; COMPLETE: %s = select i1 %c, i32 1, i32 2, !prof ![[UNKNOWN:[0-9]+]]
; CHECK: %known = select {{.*}}, !prof ![[KNOWN:[0-9]+]]
; CHECK: br i1 %test, label %null, label %other, !prof ![[POINTER:[0-9]+]]
; EVEN: br i1 %c, label %more, label %choose, !prof ![[MARK:[0-9]+]]
; CHECK: br i1 %c, label %more, label %choose, !prof ![[EQUAL:[0-9]+]]
; PLAIN: ]{{$}}
; COMPLETE: ], !prof ![[UNKNOWN]]
; CHECK-DAG: ![[KNOWN]] = !{!"branch_weights", i32 2, i32 3}
; CHECK-DAG: ![[POINTER]] = !{!"branch_weights", i32 12, i32 20}
; CHECK-DAG: ![[EQUAL]] = !{!"branch_weights", i32 1, i32 1}
; COMPLETE-DAG: ![[UNKNOWN]] = !{!"unknown", !"bpa"}
; EVEN: ![[MARK]] = !{!"unknown", !"bpa"}
entry:
  %s = select i1 %c, i32 1, i32 2
  %known = select i1 %c, i32 3, i32 4, !prof !1
  %test = icmp eq ptr %p, null
  br i1 %test, label %null, label %other, !prof !0
null:
  ret i32 %s
other:
  br i1 %c, label %more, label %choose
more:
  ret i32 %known
choose:
  switch i32 %x, label %null [
    i32 1, label %same
    i32 2, label %same
  ]
same:
  ret i32 0
}

!0 = !{!"unknown", !"some-pass"}
!1 = !{!"branch_weights", i32 2, i32 3}
