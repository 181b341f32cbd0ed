; Two branches test the same value: `if (p && q) return 1; if (p || r) return 2;`. The condition of the second branch on
; `p` is computed in another block, so the position of this branch is the position of its terminator.
; RUN: %bpa -passes='rust-bpi<score;json;output=%t>' -disable-output %s
; RUN: FileCheck %s < %t

; CHECK: "block":"%entry"{{.*}}"line":2,"column":7}
; CHECK: "block":"%or"{{.*}}"line":2,"column":36}

define i32 @f(ptr %p, i1 %q, i1 %r) !dbg !10 !prof !9 {
entry:
  %test = icmp ne ptr %p, null, !dbg !11
  br i1 %test, label %and, label %or, !dbg !12, !prof !14
and:
  br i1 %q, label %one, label %or, !dbg !12, !prof !14
or:
  br i1 %test, label %two, label %last, !dbg !13, !prof !14
last:
  ret i32 0
one:
  ret i32 1
two:
  ret i32 2
}

!llvm.dbg.cu = !{!8}
!llvm.module.flags = !{!7}
!7 = !{i32 2, !"Debug Info Version", i32 3}
!8 = distinct !DICompileUnit(language: DW_LANG_C11, file: !15, emissionKind: LineTablesOnly)
!9 = !{!"function_entry_count", i64 100}
!10 = distinct !DISubprogram(name: "f", file: !15, line: 1, type: !16, unit: !8, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 2, column: 7, scope: !10)
!12 = !DILocation(line: 2, column: 9, scope: !10)
!13 = !DILocation(line: 2, column: 36, scope: !10)
!14 = !{!"branch_weights", i32 1, i32 1}
!15 = !DIFile(filename: "my.c", directory: "/src")
!16 = !DISubroutineType(types: !{})
