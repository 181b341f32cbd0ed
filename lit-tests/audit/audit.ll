; `rust-audit` in pipelines: inlining, code that stays the same, options and errors.
; RUN: rm -rf %t && mkdir %t
;
; Inlining moves the executions of a function. The audit removes its probes.
; RUN: %bpa -passes='rust-audit<begin>,cgscc(inline),rust-audit' -S %s 2>%t/report | FileCheck %s --check-prefix=CODE
; RUN: FileCheck %s --check-prefix=INLINE < %t/report
; CODE-NOT: pseudoprobe
; INLINE:      executions: 4900 of 6 blocks; 0 blocks are unknown
; INLINE-NEXT: wrong at the end: 0 (0.00%); with exact frequencies: 0 (0.00%)
; INLINE-NEXT: wrong at the beginning: 0 (0.00%)
; INLINE-NEXT: lost: 0 (0.00%)
; INLINE-NEXT: no pass changed
;
; The audit does not change the code of this module.
; RUN: %opt -passes='default<O2>' %s -S -o %t/without.ll
; RUN: %bpa -passes='rust-audit<begin>,default<O2>,rust-audit<json;output=%t/audit.json>' %s -S -o %t/with.ll
; RUN: diff %t/without.ll %t/with.ll
; RUN: env BPA_PIPELINE='audit<json;output=%t/variable.json>' %bpa -passes='default<O2>' %s -S -o %t/with.ll
; RUN: diff %t/without.ll %t/with.ll
; RUN: FileCheck %s --check-prefix=JSON < %t/audit.json
; RUN: FileCheck %s --check-prefix=JSON < %t/variable.json
; JSON: {"format":3,"analysis":"rust-audit","llvm":{{[0-9]+}},"module":"{{.*}}audit.ll","known_blocks":6,"unknown_blocks":0,"executions":4900,"wrong":{{[0-9]+}},"wrong_exact":{{[0-9]+}},"lost":{{[0-9]+}},"wrong_at_begin":0,"passes":[{"pass":"{{[A-Za-z0-9]+}}","wrong":{{[-0-9]+}},"worse":
;
; A module that has probes keeps them.
; RUN: %bpa -passes='rust-audit<begin>,rust-audit' -S %t/with.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOTHING
; NOTHING: no pass changed
;
; Exit status.
; RUN: %bpa -passes='rust-audit<begin>,simplifycfg,rust-audit<fail-above=0%>' -disable-output %s
; RUN: not %bpa -passes='rust-audit' -disable-output %s 2>&1 | FileCheck %s --check-prefix=IDLE
; IDLE: bpa: rust-audit: no audit is running; it begins with rust-audit<begin>
; RUN: not %bpa -passes='rust-audit<begin;json>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OPTION
; OPTION: bpa: rust-audit: option 'json' cannot be used with option 'begin'; with 'begin', no other option is valid
; RUN: not env BPA_PIPELINE='audit<begin>' %bpa -passes='default<O1>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=BEGIN
; BEGIN: bpa: BPA_PIPELINE: 'audit<begin>': write 'audit', which begins and ends an audit
; RUN: %bpa -passes='rust-audit<begin>,simplifycfg' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OPEN
; OPEN: bpa: rust-audit<begin>: the pipeline contains no rust-audit, so the probes of the audit remain
; RUN: not %bpa -passes='function(rust-audit)' -disable-output %s 2>&1 | FileCheck %s --check-prefix=POSITION
; POSITION: rust-audit: this pass works on modules
;
; A module without a profile, and an audit that begins twice.
; RUN: echo 'define void @f() { ret void }' > %t/plain.ll
; RUN: %bpa -passes='rust-audit<begin>,default<O1>,rust-audit' -disable-output %t/plain.ll 2>&1 \
; RUN:   | FileCheck %s --check-prefix=EMPTY
; EMPTY: Audit of module '{{.*}}plain.ll':
; EMPTY-NEXT: no function has a profile
; RUN: %bpa -passes='rust-audit<begin>,rust-audit<begin>,simplifycfg,rust-audit,rust-audit<begin>,rust-audit' -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=TWICE
; TWICE: executions: 4900 of 6 blocks
; TWICE: executions:

define i32 @caller(i32 %x) !prof !0 {
  %one = call i32 @inner(i32 %x)
  %two = call i32 @inner(i32 %one)
  ret i32 %two
}

define internal i32 @inner(i32 %x) !prof !1 {
entry:
  %odd = trunc i32 %x to i1
  br i1 %odd, label %then, label %else, !prof !2
then:
  call void @g()
  br label %end
else:
  call void @h()
  br label %end
end:
  %y = phi i32 [ %x, %then ], [ 7, %else ]
  ret i32 %y
}

define void @cold() !prof !3 {
  call void @g()
  ret void
}

declare void @g()
declare void @h()

!0 = !{!"function_entry_count", i64 700}
!1 = !{!"function_entry_count", i64 1400}
!2 = !{!"branch_weights", i32 5, i32 2}
!3 = !{!"function_entry_count", i64 0}
