; The graph has the functions with the highest estimated time, their callers, and all calls between these functions.
; Calls through pointers have a separate node.
; RUN: %bpa -passes='rust-entry-counts<dot;limit=2>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %bpa -passes='print<rust-entry-counts;dot;output=%t>' -disable-output %s
; RUN: FileCheck %s --check-prefix=ALL < %t

; CHECK: digraph "{{.*}}dot.ll" {
; CHECK: dot.ll: 3 of 5 functions, {{[0-9.]+}}% of the time\ndark: much time; thick: called often; blue: the most frequent caller\n
; CHECK: f0 [label="main\n{{[0-9.]+}}% of time, 1 calls", {{.*}}tooltip="main\n1.0 calls, {{[0-9.]+}} instructions\nruns once: main"];
; CHECK-NEXT: f1 [label="hot \"q\"\n{{[0-9.]+}}% of time, 6.66 calls", fillcolor="#800026", fontcolor="white",
; CHECK-NEXT: f2 [label="behind\n
; CHECK-NEXT: f{{[0-9]+}} [label="a pointer to one of 1 functions", shape=ellipse,
; CHECK-NEXT: f0 -> f1 [penwidth=5.00, color="#0b4fa0", {{.*}}label="  85%", tooltip="5.6569 calls"
; CHECK-NEXT: f2 -> f1 [{{.*}}color="#6b6b6b", {{.*}}label="  15%",
; CHECK-NEXT: f{{[0-9]+}} -> f2 [{{.*}}color="#0b4fa0",
; CHECK-NEXT: f0 -> f{{[0-9]+}} [
; CHECK-NEXT: }
; Nothing calls @never, so the graph has no node for it.
; ALL: dot.ll: 4 of 5 functions, 100.0% of the time
; ALL: f3 [label="cold\n
; ALL-NOT: never
@table = global ptr @behind

define i32 @main(i32 %x) {
entry:
  %taken = load ptr, ptr @table
  call void %taken(i32 %x)
  call void @cold()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  call void @"hot \22q\22"(i32 %i)
  %more = icmp slt i32 %next, %x
  br i1 %more, label %loop, label %end
end:
  ret i32 0
}

define internal void @"hot \22q\22"(i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %x
  br i1 %more, label %loop, label %end
end:
  ret void
}

define internal void @behind(i32 %x) {
entry:
  call void @"hot \22q\22"(i32 %x)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %two = mul i32 %next, 3
  %three = add i32 %two, 3
  %four = xor i32 %three, %two
  %five = xor i32 %four, %two
  %six = xor i32 %five, %i
  %seven = add i32 %six, %two
  %more = icmp slt i32 %seven, %x
  br i1 %more, label %loop, label %end
end:
  ret void
}

define internal void @cold() {
  ret void
}

define internal void @never() {
  ret void
}
