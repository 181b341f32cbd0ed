; Later passes see a new profile summary, even if LLVM has already cached the old summary. LLVM never invalidates the
; cached summary.
; RUN: %bpa -passes='require<profile-summary>,rust-entry-counts<annotate;write=counts>,print-profile-summary' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='require<profile-summary>,rust-entry-counts<annotate;write=cold>,print-profile-summary' \
; RUN:   -disable-output %s 2>&1 | FileCheck %s --check-prefix=COLD
; The new summary also replaces a cached summary. With the old summary, no function of this module is hot.
; RUN: %bpa -passes='rust-entry-counts<annotate;write=counts>' -S %s | sed 's/i32 990000, i64 1024,/i32 990000, i64 999999,/' > %t.ll
; RUN: %bpa -passes='print-profile-summary,rust-entry-counts<annotate;overwrite;write=counts>,print-profile-summary' \
; RUN:   -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=REPLACED

; CHECK-DAG: often :hot entry
; CHECK-DAG: never :cold entry
; COLD: never :cold entry
; REPLACED: Functions in
; REPLACED-NOT: :hot
; REPLACED: Functions in
; REPLACED: often :hot entry

define i32 @main(i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  call void @often()
  %more = icmp slt i32 %next, %x
  br i1 %more, label %loop, label %end
end:
  ret i32 0
}

define internal void @often() {
  ret void
}

define internal void @never() {
  ret void
}
