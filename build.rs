//! Finds the LLVM version that the Cargo feature selects, enables the linker to find `-lLLVM`, and compiles the C++
//! code for this version.
//!
//! Some distributions contain `libLLVM-18.so` without the file `libLLVM.so` that `-lLLVM` needs. If `libLLVM.so` is
//! missing, the script creates a symbolic link with this name in `OUT_DIR`.
//!
//! From LLVM 19 on, the binding to the pass manager is bpa's own C++ code (`cfg(own_host)`).

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{exit, Command};

/// Names for differences between LLVM versions. The sources test a name as `cfg(name)` in Rust, and as `BPA_NAME` in
/// C++. The number is the first LLVM version for which the build defines the name.
const FIRST_WITH: [(&str, u32); 4] = [
    ("own_host", FIRST_OWN_HOST),
    // LLVM numbers blocks.
    ("numbered_blocks", 20),
    // The case values of a switch are not operands.
    ("no_case_operands", 22),
    // Conditional and unconditional branches are different instructions.
    ("two_kinds_of_branch", 23),
];

/// The first version that llvm-plugin does not support.
const FIRST_OWN_HOST: u32 = 19;

/// The size of a plugin's description in the LLVM version `version`. The unit is the size of a pointer.
fn plugin_info_words(version: u32) -> u32 {
    match version {
        // The sixth pointer is the address of a function for plugin arguments.
        24.. => 6,
        22.. => 5,
        _ => 4,
    }
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let (version, minor) = chosen_version().unwrap_or_else(|problem| fail(&problem));
    let prefix_variable = format!("LLVM_SYS_{version}{minor}_PREFIX");
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
    println!("cargo:rustc-env=BPA_LLVM_VERSION={}", query(&config, "--version").unwrap_or_default());
    println!("cargo:rustc-env=BPA_FEATURES={}", features().join(" "));
    let library_directory = PathBuf::from(query(&config, "--libdir").unwrap_or_default());
    println!("cargo:rustc-env=BPA_LLVM_BUILD_ID={}", build_id(&library_directory, version));
    let words = plugin_info_words(version).to_string();
    println!("cargo:rustc-env=BPA_PLUGIN_INFO_WORDS={words}");
    describe_host(version);
    compile_cxx(version, &config, &words);
    // These linker flags must follow the compiled C++ code, because the C++ code depends on LLVM.
    if version >= FIRST_OWN_HOST {
        println!("cargo:rustc-link-search=native={}", library_directory.display());
        println!("cargo:rustc-link-lib=dylib=LLVM");
    }
    if let Err(problem) = provide_plain_library_name(&library_directory, version) {
        fail(&problem);
    }
}

/// Prints `problem` and stops the build.
fn fail(problem: &str) -> ! {
    println!("cargo:warning={problem}");
    eprintln!("{problem}");
    exit(1)
}

/// The LLVM version of the enabled feature `llvmN-M`. Exactly one of these features must be enabled.
fn chosen_version() -> Result<(u32, u32), String> {
    let is_on = |feature: &String| {
        env::var_os(format!("CARGO_FEATURE_{}", feature.to_uppercase().replace('-', "_"))).is_some()
    };
    let chosen: Vec<String> = features().into_iter().filter(is_on).collect();
    match &chosen[..] {
        [feature] => {
            let version = feature.trim_start_matches("llvm").split_once('-');
            let parsed = version.and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
            parsed.ok_or_else(|| format!("the feature {feature} does not contain a version"))
        }
        [] => Err(format!("no LLVM chosen: enable one of the features {}", features().join(", "))),
        _ => Err(format!(
            "several LLVM versions chosen ({}): use --no-default-features --features llvmN-M",
            chosen.join(", ")
        )),
    }
}

/// The features `llvmN-M`, which choose the LLVM version, in the order of Cargo.toml.
fn features() -> Vec<String> {
    let manifest = fs::read_to_string("Cargo.toml").unwrap_or_default();
    let names = manifest.lines().filter_map(|line| line.split_once(" = [")).map(|(name, _)| name);
    names.filter(|name| name.starts_with("llvm")).map(String::from).collect()
}

/// Searches for `llvm-config` in the same places as llvm-sys and llvm-plugin: in the directory `prefix` if it is given,
/// otherwise in `PATH`.
fn find_llvm_config(version: u32, prefix: Option<&Path>) -> Option<PathBuf> {
    ["llvm-config".to_string(), format!("llvm-config-{version}"), format!("llvm{version}-config")]
        .into_iter()
        .map(|name| prefix.map_or_else(|| PathBuf::from(&name), |p| p.join("bin").join(&name)))
        .find(|candidate| {
            query(candidate, "--version").is_some_and(|v| v.starts_with(&format!("{version}.")))
        })
}

/// The output of `llvm-config` for one argument.
fn query(llvm_config: &Path, question: &str) -> Option<String> {
    let output = Command::new(llvm_config).arg(question).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// Sets each `cfg` name of [`FIRST_WITH`] whose first LLVM version is at most `version`.
fn describe_host(version: u32) {
    for (name, first) in FIRST_WITH {
        println!("cargo:rustc-check-cfg=cfg({name})");
        if version >= first {
            println!("cargo:rustc-cfg={name}");
        }
    }
}

/// Compiles the C++ code, which uses functions of LLVM that are missing from the C API.
fn compile_cxx(version: u32, config: &Path, words: &str) {
    let host: &[&str] = if version >= FIRST_OWN_HOST { &["own_host"] } else { &["parentheses", "summary"] };
    let in_ir = [
        "call_graph",
        "condition",
        "entry_counts",
        "expect",
        "fold",
        "handles",
        "host_profile",
        "metadata",
        "probes",
        "remarks",
        "source",
        "source_branches",
        "statistics",
        "tested",
        "value",
        "walk",
    ]
    .map(|name| format!("src/ir/{name}.cpp"));
    let in_host = [&["analyses", "files", "known", "loaded", "version", "watch"], host].concat();
    let in_host = in_host.iter().map(|name| format!("src/plugin/host/{name}.cpp"));
    let sources: Vec<String> = in_ir.into_iter().chain(in_host).collect();
    for source in &sources {
        println!("cargo:rerun-if-changed={source}");
    }
    for header in
        ["ir/branches", "ir/condition", "ir/layout", "ir/marker", "ir/results", "plugin/host/summary"]
    {
        println!("cargo:rerun-if-changed=src/{header}.h");
    }
    let mut build = cc::Build::new();
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        // LLVM packages are built without assertions. The C++ code is also compiled without assertions, because input
        // that LLVM accepts must not end the process.
        build.define("NDEBUG", None);
    }
    for (name, _) in FIRST_WITH.into_iter().filter(|&(_, first)| version >= first) {
        build.define(&format!("BPA_{}", name.to_uppercase()), None);
    }
    build
        .cpp(true)
        .std("c++17")
        // LLVM itself is compiled with these two flags.
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        // Warnings about LLVM's headers are suppressed.
        .flag(format!("-isystem{}", query(config, "--includedir").unwrap_or_default()))
        .define("BPA_LLVM_MAJOR", version.to_string().as_str())
        .define("BPA_PLUGIN_INFO_WORDS", words)
        .files(&sources)
        .compile("bpa_cxx");
}

/// The file of the shared library.
fn shared_library(directory: &Path, version: u32) -> Option<PathBuf> {
    let names =
        ["libLLVM.so".to_string(), format!("libLLVM-{version}.so"), format!("libLLVM-{version}.so.1")];
    names.into_iter().map(|name| directory.join(name)).find(|path| path.exists())
}

/// The build ID of libLLVM in hexadecimal digits, or an empty string if it is unknown.
fn build_id(directory: &Path, version: u32) -> String {
    let Some(library) = shared_library(directory, version) else { return String::new() };
    println!("cargo:rerun-if-changed={}", library.display());
    let notes = Command::new("readelf").arg("-n").arg(&library).env("LC_ALL", "C").output();
    let notes = notes.map_or(String::new(), |notes| String::from_utf8_lossy(&notes.stdout).into_owned());
    let id = notes.lines().find_map(|line| line.trim().strip_prefix("Build ID: "));
    id.unwrap_or_default().to_string()
}

/// If only a versioned library is installed, creates a symbolic link `libLLVM.so` to the library, and adds the
/// directory of `libLLVM.so` to the linker's search path.
fn provide_plain_library_name(directory: &Path, version: u32) -> Result<(), String> {
    if !cfg!(target_os = "linux") || directory.join("libLLVM.so").exists() {
        return Ok(());
    }
    let versioned = shared_library(directory, version).ok_or_else(|| {
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
