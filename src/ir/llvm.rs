//! LLVM's C API, in the version that the chosen feature asks for: llvm-plugin brings it for the versions it knows,
//! inkwell for the later ones.

pub use super::inkwell::llvm_sys::*;
