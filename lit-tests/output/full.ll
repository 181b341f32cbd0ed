; If the device of stderr or stdout is full, bpa reports an error. The message about a DOT file is also tested.
; RUN: rm -rf %t && mkdir %t
; RUN: sh -c '%bpa -passes=rust-bpi -o %t/module %s 2> /dev/full; test $? = 1'
; RUN: not ls %t/module
; RUN: sh -c '%bpa -passes="function(rust-bfi)" -disable-output %s 2> /dev/full; test $? = 1'
; RUN: sh -c '%bpa -passes="print<rust-bias>" -disable-output %s 2> /dev/full; test $? = 1'
; RUN: sh -c '%bpa -passes="rust-bfi<explain>" -disable-output %s 2> /dev/full; test $? = 1'
; RUN: sh -c '%bpa -passes="rust-bfi<json>" -disable-output %s 2> /dev/full; test $? = 1'
; RUN: sh -c '%bpa -passes="rust-bfi<dot;output=%t>" -disable-output %s 2> /dev/full; test $? = 1'
; RUN: sh -c '%bpa -passes="rust-bpi<output=->" -disable-output %s > /dev/full; test $? = 1' 2>&1 | FileCheck %s
; If a stream is closed, bpa also reports an error.
; RUN: sh -c '%bpa -passes=rust-bpi -disable-output %s 2>&-; test $? = 1'
; RUN: sh -c '%bpa -passes="rust-bfi<dot;output=%t>" -disable-output %s 2>&-; test $? = 1'
; RUN: sh -c '%bpa -passes="rust-bpi<output=->" -disable-output %s >&-; test $? = 1' 2>&1 | FileCheck %s --check-prefix=CLOSED

; CHECK: bpa: cannot write '-': No space left on device
; CLOSED: bpa: cannot open '-': Bad file descriptor
define void @f() {
  ret void
}
