//! Keeps the plugin loaded.

extern "C" {
    fn bpa_stay_loaded();
}

/// Keeps the plugin loaded until the process ends.
///
/// `opt` unloads its plugins before it ends. Rust does not free the contents of statics (the logger, the buffer of
/// stdout, open files), so each load and unload would leak them.
pub(in crate::plugin) fn stay() {
    // SAFETY: it asks the dynamic linker for one more handle to a loaded object.
    unsafe { bpa_stay_loaded() }
}
