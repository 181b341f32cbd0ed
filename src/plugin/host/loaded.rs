//! Keeps the plugin loaded.

unsafe extern "C" {
    fn bpa_stay_loaded();
}

/// Keeps the plugin loaded until the process ends.
///
/// `opt` unloads its plugins before it ends. Rust does not free memory that statics own: the logger, the buffer of
/// stdout, and open files. Each load and unload would therefore leak this memory.
pub(in crate::plugin) fn stay() {
    // SAFETY: the function only asks the dynamic linker for a further handle of a loaded object.
    unsafe { bpa_stay_loaded() }
}
