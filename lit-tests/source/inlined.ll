; Branches and their successors have source positions: file, line, column, and inlined calls. Unknown positions are
; omitted.
; RUN: %bpa -passes='rust-bpi<json>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=JSON
; RUN: %bpa -passes='rust-bfi<json>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=JSON
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=BPI
; RUN: %bpa -passes='rust-bfi<explain>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=BFI
; RUN: %bpa -passes='rust-bpi<score>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=SCORE
; RUN: %bpa -passes='rust-bpi<score;json>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=DATA
; RUN: rm -rf %t && %bpa -passes='rust-bfi<dot;output=%t>' -disable-output %s
; RUN: FileCheck %s --check-prefix=DOT < %t/._Z4loopi.dot

; JSON: "function":"_Z4loopi","display_name":"loop","source":{"file":"my.cpp","directory":"/src","line":10}
; JSON-SAME: {"name":"%entry","loop":null,"source":{"file":"my.cpp","directory":"/src","line":11,"column":3},"first":{"file":"my.cpp","directory":"/src","line":11,"column":3},"lines":[11]
; JSON-SAME: {"name":"%body","loop":0,"terminator":"br","source":{"file":"/usr/include/a.h","line":3,"column":9,"function":"clamp","inlined_at":[{"file":"/usr/include/a.h","line":7,"function":"scale"},{"file":"my.cpp","directory":"/src","line":12,"column":5}]}
; The phi and the debug intrinsic have no position. Line 40 is in another file.
; JSON-SAME: "first":{"file":"/usr/include/a.h","line":3,"column":5,"function":"clamp","inlined_at":{{.*}}"lines":[12,14]
; JSON-SAME: {"name":"%latch","loop":0,"terminator":"br","source":{"file":"my.cpp","directory":"/src","line":15,"column":2},"first":{"file":"my.cpp","directory":"/src","line":15,"column":2},"lines":[15]
; JSON-SAME: {"name":"%exit","loop":null
; JSON-NOT: "source"
; JSON: "function":"same","source":{"file":"my.cpp","directory":"/src","line":20}
; JSON-NOT: "source"
; JSON: "function":"unknown"
; JSON-NOT: "source"

; BPI: edge {{%?}}entry -> {{%?}}body
; BPI-NOT: source:
; BPI: edge {{%?}}body -> {{%?}}latch
; BPI: {{^}}      source: at /usr/include/a.h:3:9 in clamp, inlined at /usr/include/a.h:7 in scale, inlined at my.cpp:12:5; leads to my.cpp:15:2.{{$}}
; BPI: edge {{%?}}body -> {{%?}}exit
; BPI: {{^}}      source: at /usr/include/a.h:3:9 in clamp, inlined at /usr/include/a.h:7 in scale, inlined at my.cpp:12:5.{{$}}
; BPI: edge {{%?}}latch -> {{%?}}body
; BPI: {{^}}      source: at my.cpp:15:2; leads to /usr/include/a.h:3:5 in clamp, inlined at
; BPI: function 'same'
; BPI-NOT: source:

; BFI: - {{%?}}entry:
; BFI: {{^}}      source: at my.cpp:11:3.{{$}}
; BFI: - {{%?}}latch:
; BFI: {{^}}      source: at my.cpp:15:2.{{$}}
; BFI: - {{%?}}exit:
; BFI-NOT: source:

; SCORE: estimated weights %body in _Z4loopi, /usr/include/a.h:3:9 in clamp, inlined at /usr/include/a.h:7 in scale, inlined at my.cpp:12:5

; DATA: "block":"%body","number":1,"file":"/usr/include/a.h","line":3,"kind":"two-way"
; DATA-SAME: "source":{"file":"/usr/include/a.h","line":3,"column":9,"function":"clamp","inlined_at":{{.*}},"line":12,"column":5}]},"edges"
; DATA-SAME: "first":{"file":"my.cpp","directory":"/src","line":15,"column":2},"why":{{.*}}},{"to":3

; DOT: b1 [label="%body{{.*}}\nat /usr/include/a.h:3:5 in clamp, inlined at {{.*}} inlined at my.cpp:12:5"];
; DOT: b1 -> b2 [{{.*}}\nat /usr/include/a.h:3:9 in clamp, inlined at {{.*}} inlined at my.cpp:12:5; leads to my.cpp:15:2"

declare void @llvm.dbg.value(metadata, metadata, metadata)

define void @_Z4loopi(i32 %n) !prof !0 !dbg !10 {
entry:
  br label %body, !dbg !20
body:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ], !dbg !26
  call void @llvm.dbg.value(metadata i32 %i, metadata !30, metadata !DIExpression()), !dbg !31
  %a = add i32 %i, 1, !dbg !24
  %b = add i32 %a, 1, !dbg !27
  %other = mul i32 %b, 3, !dbg !28
  %nowhere = mul i32 %b, 3, !dbg !29
  %c = icmp slt i32 %a, %n, !dbg !21
  br i1 %c, label %latch, label %exit, !prof !1
latch:
  %next = add i32 %i, 1, !dbg !25
  %d = icmp slt i32 %next, 5
  br i1 %d, label %body, label %exit, !dbg !25, !prof !1
exit:
  ret void
}

define i32 @same(i1 %x) !dbg !11 {
  br i1 %x, label %a, label %b
a:
  ret i32 1
b:
  ret i32 2
}

define void @unknown(i1 %x) {
  ret void
}

!llvm.dbg.cu = !{!3}
!llvm.module.flags = !{!9}
!0 = !{!"function_entry_count", i64 10}
!1 = !{!"branch_weights", i32 10, i32 90}
!3 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !4, isOptimized: true, emissionKind: FullDebug)
!4 = !DIFile(filename: "my.cpp", directory: "/src")
!5 = !DIFile(filename: "/usr/include/a.h", directory: "/src")
!6 = !DISubroutineType(types: !{})
!9 = !{i32 2, !"Debug Info Version", i32 3}
!10 = distinct !DISubprogram(name: "loop", linkageName: "_Z4loopi", file: !4, line: 10, type: !6, unit: !3, spFlags: DISPFlagDefinition)
!11 = distinct !DISubprogram(name: "same", file: !4, line: 20, type: !6, unit: !3, spFlags: DISPFlagDefinition)
!12 = distinct !DISubprogram(name: "scale", file: !5, line: 6, type: !6, unit: !3, spFlags: DISPFlagDefinition)
!13 = distinct !DISubprogram(name: "clamp", file: !5, line: 2, type: !6, unit: !3, spFlags: DISPFlagDefinition)
!14 = distinct !DILexicalBlock(scope: !13, file: !5, line: 3, column: 1)
!20 = !DILocation(line: 11, column: 3, scope: !10)
!21 = !DILocation(line: 3, column: 9, scope: !14, inlinedAt: !22)
!22 = distinct !DILocation(line: 7, scope: !12, inlinedAt: !23)
!23 = distinct !DILocation(line: 12, column: 5, scope: !10)
!24 = !DILocation(line: 3, column: 5, scope: !14, inlinedAt: !22)
!25 = !DILocation(line: 15, column: 2, scope: !10)
!26 = !DILocation(line: 99, column: 1, scope: !10)
!27 = !DILocation(line: 14, column: 1, scope: !10)
!28 = !DILocation(line: 40, column: 1, scope: !15)
!15 = !DILexicalBlockFile(scope: !10, file: !5, discriminator: 0)
!29 = !DILocation(line: 0, scope: !10)
!30 = !DILocalVariable(name: "i", scope: !10, file: !4, line: 98)
!31 = !DILocation(line: 98, column: 1, scope: !10)
