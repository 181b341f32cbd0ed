; For each branch, the output has one line with the prediction, the profile, and the data of all rules for each edge.
; Names are escaped for JSON.
; RUN: %bpa -passes='rust-bpi<score;json>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='function(rust-bpi<json;score>)' -disable-output %s 2>&1 | FileCheck %s

; CHECK: {"format":3,"llvm":{{[0-9]+}},"predictor":"llvm","module":"{{.*}}data.ll","function":"loop","local":true,"block":"%latch","number":1,"file":"/src/my program.c","line":7,"kind":"two-way","executions":"{{99|100}}","rule":"estimated weights","condition":"other.less","source":{"file":"/src/my program.c","line":7},"edges":[{"to":1,"numerator":2147481600,"weight":1048575,"true_weight":90,"first":{"file":"/src/my program.c","line":7},"why":{"rule":"estimated weights","weight":1048575,"total":1048576,{{[^}]*}}{"block":1},"around":{"loop":1},"base":1048575},"others":[{{.*}}]}},{"to":2,"numerator":2048,"weight":1,"true_weight":10,"reason":"noreturn","leaves_cycle":true,"why":{"rule":"estimated weights","weight":1,"total":1048576,"cause":{"kind":"estimate","end":{"block":2},"rarity":"hardly-ever","around":{"loop":1},"leaves_loop":true,"base":1,"ratios":{{\[\[}}124,4]],"derivation":{"origin":{"block":2,"reason":"noreturn","call":{"callee":"@exit","is_call_site_attribute":false}}}},"others":[{{.*}}]}}]}
; CHECK-NEXT: "block":"%\"a b\"","number":0,"kind":"other","executions":"0","rule":"estimated weights","edges":[{"to":1,"numerator":{{[0-9]+}},"weight":1048575,"why":{{.*}}},{"to":2,"numerator":{{[0-9]+}},"weight":1,"reason":"unwind","why":{{.*}}}]}
; CHECK-NOT: {{.}}

declare void @f()
declare i32 @__gxx_personality_v0(...)
declare void @exit(i32) noreturn

define internal void @loop(i32 %x) !prof !0 !dbg !5 {
entry:
  br label %latch
latch:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %next = add i32 %i, 1
  %c = icmp slt i32 %next, 42, !dbg !7
  br i1 %c, label %latch, label %exit, !prof !1
exit:
  call void @exit(i32 0)
  unreachable
}

define void @invokes() personality ptr @__gxx_personality_v0 !prof !2 {
"a b":
  invoke void @f() to label %on unwind label %pad
on:
  ret void
pad:
  %p = landingpad { ptr, i32 } cleanup
  ret void
}

!llvm.dbg.cu = !{!3}
!llvm.module.flags = !{!8}
!0 = !{!"function_entry_count", i64 10}
!1 = !{!"branch_weights", i32 90, i32 10}
!2 = !{!"function_entry_count", i64 0}
!3 = distinct !DICompileUnit(language: DW_LANG_C99, file: !4, isOptimized: true, emissionKind: FullDebug)
!4 = !DIFile(filename: "/src/my program.c", directory: "/src")
!5 = distinct !DISubprogram(name: "loop", file: !4, line: 5, type: !6, unit: !3, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !{})
!7 = !DILocation(line: 7, scope: !5)
!8 = !{i32 2, !"Debug Info Version", i32 3}
