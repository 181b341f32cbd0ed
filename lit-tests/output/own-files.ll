; A file that opt reads or writes by itself is not printed to: the module would be lost, or what is printed.
; RUN: rm -rf %t && mkdir %t && cp %s %t/module.ll && ln -s module.ll %t/link.ll
; RUN: not %bpa -passes='rust-bpi<output=%t/module.ll>' -disable-output %t/module.ll 2>&1 | FileCheck %s
; RUN: not %bpa -passes='rust-bpi<output=%t/link.ll>' -disable-output %t/module.ll 2>&1 | FileCheck %s
; RUN: not %bpa -passes='rust-bpi<output=%t/module.ll>' -disable-output < %t/module.ll 2>&1 | FileCheck %s
; RUN: diff %s %t/module.ll
; RUN: not %bpa -passes='rust-bpi<output=%t/printed>' %s -o %t/printed 2>&1 | FileCheck %s
; RUN: not %bpa -passes='rust-bpi<output=%t/printed>' %s -o=%t/printed 2>&1 | FileCheck %s
; RUN: not %bpa -passes='rust-bpi<output=%t/printed>' %s > %t/printed
; RUN: sh -c 'cd %t && %bpa -passes="rust-bpi<output=printed>" %s -o %t/printed; test $? = 1' 2>&1 | FileCheck %s
; A device is nobody's.
; RUN: %bpa -passes='rust-bpi<output=/dev/null>' %s -o /dev/null
; What the host writes on a closed stderr does not go into a file of ours.
; RUN: sh -c '%bpa -passes="rust-bpi<output=%t/alone>,print<branch-prob>" -disable-output %s 2>&-; true'
; RUN: count 4 < %t/alone

; CHECK: bpa: cannot open '{{.*}}': the command reads or writes this file itself
define void @f(i1 %c) {
entry:
  br i1 %c, label %a, label %a
a:
  ret void
}
