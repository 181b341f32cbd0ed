declare void @report(ptr) cold

define i32 @total(ptr %list) {
entry:
  br label %loop
loop:
  %item = phi ptr [ %list, %entry ], [ %next, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %more, %latch ]
  %value = load i32, ptr %item
  %bad = icmp slt i32 %value, 0
  br i1 %bad, label %rare, label %latch
rare:
  call void @report(ptr %item)
  br label %latch
latch:
  %more = add i32 %sum, %value
  %field = getelementptr ptr, ptr %item, i64 1
  %next = load ptr, ptr %field
  %done = icmp eq ptr %next, null
  br i1 %done, label %exit, label %loop
exit:
  ret i32 %more
}
