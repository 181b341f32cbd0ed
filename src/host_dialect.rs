//! The default dialect: the LLVM version that this library is built for.

use std::sync::OnceLock;

use bpa_core::dialect::Dialect;

/// The description of the LLVM version for which this library is built.
pub fn host_dialect() -> &'static Dialect {
    // The dialect is looked up only once, because every function needs it.
    static HOST: OnceLock<&Dialect> = OnceLock::new();
    HOST.get_or_init(|| Dialect::named(env!("BPA_LLVM_MAJOR")).expect("build.rs picks a supported version"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_the_version_that_is_built_for() {
        assert_eq!(host_dialect().version.to_string(), env!("BPA_LLVM_MAJOR"));
    }
}
