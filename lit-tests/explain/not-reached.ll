; For unreachable blocks, no rule applies and branch weights are ignored.
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='rust-bfi<explain>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=FREQUENCY

define void @f(ptr %p) {
; CHECK: edge {{%?}}compared -> {{%?}}end
; CHECK-NEXT: not reached, 1 of 2: %compared is not reachable from the entry: no rule is applied.
; CHECK: edge {{%?}}weighted -> {{%?}}end
; CHECK-NEXT: not reached, 1 of 2: %weighted is not reachable from the entry: neither rules nor branch weights are used.
; FREQUENCY: - compared: float = 0.0
; FREQUENCY-NEXT: not reached: no path from the entry leads here.
entry:
  br label %end
compared:
  %c = icmp eq ptr %p, null
  br i1 %c, label %end, label %compared
weighted:
  %d = icmp eq ptr %p, null
  br i1 %d, label %end, label %compared, !prof !0
end:
  ret void
}

!0 = !{!"branch_weights", i32 7, i32 8}
