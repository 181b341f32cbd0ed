; If an expectation has several users, the pass updates all of them. The pass replaces the call by the first argument
; of the call. Debug information then also uses this argument.
; RUN: %bpa -passes=rust-lower-expect -S %s | FileCheck %s
; RUN: %bpa -passes=rust-lower-expect -S %s -o %t.ours
; RUN: %opt -passes=lower-expect -S %s -o %t.llvms
; RUN: diff %t.ours %t.llvms

declare i64 @llvm.expect.i64(i64, i64)
declare void @llvm.dbg.value(metadata, metadata, metadata)

define i64 @f(i64 %x, i64 %y) !dbg !3 {
; CHECK-LABEL: @f(
; CHECK:         {{@llvm.dbg.value\(metadata|#dbg_value\(}}{{ ?}}i64 %x,
; CHECK-NEXT:    %c = icmp eq i64 %x, 1
; CHECK-NEXT:    %d = icmp ugt i64 %x, 5
; CHECK-NEXT:    %s = select i1 %c, i64 %y, i64 %x{{$}}
; CHECK-NEXT:    %sum = add i64 %x, %x
; CHECK-NEXT:    br i1 %c, label %yes, label %no, !dbg ![[#]], !prof [[FIRST:![0-9]+]]
  %e = call i64 @llvm.expect.i64(i64 %x, i64 1)
  call void @llvm.dbg.value(metadata i64 %e, metadata !5, metadata !DIExpression()), !dbg !7
  %c = icmp eq i64 %e, 1
  %d = icmp ugt i64 %e, 5
  %s = select i1 %c, i64 %y, i64 %e
  %sum = add i64 %e, %e
  br i1 %c, label %yes, label %no, !dbg !7
yes:
  ret i64 %sum
no:
  ret i64 %s
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "f.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !8)
!5 = !DILocalVariable(name: "e", scope: !3, file: !1, line: 2, type: !6)
!6 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!7 = !DILocation(line: 2, column: 1, scope: !3)
!8 = !{null}
; CHECK: [[FIRST]] = !{!"branch_weights", {{(!"expected", )?}}i32 2000, i32 1}
