; The pass of the example plugin adds an attribute to cold calls. The branch weights give %rare the probability 1/128.
; The call in %rare gets the attribute `cold`, and the call in %usual does not. After this change, bpa and LLVM compute
; the results of the function again, and the rule for cold calls applies.
; RUN: %opt -load-pass-plugin=%examples/libcold_call_sites.so -passes=mark-cold-call-sites -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%examples/libcold_call_sites.so -passes='function(mark-cold-call-sites,mark-cold-call-sites)' -S %s | FileCheck %s
; RUN: %opt -load-pass-plugin=%examples/libcold_call_sites.so -load-pass-plugin=%plugin \
; RUN:   -passes='rust-bpi,mark-cold-call-sites,rust-bpi' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PRINTED
; RUN: %opt -load-pass-plugin=%examples/libcold_call_sites.so \
; RUN:   -passes='function(print<branch-prob>,mark-cold-call-sites,print<branch-prob>)' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PRINTED

; PRINTED: edge {{%?}}rare -> {{%?}}complain probability is 0x40000000 / 0x80000000 = 50.00%
; PRINTED: edge {{%?}}rare -> {{%?}}complain probability is 0x078780e3 / 0x80000000 = 5.88%

declare void @log()

; CHECK: usual:
; CHECK-NEXT: call void @log(){{$}}
; CHECK: complain:
; CHECK-NEXT: call void @log() #[[COLD:[0-9]+]]
define void @f(i1 %a, i1 %b) {
entry:
  br i1 %a, label %rare, label %usual, !prof !0
usual:
  call void @log()
  br label %end
rare:
  br i1 %b, label %complain, label %end
complain:
  call void @log()
  br label %end
end:
  ret void
}

; CHECK: attributes #[[COLD]] = { cold }

!0 = !{!"branch_weights", i32 1, i32 127}
