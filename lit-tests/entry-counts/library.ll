; Without main, what is visible outside is called from there, unless something says that it rarely is, or often.
; RUN: %bpa -passes='print<rust-entry-counts>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-DAG: - usual: calls = 1.0, {{.*}}, visible outside: called once from there
; CHECK-DAG: - named: calls = 1.0, {{.*}}, visible outside: called once from there
; CHECK-DAG: - rare: calls = 0.03125, {{.*}}, visible outside, marked cold: called 1/32 times from there
; CHECK-DAG: - unlikely: calls = 0.03125, {{.*}}, visible outside, marked cold: called 1/32 times from there
; CHECK-DAG: - often: calls = 32.0, {{.*}}, visible outside, marked hot: called 32 times from there
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
