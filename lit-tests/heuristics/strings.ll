; # Strings
;
; `strcmp` and similar functions return 0 for equal strings, and any other number otherwise. The rule predicts that the
; strings are equal with probability 12/32, independent of the constant in the comparison. LLVM identifies the functions
; by name: `bcmp`, `memcmp`, `strcasecmp`, `strcmp`, `strncasecmp`, `strncmp`.
;
;             entry
;       20   /     \   12
;       other      same
;
; RUN: %bpa -passes='rust-bpi<explain>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %check %s

declare i32 @strcmp(ptr, ptr)

define void @strings(ptr %s, ptr %t) {
entry:
  %order = call i32 @strcmp(ptr %s, ptr %t)
  %c = icmp ne i32 %order, 0
  br i1 %c, label %other, label %same
other:
  ret void
same:
  ret void
}

; CHECK-LABEL: 'strings'
; CHECK-NEXT: ---- Branch Probabilities ----
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}other probability is 0x50000000 / 0x80000000 = 62.50%
; CHECK-NEXT:       constant, 20 of 32: taken if icmp ne %order, 0 (%order from @strcmp) holds; strings are rarely equal.
; CHECK-NEXT:       Other rules: no metadata; no estimated weights; even 50.00%.
; CHECK-NEXT:   edge {{%?}}entry -> {{%?}}same probability is 0x30000000 / 0x80000000 = 37.50%
; CHECK-NEXT:       constant, 12 of 32: taken if icmp ne %order, 0 (%order from @strcmp) does not hold; strings are rarely equal.
; CHECK-NEXT:       Other rules: no metadata; no estimated weights; even 50.00%.
