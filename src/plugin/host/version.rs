//! Checks the host's version. A build is for one version of LLVM, and another version that loads it would crash, so the
//! plugin reports the difference and ends the process.

use crate::plugin::message::print_error;

/// The Cargo features that choose a version, for example `llvm16-0 llvm17-0`.
const FEATURES: &str = env!("BPA_FEATURES");

unsafe extern "C" {
    fn bpa_host_version() -> u32;
    fn bpa_leave_host() -> !;
}

/// Ends the process if the host is not the LLVM that this build is for.
pub(in crate::plugin) fn check() {
    // SAFETY: the function only reads the dynamic linker's tables.
    let host = unsafe { bpa_host_version() };
    if let Some(problem) = problem(env!("BPA_LLVM_MAJOR"), host) {
        print_error(&problem);
        // SAFETY: the function ends the process like LLVM does when it is interrupted.
        unsafe { bpa_leave_host() }
    }
}

/// The error message if a build is loaded by another version. `None` if the versions are equal, or if `host` is 0
/// because the host's version is unknown.
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
