//! LLVM's C API, in the version that matches the chosen Cargo feature. The API comes from llvm-plugin for the versions
//! that llvm-plugin supports, and from inkwell for later versions.

pub use super::inkwell::llvm_sys::*;
