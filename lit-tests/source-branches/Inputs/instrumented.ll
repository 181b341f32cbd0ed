@__profn_my.c_f = private constant [6 x i8] c"my.c:f"
@__profn_loops = private constant [5 x i8] c"loops"
@__profn_stale = private constant [5 x i8] c"stale"
@__profn_coroutine = private constant [9 x i8] c"coroutine"
@__profn_changed = private constant [7 x i8] c"changed"
@__profn_large = private constant [5 x i8] c"large"

define internal void @f(i1 %a) {
entry:
  call void @llvm.instrprof.increment(ptr @__profn_my.c_f, i64 -4, i32 2, i32 0)
  br i1 %a, label %lop.rhscnt, label %if.end

lop.rhscnt:
  call void @llvm.instrprof.increment(ptr @__profn_my.c_f, i64 -4, i32 2, i32 1)
  br label %if.then

if.then:
  call void @g()
  br label %if.end

if.end:
  ret void
}

define void @loops(i1 %a, i1 %b) {
entry:
  call void @llvm.instrprof.increment(ptr @__profn_loops, i64 5, i32 4, i32 0)
  br label %while.cond

while.cond:
  br i1 %a, label %land.rhs, label %land.end

land.rhs:
  call void @llvm.instrprof.increment(ptr @__profn_loops, i64 5, i32 4, i32 2)
  br i1 %b, label %land.rhscnt, label %land.end

land.rhscnt:
  call void @llvm.instrprof.increment(ptr @__profn_loops, i64 5, i32 4, i32 3)
  br label %land.end

land.end:
  %0 = phi i1 [ false, %while.cond ], [ %b, %land.rhs ], [ %b, %land.rhscnt ]
  br i1 %0, label %while.body, label %while.end

while.body:
  call void @llvm.instrprof.increment(ptr @__profn_loops, i64 5, i32 4, i32 1)
  br label %while.cond

while.end:
  ret void
}

define void @stale(i1 %a) {
entry:
  call void @llvm.instrprof.increment(ptr @__profn_stale, i64 24, i32 1, i32 0)
  br i1 %a, label %if.then, label %if.end

if.then:
  br label %if.end

if.end:
  ret void
}

define void @coroutine(i1 %a) {
entry:
  call void @llvm.instrprof.increment(ptr @__profn_coroutine, i64 5, i32 1, i32 0)
  %id = call token @llvm.coro.id(i32 16, ptr null, ptr null, ptr null)
  br i1 %a, label %if.then, label %if.end

if.then:
  br label %if.end

if.end:
  ret void
}

define void @changed(i1 %a) {
entry:
  call void @llvm.instrprof.increment(ptr @__profn_changed, i64 5, i32 2, i32 0)
  br i1 %a, label %if.end, label %if.then

if.then:
  call void @llvm.instrprof.increment(ptr @__profn_changed, i64 5, i32 2, i32 1)
  call void @g()
  br label %if.end

if.end:
  ret void
}

define void @large(i1 %a) {
entry:
  call void @llvm.instrprof.increment(ptr @__profn_large, i64 5, i32 2, i32 0)
  br i1 %a, label %if.then, label %if.end

if.then:
  call void @llvm.instrprof.increment(ptr @__profn_large, i64 5, i32 2, i32 1)
  call void @g()
  br label %if.end

if.end:
  ret void
}

declare void @g()
declare void @llvm.instrprof.increment(ptr, i64, i32, i32)
declare token @llvm.coro.id(i32, ptr, ptr, ptr)
