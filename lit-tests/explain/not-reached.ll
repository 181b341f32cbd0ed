; What the entry does not reach is not judged, not even by its branch weights.
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='rust-bfi<explain>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=FREQUENCY

define void @f(ptr %p) {
; CHECK: edge {{%?}}judged -> {{%?}}end
; CHECK-NEXT: not reached, 1 of 2: the entry does not reach %judged: no rule is asked.
; CHECK: edge {{%?}}weighted -> {{%?}}end
; CHECK-NEXT: not reached, 1 of 2: the entry does not reach %weighted: neither rules nor branch weights count.
; FREQUENCY: - judged: float = 0.0
; FREQUENCY-NEXT: not reached: no way leads here from the entry.
entry:
  br label %end
judged:
  %c = icmp eq ptr %p, null
  br i1 %c, label %end, label %judged
weighted:
  %d = icmp eq ptr %p, null
  br i1 %d, label %end, label %judged, !prof !0
end:
  ret void
}

!0 = !{!"branch_weights", i32 7, i32 8}
