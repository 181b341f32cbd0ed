; `write=counts` adds entry counts and a profile summary. LLVM reads both. Without `overwrite`, bpa keeps an existing
; profile.
; RUN: rm -rf %t && mkdir %t
; RUN: %bpa -passes='rust-entry-counts<annotate;write=counts>,verify' -S %s -o %t/counts.ll
; RUN: FileCheck %s < %t/counts.ll
; RUN: %opt -passes=print-profile-summary -disable-output %t/counts.ll 2>&1 | FileCheck %s --check-prefix=READ
; RUN: %opt -passes='default<O2>,verify' -disable-output %t/counts.ll
; RUN: %bpa -passes='rust-entry-counts<annotate;write=counts>,print<rust-bfi>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=FRESH
; RUN: %bpa -passes='rust-entry-counts<annotate;write=counts;predictor=%S/../predictor/Inputs/short-loops.toml>' -S %t/counts.ll -o %t/again.ll
; RUN: grep -v ModuleID %t/counts.ll > %t/before
; RUN: grep -v ModuleID %t/again.ll | diff %t/before -
; RUN: %bpa -passes='rust-entry-counts<annotate;overwrite;write=counts;predictor=%S/../predictor/Inputs/short-loops.toml>,verify' -S %t/counts.ll -o %t/other.ll
; RUN: not diff %t/counts.ll %t/other.ll
; RUN: grep '"ProfileSummary"' %t/other.ll | count 1
; RUN: %bpa -passes='rust-entry-counts<annotate>,verify' -S %s | FileCheck %s --check-prefix=ATTRIBUTES
; RUN: %bpa -passes='rust-entry-counts<annotate;write=cold>,verify' -S %s | FileCheck %s --check-prefix=COLD
; RUN: %bpa -passes='rust-entry-counts<annotate;write=attributes>,verify' -S %s | FileCheck %s --check-prefix=ATTRIBUTES
; RUN: %bpa -passes=rust-entry-counts -S %s 2>/dev/null | FileCheck %s --check-prefix=NOTHING

; CHECK: define i32 @main({{.*}} !prof [[ONCE:![0-9]+]]
; CHECK: define internal void @often() !prof [[OFTEN:![0-9]+]]
; CHECK: define internal void @never() !prof [[NEVER:![0-9]+]]
; CHECK: "ProfileSummary"
; CHECK-DAG: [[ONCE]] = !{!"function_entry_count", i64 1024}
; CHECK-DAG: [[OFTEN]] = !{!"function_entry_count", i64 5793}
; CHECK-DAG: [[NEVER]] = !{!"function_entry_count", i64 0}
; CHECK-DAG: !{!"ProfileFormat", !"InstrProf"}
; CHECK-DAG: !{!"MaxFunctionCount", i64 5793}
; CHECK-DAG: !{!"NumFunctions", i64 3}
; CHECK-DAG: !{i32 800000, i64 32768, i32 1}
; CHECK-DAG: !{i32 900000, i64 5793, i32 2}
; CHECK-DAG: !{i32 990000, i64 1024, i32 {{[0-9]}}}
; READ-DAG: often :hot entry
; READ-DAG: never :cold entry
; FRESH: loop: float = 32.0, int = {{[0-9]+}}, count = 32{{640|768}}
; COLD: define i32 @main({{[^!]*}} {
; COLD: define internal void @often() {
; COLD: define internal void @never() !prof [[NEVER:![0-9]+]]
; COLD: [[NEVER]] = !{!"function_entry_count", i64 0}
; ATTRIBUTES: define i32 @main({{[^#]*}} {
; ATTRIBUTES: define internal void @often() {
; ATTRIBUTES: define internal void @never() #[[RARE:[0-9]+]]
; ATTRIBUTES-NOT: !prof
; ATTRIBUTES: attributes #[[RARE]] = { cold }
; ATTRIBUTES-NOT: ProfileSummary
; NOTHING-NOT: prof

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
