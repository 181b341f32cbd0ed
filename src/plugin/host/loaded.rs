//! Keeps the plugin loaded.

unsafe extern "C" {
    fn bpa_stay_loaded();
}

/// Keeps the plugin loaded until the process ends.
///
/// `opt` unloads its plugins before it ends. Rust does not free memory that statics own (the logger, the buffer of
/// stdout, open files), so each load and unload would leak it.
pub(in crate::plugin) fn stay() {
    // SAFETY: the function only requests one more handle to a loaded object from the dynamic linker.
    unsafe { bpa_stay_loaded() }
}
