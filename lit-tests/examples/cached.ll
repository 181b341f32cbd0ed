; The passes of the example plugin and the passes of bpa share one cached profile for each function. After a pass
; changes the function, bpa computes the profile again.
; RUN: env RUST_LOG=bpa=debug %opt -load-pass-plugin=%examples/libcold_call_sites.so \
; RUN:   -passes='function(cold-call-sites,rust-bpi,cold-calls,mark-cold-call-sites,cold-calls,cold-call-sites)' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s
; RUN: env RUST_LOG=bpa=debug %opt -load-pass-plugin=%examples/libcold_call_sites.so \
; RUN:   -passes='cold-call-sites,cold-calls,function(simplifycfg),cold-calls' -disable-output %s 2>&1 | \
; RUN:   FileCheck %s --check-prefix=CHANGED

; CHECK-NOT: computing
; CHECK: computing branch probabilities of 'f'
; CHECK-NOT: computing
; CHECK: f: %rare calls @log
; CHECK-NOT: computing
; CHECK: edge {{%?}}entry -> {{%?}}rare probability is 0x01000000
; CHECK-NOT: computing
; CHECK: f: 1 cold call
; CHECK: computing branch probabilities of 'f'
; CHECK-NOT: computing
; CHECK: f: 1 cold call
; CHECK-NOT: computing
; CHECK: f: %rare calls @log
; CHECK-NOT: computing

; CHANGED: computing branch probabilities of 'f'
; CHANGED: f: %rare calls @log
; CHANGED-NOT: computing
; CHANGED: f: 1 cold call
; CHANGED: computing branch probabilities of 'f'
; CHANGED: f: 1 cold call
; CHANGED-NOT: computing

declare void @log()

define void @f(i1 %c) {
entry:
  br i1 %c, label %rare, label %usual, !prof !0
rare:
  call void @log()
  br label %end
usual:
  br label %end
end:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 127}
