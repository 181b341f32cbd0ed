declare i32 @llvm.experimental.deoptimize.i32(...)

define i32 @f(i1 %c) {
  br i1 %c, label %a, label %b
a:
  ret i32 1
b:
  %d = call i32 (...) @llvm.experimental.deoptimize.i32() [ "deopt"() ]
  ret i32 %d
}
