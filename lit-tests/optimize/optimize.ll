; `rust-optimize` writes weights and entry counts, unless the module has a profile. A synthetic count is not a profile.
; LLVM 24 rejects synthetic counts.
; RUN: sed 's/^define i32 @main.*)/& !prof !{!"synthetic_function_entry_count", i64 5}/' %s > %t.synthetic.ll
; RUN: %bpa -disable-verify -passes='rust-optimize' -S %t.synthetic.ll | FileCheck %s
; RUN: rm -rf %t && mkdir %t
; RUN: %bpa -passes='rust-optimize,verify' -S %s -o %t/hot.ll
; RUN: FileCheck %s < %t/hot.ll
; RUN: %bpa -passes='rust-optimize<predictor=llvm>' -S %t/hot.ll -o %t/again.ll
; RUN: grep -v ModuleID %t/hot.ll > %t/before
; RUN: grep -v ModuleID %t/again.ll | diff %t/before -
; LLVM and later passes see the new weights.
; RUN: %bpa -passes='require<rust-bpi>,rust-optimize,print<rust-bpi>,print<branch-prob>' -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=NEW
; The short form in BPA_PIPELINE.
; RUN: env BPA_PIPELINE=optimize %bpa -passes='default<O1>' -S %s | FileCheck %s
; RUN: not %bpa -passes='function(rust-optimize)' -disable-output %s 2>&1 | FileCheck %s --check-prefix=FUNCTION
; RUN: not %bpa -passes='rust-optimize<json>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OPTION

; CHECK: define i32 @main({{.*}} !prof
; CHECK: br i1 %some, label %rare, label %end, !prof
; CHECK: define {{.*}}i32 @sum({{.*}} !prof [[COUNT:![0-9]+]]
; CHECK: br i1 {{.*}} label %end{{.*}}, !prof [[WEIGHTS:![0-9]+]]
; CHECK-DAG: [[COUNT]] = !{!"function_entry_count", i64 {{[1-9][0-9]*}}}
; CHECK-DAG: [[WEIGHTS]] = !{!"branch_weights", i32 {{[0-9]+}}, i32 {{[0-9]+}}}
; CHECK-NOT: "ProfileSummary"
; NEW-LABEL: 'sum'
; NEW: edge {{.*}}loop -> {{.*}}loop probability is [[P:0x[0-9a-f]+]] / {{.*}} [HOT edge]
; NEW-LABEL: 'sum'
; NEW: edge {{.*}}loop -> {{.*}}loop probability is [[P]] / {{.*}} [HOT edge]
; FUNCTION: rust-optimize
; OPTION: rust-optimize: unknown option 'json'; valid options are: predictor=NAME|FILE

define i32 @main(i32 %n, ptr %data) {
entry:
  %sum = call i32 @sum(ptr %data, i32 %n)
  %some = icmp sgt i32 %sum, 0
  br i1 %some, label %rare, label %end
rare:
  store i32 0, ptr %data
  br label %end
end:
  ret i32 %sum
}

define i32 @sum(ptr %data, i32 %n) noinline {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %all = phi i32 [ 0, %entry ], [ %more, %loop ]
  %at = getelementptr i32, ptr %data, i32 %i
  %value = load volatile i32, ptr %at
  %more = add i32 %all, %value
  %next = add i32 %i, 1
  %last = icmp eq i32 %value, 0
  br i1 %last, label %end, label %loop
end:
  ret i32 %more
}
