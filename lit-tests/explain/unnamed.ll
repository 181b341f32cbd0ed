; bpa numbers unnamed blocks and values. Some lines of LLVM's output do not identify an unnamed block. In these lines,
; the explanation adds the number of the block in parentheses. Special characters in names are escaped.
; RUN: %bpa -passes='rust-bfi<explain>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=FREQUENCY
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s

define void @0(ptr, i32) {
; CHECK: edge
; CHECK: pointer, 12 of 32: taken if icmp eq %0, null holds; pointers are rarely equal.
; CHECK: single successor, 1 of 1: %5 has no other successor.
; CHECK: edge {{.*}} probability
; CHECK: even, 1 of 2: no rule applies to icmp ult %8, 5.
; CHECK: single successor, 1 of 1: %"a \22b\22" has no other successor.
; FREQUENCY: block-frequency-info:
; FREQUENCY-NEXT: float = 1.0
; FREQUENCY-NEXT: {{^}}      (%2)
; FREQUENCY-NEXT: entry: every call of the function starts here.
; FREQUENCY: {{^}}      (%5)
; FREQUENCY-NEXT: 0.375 from %2: 37.50% of 1.0.
  %3 = icmp eq ptr %0, null
  %4 = add i32 %1, 1
  br i1 %3, label %5, label %7
5:
  %6 = add i32 %4, 1
  br label %7
7:
  %8 = phi i32 [ %6, %5 ], [ %4, %2 ]
  %9 = icmp ult i32 %8, 5
  br i1 %9, label %10, label %"a \22b\22"
"a \22b\22":
  br label %10
10:
  ret void
}
