"""Prints a function with one branch. The argument is the number of nested inlined calls that contain the branch."""

import sys

depth = int(sys.argv[1])
print("""define void @f(i1 %x) !dbg !2 {
  br i1 %x, label %a, label %b, !dbg !DILocation(line: DEPTH, column: 1, scope: !2, inlinedAt: !LAST)
a:
  ret void
b:
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!4}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, isOptimized: true, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/src")
!2 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!3 = !DISubroutineType(types: !{})
!4 = !{i32 2, !"Debug Info Version", i32 3}""".replace("DEPTH", str(depth)).replace("LAST", str(depth + 3)))
for line in range(1, depth):
    around = f", inlinedAt: !{line + 3}" if line > 1 else ""
    print(f"!{line + 4} = distinct !DILocation(line: {line}, column: 1, scope: !2{around})")
