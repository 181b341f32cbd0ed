; BPA_PIPELINE can list passes of bpa, and passes of any plugin that uses this library. The passes run in the listed
; order.
; RUN: env BPA_PIPELINE=optimizer-last:counters %opt -load-pass-plugin=%examples/libcounters.so -passes='default<O1>' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s --check-prefix=ALONE
; RUN: env BPA_PIPELINE=optimizer-last:rust-bpi,counters,rust-bpi,cold-call-sites %opt \
; RUN:   -load-pass-plugin=%examples/libcold_call_sites.so -load-pass-plugin=%examples/libcounters.so \
; RUN:   -load-pass-plugin=%plugin -passes='default<O1>' -disable-output %s 2>&1 | FileCheck %s
; RUN: env BPA_PIPELINE=optimizer-last:rust-bpi,counters,rust-bpi,cold-call-sites %opt -load-pass-plugin=%plugin \
; RUN:   -load-pass-plugin=%examples/libcounters.so -load-pass-plugin=%examples/libcold_call_sites.so \
; RUN:   -passes='default<O1>' -disable-output %s 2>&1 | FileCheck %s
; If no plugin defines a pass of BPA_PIPELINE, the plugin that is loaded last reports an error.
; RUN: not env BPA_PIPELINE=nonsense %opt -load-pass-plugin=%examples/libcounters.so -passes='default<O1>' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s --check-prefix=NONSENSE
; RUN: not env BPA_PIPELINE=rust-bpi %opt -load-pass-plugin=%examples/libcounters.so -load-pass-plugin=%plugin \
; RUN:   -passes='default<O1>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=NOWHERE
; RUN: not env BPA_PIPELINE=optimizer-last:rust-bpi %opt -load-pass-plugin=%examples/libcounters.so \
; RUN:   -passes='default<O1>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not env BPA_PIPELINE='optimizer-last:rust-bpi<hot>' %opt -load-pass-plugin=%examples/libcounters.so \
; RUN:   -load-pass-plugin=%plugin -passes='default<O1>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OPTION
; The debug log lists the passes that did not run.
; RUN: env RUST_LOG=bpa=debug BPA_PIPELINE='peephole:rust-bpi,optimizer-last:rust-bfi' %bpa -passes='default<O0>' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s --check-prefix=LOG

; ALONE: f: counters on
; ALONE-NOT: f: counters on
; CHECK: Branch Probabilities
; CHECK: f: counters on
; CHECK: Branch Probabilities
; CHECK: f: {{%?}}rare calls @log
; CHECK-NOT: {{f:|Branch}}
; NONSENSE: counters: BPA_PIPELINE: unknown pass 'nonsense'; valid values are 'analyses', 'audit', and passes after an extension point
; NOWHERE: bpa: BPA_PIPELINE: 'rust-bpi' needs an extension point before it
; UNKNOWN: counters: BPA_PIPELINE: unknown pass 'rust-bpi'
; OPTION: bpa: BPA_PIPELINE: rust-bpi: unknown option 'hot'
; LOG-NOT: rust-bfi at optimizer-last has
; LOG: rust-bpi at peephole has not run
; LOG-NOT: rust-bfi at optimizer-last has

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
