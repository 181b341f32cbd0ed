//! The seam to the host's pass manager.
//!
//! What the passes need of it is small: register names, run on functions, keep a profile for each, say what is
//! preserved. Behind the seam stands llvm-plugin, which reaches LLVM 18.

mod llvm_plugin_host;

pub(super) use llvm_plugin_host::Host;
