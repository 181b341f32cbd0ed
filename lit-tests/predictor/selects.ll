; `annotate` writes weights on selects only if the predictor is a model with a part about selects.
; RUN: %bpa -passes='rust-bpi<annotate;predictor=%S/Inputs/selects.model>' -S %s -o %t.ll
; RUN: FileCheck %s --input-file=%t.ll
; RUN: %bpa -passes='rust-bpi<annotate;skip-even;predictor=%S/Inputs/selects.model>' -S %s | FileCheck %s
; RUN: %bpa -passes='rust-bpi<annotate;overwrite;predictor=%S/Inputs/selects.model>' -S %s | FileCheck %s --check-prefix=OVER
; RUN: %bpa -passes='rust-bpi<annotate>' -S %s | FileCheck %s --check-prefix=NONE
; RUN: %bpa -passes='rust-bpi<annotate;overwrite;predictor=%S/Inputs/small.model>' -S %s | FileCheck %s --check-prefix=NONE

; In units of 1/65536, the log-odds are 0 for %even, 655360 for %more, and 196608 for %less. The last number is the
; sum of 65536 and 131072. For %wide, the odds e^5 : 1 exceed the upper bound 63 : 1.
; CHECK: %even = select i1 %c, i32 %x, i32 %y, !prof ![[EVEN:[0-9]+]]
; CHECK: %more = select i1 %c, i32 %x, i32 7, !prof ![[MORE:[0-9]+]]
; CHECK: %less = select i1 %d, i32 %x, i32 %y, !prof ![[LESS:[0-9]+]]
; CHECK: %wide = select i1 %c, i64 %z, i64 %z, !prof ![[WIDE:[0-9]+]]
; `annotate` keeps existing weights, and `!prof` metadata of a different kind.
; CHECK: %given = select i1 %c, i32 %x, i32 %y, !prof ![[GIVEN:[0-9]+]]
; CHECK: %other = select i1 %c, i32 %x, i32 %y, !prof ![[OTHER:[0-9]+]]
; CHECK: %each = select <2 x i1> %v, <2 x i32> %w, <2 x i32> zeroinitializer{{$}}
; CHECK: %lost = select i1 %c, i32 %x, i32 %y{{$}}
; CHECK: define i32 @straight
; CHECK-NEXT: select {{.*}}, !prof ![[EVEN]]
; CHECK-DAG: ![[EVEN]] = !{!"branch_weights", i32 1073741824, i32 1073741824}
; CHECK-DAG: ![[MORE]] = !{!"branch_weights", i32 2147386157, i32 97491}
; CHECK-DAG: ![[LESS]] = !{!"branch_weights", i32 2045637361, i32 101846287}
; CHECK-DAG: ![[WIDE]] = !{!"branch_weights", i32 2113925163, i32 33558485}
; CHECK-DAG: ![[GIVEN]] = !{!"branch_weights", i32 3, i32 1}
; CHECK-DAG: ![[OTHER]] = !{!"VP", i32 2, i64 10, i64 123, i64 10}

; OVER: %even = select i1 %c, i32 %x, i32 %y, !prof ![[EVEN:[0-9]+]]
; OVER: %given = select i1 %c, i32 %x, i32 %y, !prof ![[EVEN]]
; OVER: %other = select i1 %c, i32 %x, i32 %y, !prof ![[OTHER:[0-9]+]]
; OVER: ![[OTHER]] = !{!"VP", i32 2, i64 10, i64 123, i64 10}

; NONE: %even = select i1 %c, i32 %x, i32 %y{{$}}
; NONE: %more = select i1 %c, i32 %x, i32 7{{$}}
; NONE: %less = select i1 %d, i32 %x, i32 %y{{$}}
; NONE: %given = select i1 %c, i32 %x, i32 %y, !prof ![[GIVEN:[0-9]+]]
; NONE: ![[GIVEN]] = !{!"branch_weights", i32 3, i32 1}

define i32 @f(i32 %x, i32 %y, <2 x i1> %v, <2 x i32> %w, i64 %z) {
  %c = icmp eq i32 %x, %y
  %d = icmp slt i32 %x, %y
  %even = select i1 %c, i32 %x, i32 %y
  %more = select i1 %c, i32 %x, i32 7
  %less = select i1 %d, i32 %x, i32 %y
  %wide = select i1 %c, i64 %z, i64 %z
  %given = select i1 %c, i32 %x, i32 %y, !prof !0
  %other = select i1 %c, i32 %x, i32 %y, !prof !1
  %each = select <2 x i1> %v, <2 x i32> %w, <2 x i32> zeroinitializer
  br i1 %c, label %one, label %two
one:
  ret i32 %more
two:
  ret i32 %less
nowhere:
  %lost = select i1 %c, i32 %x, i32 %y
  ret i32 %lost
}

; The function @straight has no branches.
define i32 @straight(i1 %c, i32 %x, i32 %y) {
  %s = select i1 %c, i32 %x, i32 %y
  ret i32 %s
}

!0 = !{!"branch_weights", i32 3, i32 1}
!1 = !{!"VP", i32 2, i64 10, i64 123, i64 10}
