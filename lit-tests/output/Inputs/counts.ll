; The branch weights are not counts: @scaled has scaled counts, and @guard has the weights of a guard variable's test.
define void @scaled(i1 %c) !prof !0 {
  br i1 %c, label %a, label %b, !prof !1
a:
  ret void
b:
  ret void
}
define void @guard(i1 %c) !prof !0 {
  br i1 %c, label %a, label %b, !prof !2
a:
  ret void
b:
  ret void
}
!0 = !{!"function_entry_count", i64 10000000000}
!1 = !{!"branch_weights", i32 -1294967296, i32 333333333}
!2 = !{!"branch_weights", i32 1, i32 1048575}
