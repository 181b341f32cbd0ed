; bpa emits remarks about branches and loops only with the option `remarks`.
; RUN: %bpa -passes='rust-bpi<remarks>' -pass-remarks-analysis=rust-bpi -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='function(rust-bfi<remarks>)' -pass-remarks-analysis=rust-bfi -disable-output %s 2>&1 | FileCheck %s --check-prefix=BFI
; RUN: %bpa -passes='rust-bpi<remarks>,rust-bfi<remarks>' -disable-output %s 2>&1 | count 0
; RUN: %bpa -passes='rust-bpi<remarks>,rust-bfi<remarks>' -pass-remarks-analysis=inline -disable-output %s 2>&1 | count 0
; RUN: %bpa -passes='rust-bpi<remarks;at-least=60%>' -pass-remarks-analysis=rust-bpi -disable-output %s 2>&1 | FileCheck %s --check-prefix=SURE
; RUN: %bpa -passes='rust-bpi<remarks;limit=1>' -pass-remarks-analysis=rust-bpi -disable-output %s 2>&1 | FileCheck %s --check-prefix=ONE
; RUN: %bpa -passes='rust-bfi<limit=1;remarks>' -pass-remarks-analysis=rust-bfi -disable-output %s 2>&1 | FileCheck %s --check-prefix=LOOP
; RUN: %bpa -passes='rust-bpi<remarks;predictor=%S/Inputs/equal.toml>' -pass-remarks-analysis=rust-bpi -disable-output %s 2>&1 | FileCheck %s --check-prefix=OWN
; The hotness of a remark is the count from the profile.
; RUN: %bpa -passes='rust-bpi<remarks>' -pass-remarks-analysis=rust-bpi -pass-remarks-with-hotness -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=HOT
; RUN: %bpa -passes='rust-bpi<remarks>' -pass-remarks-analysis=rust-bpi -pass-remarks-with-hotness \
; RUN:   -pass-remarks-hotness-threshold=101 -disable-output %s 2>&1 | count 0

; CHECK: remark: my.c:3:7: 62.50% to line 4, 37.50% to %done; pointer for %done: taken if icmp eq %p, null holds; pointers are rarely equal{{$}}
; If two successors have the same line, the remark prints line and column. Parallel edges are merged. If a branch has
; many successors, the remark prints only the likeliest successors.
; CHECK-NEXT: remark: my.c:5:3: 20.00% to line 5:9, 10.00% to %b, {{.*}}, 30.00% to 3 others; even: no rule applies to a switch{{$}}
; CHECK-NEXT: remark: <unknown>:0:0: 50.00% to my.c:5:9, 50.00% to %same; metadata for my.c:5:9: its branch weight{{$}}
; CHECK-NEXT: remark: my.c:10:3: 96.88% to line 9, 3.12% to %end; estimated weights for %end: it leaves the loop of %loop: 1048575 / 31{{$}}
; CHECK-NOT: remark

; BFI: remark: my.c:3:7: runs 1.0 times per call of the function; count 100{{$}}
; BFI: remark: my.c:8:1: loop has 32.0 iterations per entry and 1.0 entries per call of the function{{$}}
; BFI-NEXT: remark: my.c:10:3: runs 32.0 times per call of the function{{$}}

; SURE: my.c:3:7: 62.50%
; SURE-NEXT: my.c:10:3: 96.88%
; SURE-NOT: remark

; ONE: my.c:3:7: 62.50%
; ONE-NEXT: my.c:10:3: 96.88%
; ONE-NOT: remark

; LOOP: my.c:3:7: runs
; LOOP-NEXT: my.c:8:1: loop has
; LOOP-NOT: remark

; OWN: my.c:3:7: 90.00% to %done, 10.00% to line 4; pointer

; HOT: my.c:3:7: {{.*}} (hotness: 100)
; HOT: my.c:5:3: {{.*}} (hotness: 63)
; HOT-NOT: my.c:10:3: {{.*}} hotness

define void @branches(ptr %p, i32 %x) !prof !0 !dbg !10 {
entry:
  %null = icmp eq ptr %p, null, !dbg !20
  br i1 %null, label %done, label %choose, !dbg !21
choose:
  %y = add i32 %x, 1, !dbg !22
  switch i32 %x, label %a [
    i32 1, label %a
    i32 2, label %b
    i32 3, label %c
    i32 4, label %d
    i32 5, label %e
    i32 6, label %f
    i32 7, label %g
    i32 8, label %h
    i32 9, label %same
  ], !dbg !23
a:
  %z = add i32 %x, 2, !dbg !24
  ret void
b:
  ret void
c:
  ret void
d:
  ret void
e:
  ret void
f:
  ret void
g:
  ret void
h:
  %h1 = icmp eq i32 %x, 7
  br i1 %h1, label %a, label %same, !prof !1
same:
  ret void
done:
  ret void
}

define void @loop(i32 %n) !dbg !11 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1, !dbg !25
  %c = icmp slt i32 %next, %n
  br i1 %c, label %loop, label %end, !dbg !26, !llvm.loop !27
end:
  ret void
}

!llvm.dbg.cu = !{!3}
!llvm.module.flags = !{!9}
!0 = !{!"function_entry_count", i64 100}
!1 = !{!"branch_weights", i32 1, i32 1}
!3 = distinct !DICompileUnit(language: DW_LANG_C99, file: !4, isOptimized: true, emissionKind: LineTablesOnly)
!4 = !DIFile(filename: "my.c", directory: "/src")
!6 = !DISubroutineType(types: !{})
!9 = !{i32 2, !"Debug Info Version", i32 3}
!10 = distinct !DISubprogram(name: "branches", file: !4, line: 2, type: !6, unit: !3, spFlags: DISPFlagDefinition)
!11 = distinct !DISubprogram(name: "loop", file: !4, line: 7, type: !6, unit: !3, spFlags: DISPFlagDefinition)
!20 = !DILocation(line: 3, column: 7, scope: !10)
!21 = !DILocation(line: 3, column: 1, scope: !10)
!22 = !DILocation(line: 4, column: 5, scope: !10)
!23 = !DILocation(line: 5, column: 3, scope: !10)
!24 = !DILocation(line: 5, column: 9, scope: !10)
!25 = !DILocation(line: 9, column: 3, scope: !11)
!26 = !DILocation(line: 10, column: 3, scope: !11)
!27 = distinct !{!27, !28}
!28 = !DILocation(line: 8, column: 1, scope: !11)
