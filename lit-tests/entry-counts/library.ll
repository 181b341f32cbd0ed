; If the module has no main, the estimate assumes one external call of each externally visible function. For a cold
; function, the estimate assumes 1/32 external calls. For a hot function, the estimate assumes 32 external calls.
; RUN: %bpa -passes='print<rust-entry-counts>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-DAG: - usual: calls = 1.0, {{.*}}, externally visible: called once from outside
; CHECK-DAG: - named: calls = 1.0, {{.*}}, externally visible: called once from outside
; CHECK-DAG: - rare: calls = 0.03125, {{.*}}, externally visible and cold: called 1/32 times from outside
; CHECK-DAG: - unlikely: calls = 0.03125, {{.*}}, externally visible and cold: called 1/32 times from outside
; CHECK-DAG: - often: calls = 32.0, {{.*}}, externally visible and hot: called 32 times from outside
; CHECK-DAG: - inline: calls = 1.0, {{.*}}, from usual (100%){{$}}
; CHECK-DAG: - local: calls = 0.0, {{.*}}, not called

@other_name = alias void (), ptr @named

define void @usual() {
  call void @inline()
  ret void
}

define internal void @named() {
  ret void
}

define void @rare() cold {
  ret void
}

define void @unlikely() section ".text.unlikely.x" {
  ret void
}

define void @often() hot {
  ret void
}

define linkonce_odr void @inline() {
  ret void
}

define internal void @local() {
  ret void
}
