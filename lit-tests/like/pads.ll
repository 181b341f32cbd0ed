; From LLVM 19 on, every block that begins with an exception pad has the weight for exception handling, so all pads are
; equally likely. Before LLVM 19, only the unwind destinations of `invoke`s have this weight. Among the other pads, a
; pad with a cold call is less likely.
; RUN: %bpa -passes='rust-bpi<like=18>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OLD
; RUN: %bpa -passes='rust-bpi<like=19>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=NEW

; OLD: edge %dispatch -> %warm probability is 0x78787f1d / 0x80000000 = 94.12%
; NEW: edge %dispatch -> %warm probability is 0x40000000 / 0x80000000 = 50.00%
declare void @may_throw()
declare void @rarely() cold
declare i32 @__CxxFrameHandler3(...)

define void @f() personality ptr @__CxxFrameHandler3 {
entry:
  invoke void @may_throw() to label %end unwind label %dispatch
dispatch:
  %s = catchswitch within none [label %warm, label %cold] unwind to caller
warm:
  %w = catchpad within %s [ptr null, i32 64, ptr null]
  catchret from %w to label %end
cold:
  %c = catchpad within %s [ptr null, i32 64, ptr null]
  call void @rarely() [ "funclet"(token %c) ]
  catchret from %c to label %end
end:
  ret void
}
