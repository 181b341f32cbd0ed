//! How long the plugin is there.

extern "C" {
    fn bpa_stay_loaded();
}

/// Has the plugin stay loaded to the end of the process.
///
/// `opt` unloads its plugins before it ends. Rust frees nothing that statics hold (the logger, the buffer of the standard
/// output, files that have been opened): it would be lost, each time anew where a host loads and unloads.
pub(in crate::plugin) fn stay() {
    // SAFETY: it asks the dynamic linker for one more handle to what is loaded.
    unsafe { bpa_stay_loaded() }
}
