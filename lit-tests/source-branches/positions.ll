; Each branch gets a position inside the operand that it tests, also if clang gives it the position of an operator. In
; the output of clang, the location of the branch on `t(2)` and of the comparison of `t(3)` with 0 is the second
; operator.
;
;      5    while (
;      6        (t(1)
;      7         || t(2))
;      8        && t(3))
;      9      ;
;     10    while (t(4)
;     11           && (t(5) ? t(6) : t(7)))
;     12      ;
;     13    if ((t(8) ? t(9)
;     14              : t(10))
;     15        && n)
; RUN: %bpa -passes='rust-source-branches,verify' -S %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK: br i1 %t1, {{.*}} !dbg [[T1:![0-9]+]]
; CHECK: br i1 %t2, {{.*}} !dbg [[T2:![0-9]+]]
; CHECK: %call3 = call i32 @t(i32 3), !dbg [[T3:![0-9]+]]
; CHECK-NEXT: %t3 = icmp ne i32 %call3, 0, !dbg [[T3]]
; CHECK-NEXT: br i1 %t3, label %while.cond, label %while.end, !dbg [[T3]]
; CHECK: br i1 %t4, {{.*}} !dbg [[T4:![0-9]+]]
; The value of `c ? d : e` has the position of `c`, which has a branch of its own.
; CHECK: br i1 %last, {{.*}} !dbg [[LAST:![0-9]+]]
; CHECK: br i1 %t10, {{.*}} !dbg [[T10:![0-9]+]]
; The address of `n` is no instruction, and a call without a line gives no position.
; CHECK: br i1 %isnull, {{.*}} !dbg [[N:![0-9]+]]
; CHECK: br i1 %hidden, {{.*}} !dbg [[N]]
; CHECK-DAG: [[T1]] = !DILocation(line: 6, column: 8,
; CHECK-DAG: [[T2]] = !DILocation(line: 7, column: 11,
; CHECK-DAG: [[T3]] = !DILocation(line: 8, column: 10,
; CHECK-DAG: [[T4]] = !DILocation(line: 10, column: 9,
; CHECK-DAG: [[LAST]] = !DILocation(line: 11, column: 10,
; CHECK-DAG: [[T10]] = !DILocation(line: 14, column: 13,
; CHECK-DAG: [[N]] = !DILocation(line: 15, column: 7,
define void @f(i1 %isnull) !dbg !4 {
entry:
  br label %while.cond

while.cond:
  %call1 = call i32 @t(i32 1), !dbg !10
  %t1 = icmp ne i32 %call1, 0, !dbg !10
  br i1 %t1, label %land.rhs, label %lor.lhs.false, !dbg !11

lor.lhs.false:
  %call2 = call i32 @t(i32 2), !dbg !12
  %t2 = icmp ne i32 %call2, 0, !dbg !12
  br i1 %t2, label %land.rhs, label %land.end, !dbg !13

land.rhs:
  %call3 = call i32 @t(i32 3), !dbg !14
  %t3 = icmp ne i32 %call3, 0, !dbg !13
  br label %land.end

land.end:
  %0 = phi i1 [ false, %lor.lhs.false ], [ %t3, %land.rhs ], !dbg !15
  br i1 %0, label %while.cond, label %while.end, !dbg !16

while.end:
  %call4 = call i32 @t(i32 4), !dbg !17
  %t4 = icmp ne i32 %call4, 0, !dbg !17
  br i1 %t4, label %cond.rhs, label %cond.last, !dbg !18

cond.rhs:
  %call5 = call i32 @t(i32 5), !dbg !19
  %t5 = icmp ne i32 %call5, 0, !dbg !19
  br i1 %t5, label %cond.true, label %cond.end, !dbg !19

cond.true:
  br label %cond.end, !dbg !19

cond.end:
  %cond = phi i32 [ 6, %cond.true ], [ 7, %cond.rhs ], !dbg !19
  %last = icmp ne i32 %cond, 0, !dbg !18
  br label %cond.last

cond.last:
  %1 = phi i1 [ false, %while.end ], [ %last, %cond.end ], !dbg !15
  br i1 %1, label %while.end, label %if, !dbg !20

if:
  %call10 = call i32 @t(i32 10), !dbg !21
  %t10 = icmp ne i32 %call10, 0, !dbg !21
  br i1 %t10, label %named, label %end, !dbg !22

named:
  br i1 %isnull, label %hidden.call, label %end, !dbg !22

hidden.call:
  %hidden = call i1 @q(), !dbg !15
  br i1 %hidden, label %end, label %while.cond, !dbg !22

end:
  ret void
}

declare i32 @t(i32)

declare i1 @q()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "p.c", directory: "/p")
!2 = !{i32 2, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", file: !1, line: 4, type: !5, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!10 = !DILocation(line: 6, column: 8, scope: !4)
!11 = !DILocation(line: 7, column: 8, scope: !4)
!12 = !DILocation(line: 7, column: 11, scope: !4)
!13 = !DILocation(line: 8, column: 7, scope: !4)
!14 = !DILocation(line: 8, column: 10, scope: !4)
!15 = !DILocation(line: 0, scope: !4)
!16 = !DILocation(line: 5, column: 3, scope: !4)
!17 = !DILocation(line: 10, column: 9, scope: !4)
!18 = !DILocation(line: 11, column: 10, scope: !4)
!19 = !DILocation(line: 11, column: 14, scope: !4)
!20 = !DILocation(line: 10, column: 3, scope: !4)
!21 = !DILocation(line: 14, column: 13, scope: !4)
!22 = !DILocation(line: 15, column: 7, scope: !4)
