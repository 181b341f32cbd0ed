//! Checks the host's version. A build of this library works with only one version of LLVM, and would crash in a host
//! with another version. Before the release of a version, the binary interface changes from one day to the next, but the
//! version number does not. For a pre-release, the plugin therefore works only with the build of libLLVM that it was built
//! for. If the versions differ, the plugin prints an error and ends the process.

use crate::plugin::message::print_error;

/// The Cargo features that choose a version, for example `llvm16-0 llvm17-0`.
const FEATURES: &str = env!("BPA_FEATURES");

unsafe extern "C" {
    fn bpa_host_version() -> u32;
    fn bpa_host_build_id(start: *mut *const u8) -> usize;
    fn bpa_leave_host() -> !;
}

/// A version of LLVM.
struct Version<'a> {
    /// The major version number, or 0 if it is unknown.
    major: u32,
    /// The build ID of libLLVM in hexadecimal digits, or an empty string if it is unknown.
    build_id: &'a str,
}

/// The LLVM for which this library is built.
struct Build<'a> {
    version: Version<'a>,
    /// The text that llvm-config prints, for example `16.0.6`.
    text: &'a str,
}

impl Build<'_> {
    fn new() -> Build<'static> {
        let major = env!("BPA_LLVM_MAJOR").parse().expect("build.rs passes a number");
        let version = Version { major, build_id: env!("BPA_LLVM_BUILD_ID") };
        Build { version, text: env!("BPA_LLVM_VERSION") }
    }

    /// Whether this is a snapshot or a release candidate. From LLVM 18 on, the first release has the minor version 1.
    fn is_pre_release(&self) -> bool {
        let minor = self.text.split('.').nth(1);
        self.version.major >= 18 && minor == Some("0")
            || self.text.contains("git")
            || self.text.contains("rc")
    }

    /// The error message if a host with the version `host` cannot load this build.
    fn problem(&self, host: Version) -> Option<String> {
        let Version { major, build_id } = self.version;
        let found = host.major;
        if found != major && found != 0 {
            let feature = FEATURES.split(' ').find(|feature| feature.starts_with(&format!("llvm{found}-")));
            let remedy = match feature {
                Some(feature) => format!(
                    "build for LLVM {found} with the Cargo feature {feature} (scripts/build --llvm {found})"
                ),
                None => {
                    format!("there is no build for LLVM {found}, only for {}", FEATURES.replace(' ', ", "))
                }
            };
            return Some(format!("this build is for LLVM {major} and was loaded by LLVM {found}; {remedy}"));
        }
        let is_other = host.build_id != build_id && !host.build_id.is_empty() && !build_id.is_empty();
        (self.is_pre_release() && is_other).then(|| {
            format!(
                "this build is for the pre-release {} of LLVM with the build ID {build_id} and was loaded by the build \
                 {}; build again for this LLVM (scripts/build --llvm {major})",
                self.text, host.build_id
            )
        })
    }
}

/// Ends the process if the host's LLVM is not the version that this build is for.
pub(in crate::plugin) fn check() {
    // SAFETY: the function only reads the dynamic linker's tables.
    let major = unsafe { bpa_host_version() };
    if let Some(problem) = Build::new().problem(Version { major, build_id: &host_build_id() }) {
        print_error(&problem);
        // SAFETY: the function only runs LLVM's interrupt handlers and ends the process.
        unsafe { bpa_leave_host() }
    }
}

/// The build ID of the host's libLLVM, or an empty string.
fn host_build_id() -> String {
    let mut start = std::ptr::null();
    // SAFETY: the function only reads the dynamic linker's tables. If the size is not 0, the bytes are a part of the
    // loaded libLLVM.
    let bytes = unsafe {
        match bpa_host_build_id(&mut start) {
            0 => &[],
            size => std::slice::from_raw_parts(start, size),
        }
    };
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str, build_id: &str, host: u32, host_id: &str) -> Option<String> {
        let major = text.split('.').next().and_then(|major| major.parse().ok()).expect("a number");
        let build = Build { version: Version { major, build_id }, text };
        build.problem(Version { major: host, build_id: host_id })
    }

    #[test]
    fn the_right_host_and_an_unknown_host_are_accepted() {
        assert_eq!(problem("16.0.6", "aa", 16, "bb"), None);
        assert_eq!(problem("16.0.6", "aa", 0, ""), None);
        assert_eq!(problem("22.1.0", "aa", 22, "bb"), None);
    }

    #[test]
    fn a_wrong_host_is_an_error_that_names_the_right_build() {
        assert_eq!(
            problem("16.0.6", "aa", 22, "aa").as_deref(),
            Some(
                "this build is for LLVM 16 and was loaded by LLVM 22; build for LLVM 22 with the Cargo feature \
                 llvm22-1 (scripts/build --llvm 22)"
            )
        );
        let none = problem("22.1.0", "", 13, "").expect("an unsupported host is an error");
        assert!(none.contains("there is no build for LLVM 13, only for llvm14-0, llvm15-0, "), "{none}");
    }

    #[test]
    fn a_pre_release_works_only_with_its_own_build_of_llvm() {
        for text in ["24.0.0", "24.0.0git", "18.0.0", "17.0.0git", "22.1.0-rc2"] {
            let major = text[..2].parse().unwrap();
            assert_eq!(problem(text, "aa", major, "aa"), None);
            assert_eq!(problem(text, "", major, "bb"), None);
            assert_eq!(problem(text, "aa", major, ""), None);
            let error = problem(text, "aa", major, "bb").expect("another build");
            assert!(
                error.contains(&format!("the pre-release {text} of LLVM with the build ID aa")),
                "{error}"
            );
            assert!(error.contains("loaded by the build bb; build again"), "{error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }

    /// The tests load the libLLVM for which build.rs has read the ID from the file.
    #[test]
    #[cfg(target_os = "linux")]
    fn the_build_id_of_the_loaded_library_is_found() {
        assert_eq!(host_build_id(), env!("BPA_LLVM_BUILD_ID"));
        assert!(host_build_id().len() >= 16);
    }
}
