; `rust-bpi<hints>` lists wrong predictions, and hints in the source that the profile contradicts. The list begins with
; the branch that has the most avoidable misses. For each branch, the list shows the hint to write. Branches with a
; correct prediction or a correct hint are not listed.
; RUN: %bpa -passes='rust-bpi<hints>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='print<rust-bpi;hints>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='rust-bpi<hints;limit=1>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=ONE
; RUN: %bpa -passes='function(rust-bpi<hints>)' -disable-output %s 2>&1 | FileCheck %s --check-prefix=EACH
; RUN: %bpa -passes='rust-bpi<json;hints;output=%t>' -disable-output %s
; RUN: FileCheck %s --check-prefix=DATA < %t
; RUN: %bpa -passes='rust-bpi<hints>' -S %s 2>/dev/null | FileCheck %s --check-prefix=SAME

; CHECK: ---- Hints for module '{{.*}}hints.ll' ----
; The pointer rule is wrong in all 1000 executions, so there are 1000 * (1 - 0) avoidable misses.
; CHECK-NEXT: my.cpp:3:7: in pointer, 1000 avoidable misses of 1000 executions
; CHECK-NEXT: {{^}}      went to line 4:5 100.00%; pointer predicts 37.50%{{$}}
; CHECK-NEXT: {{^}}      write: __builtin_expect for the value that leads to line 4:5, or in C++20 {{\[\[}}likely]] at line 4:5{{$}}
; With the hint in the source, 990 of 1000 executions are misses. With the best prediction, only 10 executions are
; misses. The number of avoidable misses is therefore 980.
; CHECK-NEXT: %entry: in expected, 980 avoidable misses of 1000 executions
; CHECK-NEXT: {{^}}      went to %b 99.00%; the hint in the source expects %a, 1.00%{{$}}
; CHECK-NEXT: {{^}}      write: no hint, or __builtin_expect for the value that leads to %b{{$}}
; Both paths lead to %end, so an attribute at %end would have no effect. The attribute belongs at %then. The number of
; avoidable misses is 1000 * (0.95 - 0.5) = 450.
; CHECK-NEXT: my.cpp:11:7: in even, 450 avoidable misses of 1000 executions
; CHECK-NEXT: {{^}}      went to %end 95.00%; even predicts 50.00%{{$}}
; CHECK-NEXT: {{^}}      write: __builtin_expect for the value that leads to %end, or in C++20 {{\[\[}}unlikely]] at line 12:5{{$}}
; CHECK-NEXT: %entry: in unsure, 250 avoidable misses of 1000 executions
; CHECK-NEXT: {{^}}      went to %a 75.00%; even predicts 50.00%{{$}}
; CHECK-NEXT: {{^}}      write: __builtin_expect_with_probability of 0.75 for the value that leads to %a{{$}}
; CHECK-NEXT: never ran: 1 branches; no profile: 1 functions
; CHECK-NOT: {{[^[:space:]]}}

; ONE: in pointer, 1000 avoidable misses of
; ONE-NOT: misses

; EACH: ---- Hints for function 'pointer' ----
; EACH-NEXT: my.cpp:3:7: in pointer
; EACH: ---- Hints for function 'tolerated' ----
; EACH-NEXT: never ran: 0 branches; no profile: 0 functions

; DATA: {"format":3,"module":"{{.*}}hints.ll","function":"pointer","symbol":"pointer","block":"%entry","number":0,"source":{"file":"my.cpp","directory":"/src","line":3,"column":7},"cost":"1000","executions":"1000","rule":"pointer","predicted":0.375,"likely":{"block":"%then","first":{"file":"my.cpp","directory":"/src","line":4,"column":5},"share":1.0},"write":[{"what":"__builtin_expect"},{"what":"{{\[\[}}likely]]","at":{"file":"my.cpp","directory":"/src","line":4,"column":5}}]}
; DATA-NEXT: "function":"expected",{{.*}},"cost":"980","executions":"1000","expected":{"block":"%a","share":0.01},"likely":{"block":"%b","share":0.99},"write":[{"what":"no hint"},{"what":"__builtin_expect"}]}
; DATA-NEXT: "function":"even"
; DATA-NEXT: "write":[{"what":"__builtin_expect_with_probability","probability":0.75}]}
; DATA-NOT: {

; SAME-COUNT-3: call i1 @llvm.expect.i1

declare i1 @llvm.expect.i1(i1, i1)

define void @pointer(ptr %p) !prof !0 !dbg !10 {
entry:
  %c = icmp eq ptr %p, null, !dbg !20
  br i1 %c, label %then, label %else, !prof !1, !dbg !20
then:
  %x = ptrtoint ptr %p to i64, !dbg !21
  ret void
else:
  ret void
}

define void @expected(i1 %x) !prof !0 {
entry:
  %e = call i1 @llvm.expect.i1(i1 %x, i1 true)
  br i1 %e, label %a, label %b, !prof !2
a:
  ret void
b:
  ret void
}

; The branches take the expected edge in 45% and 99% of the executions. Such hints
; are not reported, because they are right often enough.
define void @tolerated(i1 %x, i1 %y) !prof !0 {
entry:
  %e = call i1 @llvm.expect.i1(i1 %x, i1 true)
  br i1 %e, label %a, label %b, !prof !3
a:
  ret void
b:
  %f = call i1 @llvm.expect.i1(i1 %y, i1 false)
  br i1 %f, label %a, label %c, !prof !2
c:
  ret void
}

define void @even(i1 %x) !prof !0 !dbg !11 {
entry:
  br i1 %x, label %then, label %end, !prof !4, !dbg !22
then:
  %y = xor i1 %x, true, !dbg !23
  br label %end
end:
  ret void
}

define void @unsure(i1 %x, i1 %y) !prof !0 {
entry:
  br i1 %x, label %a, label %b, !prof !5
a:
  ret void
b:
  br i1 %y, label %a, label %c, !prof !6
c:
  ret void
}

define void @never(i1 %x) !prof !7 {
  br i1 %x, label %a, label %b, !prof !1
a:
  ret void
b:
  ret void
}

define void @unmeasured(i1 %x) {
  br i1 %x, label %a, label %b, !prof !1
a:
  ret void
b:
  ret void
}

!llvm.dbg.cu = !{!8}
!llvm.module.flags = !{!9}
!0 = !{!"function_entry_count", i64 1000}
!1 = !{!"branch_weights", i32 100, i32 0}
!2 = !{!"branch_weights", i32 1, i32 99}
!3 = !{!"branch_weights", i32 45, i32 55}
!4 = !{!"branch_weights", i32 5, i32 95}
!5 = !{!"branch_weights", i32 75, i32 25}
!6 = !{!"branch_weights", i32 59, i32 41}
!7 = !{!"function_entry_count", i64 0}
!8 = distinct !DICompileUnit(language: DW_LANG_C99, file: !15, isOptimized: true, emissionKind: LineTablesOnly)
!9 = !{i32 2, !"Debug Info Version", i32 3}
!10 = distinct !DISubprogram(name: "pointer", file: !15, line: 2, type: !16, unit: !8, spFlags: DISPFlagDefinition)
!11 = distinct !DISubprogram(name: "even", file: !15, line: 10, type: !16, unit: !8, spFlags: DISPFlagDefinition)
!15 = !DIFile(filename: "my.cpp", directory: "/src")
!16 = !DISubroutineType(types: !{})
!20 = !DILocation(line: 3, column: 7, scope: !10)
!21 = !DILocation(line: 4, column: 5, scope: !10)
!22 = !DILocation(line: 11, column: 7, scope: !11)
!23 = !DILocation(line: 12, column: 5, scope: !11)
