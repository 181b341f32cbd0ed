; A complete profile with LLVM's rules passes LLVM's verifier of profiles, in a module with `main` and in a library.
; RUN: %bpa -passes='rust-bpi<annotate;complete>,rust-entry-counts<annotate;write=counts>,prof-verify' -S %s | FileCheck %s
; RUN: sed 's/@main/@start/' %s > %t.ll
; RUN: %bpa -passes='rust-bpi<annotate;complete>,rust-entry-counts<annotate;write=counts>,prof-verify' -disable-output %t.ll
; RUN: not %bpa -passes='rust-bpi<annotate>,rust-entry-counts<annotate;write=counts>,prof-verify' -disable-output %s 2>&1 | FileCheck %s --check-prefix=MISSING
; REQUIRES: llvm-ge-22

; MISSING: Profile verification failed

; CHECK: define i32 @main(i32 %x) !prof ![[COUNT:[0-9]+]]
; CHECK: define void @unused() !prof ![[UNKNOWN:[0-9]+]]
; CHECK: ![[COUNT]] = !{!"function_entry_count", i64 {{[1-9]}}
; CHECK: ![[UNKNOWN]] = !{!"unknown", !"bpa"}

define i32 @main(i32 %x) {
entry:
  %c = icmp slt i32 %x, 3
  %s = select i1 %c, i32 1, i32 2
  br i1 %c, label %a, label %b
a:
  switch i32 %x, label %b [
    i32 1, label %c1
    i32 2, label %c1
  ]
b:
  ret i32 %s
c1:
  call void @used()
  ret i32 0
}

define internal void @used() {
  ret void
}

define void @unused() {
  ret void
}
