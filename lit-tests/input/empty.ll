; If a module has no functions or only declarations, bpa prints nothing and does not change the module.
; RUN: echo > %t.empty.ll
; RUN: echo 'declare void @f() declare i32 @g(i32)' > %t.declared.ll
; RUN: %bpa -passes='print<rust-bpi>,print<rust-bfi>,print<rust-bias>,require<rust-bpi>,require<rust-bfi>' -disable-output %t.empty.ll 2>&1 | count 0
; RUN: %bpa -passes='print<rust-bpi>,print<rust-bfi>,print<rust-bias>,require<rust-bpi>,require<rust-bfi>' -disable-output %t.declared.ll 2>&1 | count 0
; RUN: %bpa -passes='function(print<rust-bpi>,rust-bpi<annotate>),cgscc(function(rust-bfi))' -disable-output %t.declared.ll 2>&1 | count 0
; RUN: %bpa -passes='rust-bpi<annotate;overwrite>,rust-lower-expect' -S %t.declared.ll -o %t.ours.ll
; RUN: %opt -passes=verify -S %t.declared.ll -o %t.llvms.ll
; RUN: diff %t.ours.ll %t.llvms.ll
