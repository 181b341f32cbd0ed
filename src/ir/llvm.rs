//! LLVM's C API, in the version that matches the chosen Cargo feature. llvm-plugin provides the API of the versions
//! that it supports, and inkwell that of later versions.

pub use super::inkwell::llvm_sys::*;
