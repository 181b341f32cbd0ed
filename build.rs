//! Finds the LLVM that the chosen Cargo feature asks for, and makes `-lLLVM` resolvable.
//!
//! llvm-plugin links with `-lLLVM`. Some distributions ship `libLLVM-18.so` without the plain
//! `libLLVM.so` that this needs, so a link of that name is made in `OUT_DIR` where one is missing.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{exit, Command};

/// The LLVM versions that a feature exists for.
const VERSIONS: [u32; 5] = [14, 15, 16, 17, 18];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let version = chosen_version().unwrap_or_else(|problem| fail(&problem));
    let prefix_variable = format!("LLVM_SYS_{version}0_PREFIX");
    println!("cargo:rerun-if-env-changed={prefix_variable}");

    let prefix = env::var_os(&prefix_variable).map(PathBuf::from);
    let Some(config) = find_llvm_config(version, prefix.as_deref()) else {
        fail(&format!(
            "LLVM {version} not found: no llvm-config of that version in {}; on Debian or Ubuntu: \
             apt-get install llvm-{version}-dev, elsewhere set {prefix_variable}",
            prefix.map_or("PATH".into(), |p| p.join("bin").display().to_string()),
        ));
    };
    println!("cargo:rustc-env=BPA_LLVM_MAJOR={version}");
    let library_directory = PathBuf::from(query(&config, "--libdir").unwrap_or_default());
    if let Err(problem) = provide_plain_library_name(&library_directory, version) {
        fail(&problem);
    }
}

/// Reports one line and stops the build.
fn fail(problem: &str) -> ! {
    println!("cargo:warning={problem}");
    eprintln!("{problem}");
    exit(1)
}

/// The one version whose feature is on.
fn chosen_version() -> Result<u32, String> {
    let chosen: Vec<u32> =
        VERSIONS.into_iter().filter(|v| env::var_os(format!("CARGO_FEATURE_LLVM{v}_0")).is_some()).collect();
    match chosen[..] {
        [version] => Ok(version),
        [] => Err("no LLVM chosen: enable one of the features llvm14-0 to llvm18-0".into()),
        _ => Err(format!(
            "several LLVM versions chosen ({chosen:?}): use --no-default-features --features llvmN-0"
        )),
    }
}

/// Looks where llvm-sys and llvm-plugin look: in the prefix if one is set, else along `PATH`.
fn find_llvm_config(version: u32, prefix: Option<&Path>) -> Option<PathBuf> {
    ["llvm-config".to_string(), format!("llvm-config-{version}"), format!("llvm{version}-config")]
        .into_iter()
        .map(|name| prefix.map_or_else(|| PathBuf::from(&name), |p| p.join("bin").join(&name)))
        .find(|candidate| {
            query(candidate, "--version").is_some_and(|v| v.starts_with(&format!("{version}.")))
        })
}

/// What `llvm-config` answers to one question.
fn query(llvm_config: &Path, question: &str) -> Option<String> {
    let output = Command::new(llvm_config).arg(question).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// Makes `libLLVM.so` findable where only a versioned name is installed.
fn provide_plain_library_name(directory: &Path, version: u32) -> Result<(), String> {
    if !cfg!(target_os = "linux") || directory.join("libLLVM.so").exists() {
        return Ok(());
    }
    let versioned = [format!("libLLVM-{version}.so"), format!("libLLVM-{version}.so.1")]
        .map(|name| directory.join(name))
        .into_iter()
        .find(|path| path.exists())
        .ok_or_else(|| {
            format!(
                "no shared libLLVM in {}; on Debian or Ubuntu: apt-get install libllvm{version} llvm-{version}-dev",
                directory.display()
            )
        })?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo did not set OUT_DIR")?);
    let link = out.join("libLLVM.so");
    let _ = fs::remove_file(&link);
    std::os::unix::fs::symlink(&versioned, &link)
        .map_err(|e| format!("cannot link {} to {}: {e}", link.display(), versioned.display()))?;
    println!("cargo:rustc-link-search=native={}", out.display());
    Ok(())
}
