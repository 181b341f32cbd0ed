; The branches that search the handler of an exception have the field searches_handler: they compare the type of the
; exception with the type of a catch clause, or with an exception specification. Other branches do not have the field.
; RUN: %bpa -passes='rust-bpi<json>' -disable-output %s 2>&1 | FileCheck %s

; CHECK: "name":"%entry"
; CHECK-NOT: searches_handler
; CHECK: "name":"%pad"
; CHECK-SAME: "searches_handler":true
; CHECK-SAME: "name":"%filter"
; CHECK-SAME: "searches_handler":true
; CHECK-SAME: "name":"%handler"
; CHECK-NOT: searches_handler
@type = external constant i8

declare i32 @personality(...)
declare i32 @call()
declare i32 @llvm.eh.typeid.for(ptr)

define i32 @f() personality ptr @personality {
entry:
  %result = invoke i32 @call() to label %done unwind label %pad
pad:
  %exception = landingpad { ptr, i32 } catch ptr @type
  %selector = extractvalue { ptr, i32 } %exception, 1
  %id = call i32 @llvm.eh.typeid.for(ptr @type)
  %is_type = icmp eq i32 %id, %selector
  br i1 %is_type, label %handler, label %filter
filter:
  %is_forbidden = icmp slt i32 %selector, 0
  br i1 %is_forbidden, label %handler, label %done
handler:
  %again = call i32 @call()
  %is_zero = icmp eq i32 %again, 0
  br i1 %is_zero, label %done, label %handler
done:
  ret i32 0
}
