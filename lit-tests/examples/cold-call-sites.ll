; The frequency of a block with a cold call is 65535 / 1114110 = 0.058823, which is above the limit of 2%. If a second
; branch to a cold call follows, the frequency is 0.0034601. A block that ends in `unreachable` has a frequency near 0.
; The plugin counts calls through pointers. The plugin counts neither calls of intrinsics nor unreachable calls.
; RUN: %opt -load-pass-plugin=%examples/libcold_call_sites.so -passes=cold-call-sites -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -load-pass-plugin=%examples/libcold_call_sites.so -passes='function(cold-call-sites)' -disable-output %s 2>&1 | FileCheck %s

declare void @cold() cold
declare void @log()
declare void @llvm.donothing()

; CHECK-NOT: calls
; CHECK: f: %colder calls @cold, frequency 0.0034601
; CHECK-NEXT: f: %colder calls @log, frequency 0.0034601
; CHECK-NEXT: f: %dead_end calls a pointer, frequency 0.00000000046566
; CHECK-NOT: calls
define void @f(i1 %a, i1 %b, i1 %c, ptr %handler) {
entry:
  br i1 %c, label %dead_end, label %alive
alive:
  call void @log()
  br i1 %a, label %rare, label %end
rare:
  call void @cold()
  br i1 %b, label %colder, label %end
colder:
  call void @cold()
  call void @log()
  call void @llvm.donothing()
  br label %end
dead_end:
  call void %handler()
  unreachable
end:
  ret void
never:
  call void @log()
  ret void
}
