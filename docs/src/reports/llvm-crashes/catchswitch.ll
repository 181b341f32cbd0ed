declare i32 @__CxxFrameHandler3(...)
declare void @g(i32)

define void @f(i1 %c, i32 %x) personality ptr @__CxxFrameHandler3 {
entry:
  br i1 %c, label %one, label %two
one:
  invoke void @g(i32 1) to label %end unwind label %dispatch
two:
  invoke void @g(i32 2) to label %end unwind label %dispatch
dispatch:
  %p = phi i32 [ 1, %one ], [ %x, %two ]
  %switch = catchswitch within none [label %catch] unwind to caller
catch:
  %pad = catchpad within %switch [ptr null, i32 64, ptr null]
  call void @g(i32 %p) [ "funclet"(token %pad) ]
  catchret from %pad to label %end
end:
  ret void
}
