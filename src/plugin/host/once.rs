//! Registers a plugin only once with each pass builder, even if it is loaded several times, and keeps it loaded.
//!
//! A host can load a file twice. If copies of a file have different names, each copy has its own static variables.
//! Also, several plugins can contain this library and register its passes. All loaded plugins, including
//! copies of the same file, share only the pass builder. Each registration therefore adds a parser for a key. Users do
//! not type this key in a pipeline. A later registration checks whether the builder already parses this key. A static
//! table of builder addresses would be wrong, because a later builder can have the same address.

use std::sync::Arc;

use super::{Host, Pass, Preserved};

impl Host<'_> {
    /// Registers `what` with this pass builder. Returns false if `what` has already been registered.
    pub fn is_first(&self, what: &str) -> bool {
        if self.is_registered(what) {
            log::debug!("{what} is registered already");
            return false;
        }
        let key = key_of(what);
        self.add_parser(Arc::new(move |element: &str| (element == key).then(|| Ok(Pass::of_key()))));
        true
    }

    /// Whether `what` has been registered.
    pub fn is_registered(&self, what: &str) -> bool {
        self.accepts(&key_of(what))
    }
}

fn key_of(what: &str) -> String {
    format!("bpa-registered-{what}")
}

impl Pass {
    /// The pass that belongs to a key. It does nothing.
    pub fn of_key() -> Self {
        Pass { on_function: Some(Arc::new(|_, _| Ok(Preserved::All))), ..Pass::named("bpa-registered") }
    }
}

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
