//! Finds the plugin `libbpa.so` for an LLVM version.

use std::path::{Path, PathBuf};

use crate::base::error::{Error, Result};

/// The path of the plugin for LLVM `version`: the file `named`, or the first installed plugin if `named` is `None`.
pub fn find(version: u32, named: Option<&Path>) -> Result<PathBuf> {
    if let Some(path) = named {
        return match path.is_file() {
            // The path is made absolute: if a path contains no folder, opt searches the library folders of the system.
            true => path.canonicalize().map_err(Error::read(path)),
            false => Err(Error::advice(
                format!("the plugin {} does not exist", path.display()),
                "pass a libbpa.so with --plugin or BPA_PLUGIN, or omit both to use an installed one",
            )),
        };
    }
    installed(version).ok_or_else(|| {
        Error::advice(
            format!("no plugin for LLVM {version} is installed"),
            format!(
                "apt install ./bpa-llvm-{version}_*.deb, or in a checkout of bpa: scripts/build --llvm {version}; \
                 `bpa doctor` prints which versions are ready"
            ),
        )
    })
}

/// The first installed plugin for LLVM `version`.
pub fn installed(version: u32) -> Option<PathBuf> {
    let own = std::env::current_exe().and_then(|path| path.canonicalize()).ok();
    candidates(version, own.as_deref()).into_iter().find(|path| path.is_file())
}

/// The possible paths of a plugin for LLVM `version`. `own` is the path of this program. Some paths are in
/// `../lib/bpa`, relative to the folder of `own`. Some paths are in the build directories that contain `own`. The other
/// paths are below `/usr/lib`.
fn candidates(version: u32, own: Option<&Path>) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    if let Some(folder) = own.and_then(Path::parent) {
        paths.push(folder.join(format!("../lib/bpa/{version}/libbpa.so")));
        let built = ["release", "debug"].map(|profile| format!("llvm-{version}/{profile}/libbpa.so"));
        let is_target = |folder: &&Path| folder.join("CACHEDIR.TAG").is_file() || folder.ends_with("target");
        // cargo builds the command in a target directory. `scripts/build` builds plugins in `llvm-N` in this directory.
        let targets = folder.ancestors().filter(is_target).flat_map(|target| [Some(target), target.parent()]);
        let targets: Vec<&Path> = targets.flatten().collect();
        paths.extend(built.iter().flat_map(|built| targets.iter().map(move |target| target.join(built))));
    }
    paths.push(PathBuf::from(format!("/usr/lib/bpa/{version}/libbpa.so")));
    paths.push(PathBuf::from(format!("/usr/lib/llvm-{version}/lib/libbpa.so")));
    paths
}

/// The LLVM version in the path of a plugin. The plugin is in `llvm-16` in a build directory, and in `bpa/16` if it
/// comes from a package.
pub fn version_in_path(path: &Path) -> Option<u32> {
    let path = path.canonicalize().unwrap_or_else(|_| path.into());
    let mut folders = path.parent()?.ancestors().filter_map(|folder| folder.file_name()?.to_str());
    folders.find_map(|name| name.strip_prefix("llvm-").unwrap_or(name).parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plugin_beside_the_command_is_preferred() {
        let paths = candidates(16, Some(Path::new("/usr/bin/bpa")));
        assert_eq!(paths[0], Path::new("/usr/bin/../lib/bpa/16/libbpa.so"));
        assert_eq!(
            paths.last().map(|path| path.as_path()),
            Some(Path::new("/usr/lib/llvm-16/lib/libbpa.so"))
        );
    }

    #[test]
    fn a_built_command_finds_built_plugins() {
        for own in ["/src/target/llvm-16/release/bpa", "/src/target/debug/bpa"] {
            let paths = candidates(19, Some(Path::new(own)));
            let order = ["release", "debug"].map(|profile| {
                let built = format!("/src/target/llvm-19/{profile}/libbpa.so");
                paths.iter().position(|path| path == Path::new(&built)).expect("it is a candidate")
            });
            assert!(order.is_sorted(), "{own}: {paths:?}");
        }
    }

    #[test]
    fn a_target_directory_may_have_any_name() {
        let folder = tempfile::tempdir().expect("the temporary folder can be created");
        let target = folder.path().join("llvm-24");
        std::fs::create_dir(&target).expect("the folder is new");
        std::fs::write(target.join("CACHEDIR.TAG"), "").expect("the folder is writable");
        let paths = candidates(24, Some(&target.join("debug/bpa")));
        assert!(paths.contains(&target.join("release/libbpa.so")), "{paths:?}");
    }

    #[test]
    fn versions_are_parsed_from_paths() {
        let version = |path| version_in_path(Path::new(path));
        assert_eq!(version("/no/target/llvm-16/release/libbpa.so"), Some(16));
        assert_eq!(version("/no/lib/bpa/22/libbpa.so"), Some(22));
        assert_eq!(version("/no/libbpa.so"), None);
    }

    #[test]
    fn a_missing_plugin_is_an_error() {
        let error = find(16, Some(Path::new("/no/such.so"))).expect_err("the file does not exist");
        assert!(error.to_string().contains("/no/such.so"));
    }
}
