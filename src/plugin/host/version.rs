//! Checks the host's version. A build of this library works with only one version of LLVM, and would crash in a host
//! with another version. If the versions differ, the plugin prints an error and ends the process.

use crate::plugin::message::print_error;

/// The Cargo features that choose a version, for example `llvm16-0 llvm17-0`.
const FEATURES: &str = env!("BPA_FEATURES");

unsafe extern "C" {
    fn bpa_host_version() -> u32;
    fn bpa_leave_host() -> !;
}

/// Ends the process if the host's LLVM is not the version that this build is for.
pub(in crate::plugin) fn check() {
    // SAFETY: the function only reads the dynamic linker's tables.
    let host = unsafe { bpa_host_version() };
    if let Some(problem) = problem(env!("BPA_LLVM_MAJOR"), host) {
        print_error(&problem);
        // SAFETY: the function only runs LLVM's interrupt handlers and ends the process.
        unsafe { bpa_leave_host() }
    }
}

/// The error message if the version of the host differs from the version of the build. The result is `None` if the
/// versions are equal, or if the host's version is unknown and `host` is therefore 0.
fn problem(build: &str, host: u32) -> Option<String> {
    let host = host.to_string();
    if host == build || host == "0" {
        return None;
    }
    let feature = FEATURES.split(' ').find(|feature| feature.starts_with(&format!("llvm{host}-")));
    let remedy = match feature {
        Some(feature) => {
            format!("build for LLVM {host} with the Cargo feature {feature} (scripts/build --llvm {host})")
        }
        None => format!("there is no build for LLVM {host}, only for {}", FEATURES.replace(' ', ", ")),
    };
    Some(format!("this build is for LLVM {build} and was loaded by LLVM {host}; {remedy}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_right_host_and_an_unknown_host_are_accepted() {
        assert_eq!(problem("16", 16), None);
        assert_eq!(problem("16", 0), None);
    }

    #[test]
    fn a_wrong_host_is_an_error_that_names_the_right_build() {
        assert_eq!(
            problem("16", 22).as_deref(),
            Some(
                "this build is for LLVM 16 and was loaded by LLVM 22; build for LLVM 22 with the Cargo feature \
                 llvm22-1 (scripts/build --llvm 22)"
            )
        );
        let none = problem("22", 13).expect("an unsupported host is an error");
        assert!(none.contains("there is no build for LLVM 13, only for llvm14-0, llvm15-0, "), "{none}");
    }
}
