; If the plugin panics while it registers passes or parses a pipeline, the panic is also reported in one line.
; RUN: env BPA_FAULT=register sh -c '%debug_bpa -passes=rust-bpi -o %t.out %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s --check-prefix=REGISTER --match-full-lines --implicit-check-not={{.}}
; RUN: env BPA_FAULT=parse sh -c '%debug_bpa -passes="function(rust-bpi)" -o %t.out %s; test $? = 1' 2>&1 \
; RUN:   | FileCheck %s --check-prefix=PARSE --match-full-lines --implicit-check-not={{.}}
; RUN: not ls %t.out

; REGISTER: bpa: internal error in registration: BPA_FAULT requests this panic ({{.*}})
; PARSE: bpa: internal error in reading 'rust-bpi': BPA_FAULT requests this panic ({{.*}})
define void @f() {
  ret void
}
