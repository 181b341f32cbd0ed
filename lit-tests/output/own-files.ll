; If `output=FILE` names a file that opt reads or writes, bpa reports an error. Otherwise the module or the output would
; be lost.
; RUN: rm -rf %t && mkdir %t && cp %s %t/module.ll && ln -s module.ll %t/link.ll
; RUN: not %bpa -passes='rust-bpi<output=%t/module.ll>' -disable-output %t/module.ll 2>&1 | FileCheck %s
; RUN: not %bpa -passes='rust-bpi<output=%t/link.ll>' -disable-output %t/module.ll 2>&1 | FileCheck %s
; RUN: not %bpa -passes='rust-bpi<output=%t/module.ll>' -disable-output < %t/module.ll 2>&1 | FileCheck %s
; RUN: diff %s %t/module.ll
; RUN: not %bpa -passes='rust-bpi<output=%t/printed>' %s -o %t/printed 2>&1 | FileCheck %s
; RUN: not %bpa -passes='rust-bpi<output=%t/printed>' %s -o=%t/printed 2>&1 | FileCheck %s
; RUN: not %bpa -passes='rust-bpi<output=%t/printed>' %s > %t/printed
; RUN: sh -c 'cd %t && %bpa -passes="rust-bpi<output=printed>" %s -o %t/printed; test $? = 1' 2>&1 | FileCheck %s
; FILE can be a device that opt also uses.
; RUN: %bpa -passes='rust-bpi<output=/dev/null>' %s -o /dev/null
; If stderr is closed, the messages of the host are not written to FILE.
; RUN: sh -c '%bpa -passes="rust-bpi<output=%t/alone>,print<branch-prob>" -disable-output %s 2>&-; true'
; RUN: count 4 < %t/alone

; CHECK: bpa: cannot open '{{.*}}': the command reads or writes this file itself
define void @f(i1 %c) {
entry:
  br i1 %c, label %a, label %a
a:
  ret void
}
