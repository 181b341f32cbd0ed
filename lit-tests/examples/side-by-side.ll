; One opt loads two plugins that use this library. Each plugin handles only its own pass names, and computes its own
; profiles.
; RUN: %opt -load-pass-plugin=%examples/libcounters.so -load-pass-plugin=%plugin \
; RUN:   -load-pass-plugin=%examples/libcold_call_sites.so \
; RUN:   -passes='counters,function(rust-bpi),cold-call-sites,rust-bpi<annotate>,print<rust-bfi>,counters' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s
; CHECK: f: counters on 2 of
; CHECK: edge {{%?}}entry -> {{%?}}rare probability is
; CHECK: f: %rare calls @log, frequency 0.0
; CHECK: - {{%?}}rare: float = 0.0
; CHECK: f: counters on 2 of
; The host still reports unknown pass names.
; RUN: not %opt -load-pass-plugin=%examples/libcounters.so -load-pass-plugin=%plugin -passes=counterz \
; RUN:   -disable-output %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; UNKNOWN: unknown pass name 'counterz'

declare void @log()

define void @f(i1 %c) {
entry:
  br i1 %c, label %rare, label %end
rare:
  call void @log()
  unreachable
end:
  ret void
}
