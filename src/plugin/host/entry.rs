//! What a shared object exports so that the host takes it for a plugin.

use std::ffi::CStr;

/// Makes the shared object that this is used in a plugin: exports what `opt`, clang and lld look for in one.
///
/// It takes the plugin's name, which messages about it begin with, and a function from a [`Registry`](crate::plugin::Registry)
/// that adds its passes. A shared object is one plugin, so this stands in it once.
///
/// ```
/// use bpa::plugin::Registry;
/// use bpa::BlockFrequency;
///
/// bpa::plugin!("hot-blocks", register);
///
/// fn register(registry: &mut Registry) {
///     registry.add_printer("hot-blocks", |function| {
///         let profile = function.profile();
///         for block in profile.blocks().filter(|&block| profile.frequency(block) > BlockFrequency::UNITY) {
///             eprintln!("{}: {}", function.name(), function.block_name(block));
///         }
///     });
/// }
/// ```
#[macro_export]
macro_rules! plugin {
    ($name:literal, $register:expr) => {
        /// Called by the host when it has loaded the plugin.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        pub extern "C" fn llvmGetPassPluginInfo() -> $crate::plugin::PluginInfo {
            const TEXTS: [&::std::ffi::CStr; 2] =
                $crate::plugin::c_strings([concat!($name, "\0"), concat!(env!("CARGO_PKG_VERSION"), "\0")]);
            $crate::plugin::describe(TEXTS[0], TEXTS[1], $register)
        }
    };
}

/// Texts for C, which end with a NUL, in [`plugin!`](crate::plugin!).
#[doc(hidden)]
pub const fn c_strings<const N: usize>(texts: [&'static str; N]) -> [&'static CStr; N] {
    let mut strings = [c""; N];
    let mut place = 0;
    while place < N {
        strings[place] = match CStr::from_bytes_with_nul(texts[place].as_bytes()) {
            Ok(string) => string,
            Err(_) => panic!("a name has no NUL in it"),
        };
        place += 1;
    }
    strings
}
