define void @f() {
  %element = extractelement <2 x float> zeroinitializer, i32 -1
  ret void
}
