//! LLVM's C API, in the version that the chosen feature asks for: llvm-plugin brings it for the versions it knows,
//! inkwell for the later ones.

#[cfg(own_host)]
pub use inkwell::llvm_sys::*;
#[cfg(not(own_host))]
pub use llvm_plugin::inkwell::llvm_sys::*;
