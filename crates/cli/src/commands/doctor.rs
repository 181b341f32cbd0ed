//! `bpa doctor`: prints the installed tools and plugins, and the commands that install the missing ones.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bpa_schema::FORMAT;

use crate::args;
use crate::base::error::Result;
use crate::base::output;
use crate::base::process::TemporaryFolder;
use crate::counts;
use crate::toolchain::find::{self, Toolchain, SUPPORTED};
use crate::toolchain::opt::Opt;
use crate::toolchain::plugin;

/// A function that every LLVM version can parse.
const SMALL_MODULE: &str = "define void @f() {\n  ret void\n}\n";

/// Succeeds if at least one LLVM version is usable.
pub fn run(arguments: &args::Doctor) -> Result<ExitCode> {
    let named = arguments.plugin.as_ref().and_then(|path| path.canonicalize().ok());
    let installed = SUPPORTED.filter_map(Toolchain::of);
    let examined: Vec<Examined> = installed.map(|one| Examined::new(one, named.as_deref())).collect();
    let is_ready = examined.iter().any(Examined::is_ready);
    let text = match arguments.json {
        true => data(&examined, is_ready).to_string(),
        false => lines(&examined, is_ready, arguments).join("\n"),
    };
    output::print(&(text + "\n"))?;
    Ok(if is_ready { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn lines(examined: &[Examined], is_ready: bool, arguments: &args::Doctor) -> Vec<String> {
    let mut lines = Vec::new();
    for version in SUPPORTED {
        if let Some(one) = examined.iter().find(|one| one.toolchain.version == version) {
            lines.extend(one.lines());
        } else if let Some(path) = plugin::installed(version) {
            lines.push(format!("LLVM {version}: there is a plugin, {}, but no opt", path.display()));
            lines.push(format!("  do: apt-get install llvm-{version} clang-{version}"));
        }
    }
    if let Some(path) = &arguments.plugin {
        lines.extend(about_named(path, examined));
    }
    lines.push(about_rustc(examined));
    lines.push(match is_ready {
        true => "ready: try `bpa explain FILE.c`".to_string(),
        false => "not ready: no installed LLVM version has an opt that loads the plugin".to_string(),
    });
    lines
}

/// The report as JSON.
fn data(examined: &[Examined], is_ready: bool) -> serde_json::Value {
    let rows: Vec<serde_json::Value> = examined.iter().map(Examined::data).collect();
    let rustc = find::rustc().map(|(path, llvm)| serde_json::json!({"path": path, "llvm": llvm}));
    serde_json::json!({"format": FORMAT, "ready": is_ready, "llvm": rows, "rustc": rustc})
}

/// One LLVM version, and whether its `opt` loads the plugin.
struct Examined {
    toolchain: Toolchain,
    plugin: Option<(PathBuf, Loaded)>,
    /// The llvm-profdata of this version.
    profdata: Option<PathBuf>,
    /// The library that clang links into instrumented programs.
    runtime: Option<PathBuf>,
}

type Loaded = std::result::Result<(), String>;

impl Examined {
    /// If `opt` of this version can load the plugin at the path `named`, examines this plugin. Otherwise examines the
    /// installed plugin.
    fn new(toolchain: Toolchain, named: Option<&Path>) -> Self {
        let named = named.filter(|path| try_loading(&toolchain, path).is_ok());
        let plugin = match named {
            Some(path) => Some((path.to_path_buf(), Ok(()))),
            None => plugin::installed(toolchain.version).map(|path| {
                let loaded = try_loading(&toolchain, &path);
                (path, loaded)
            }),
        };
        let profdata = counts::profdata(toolchain.version);
        let runtime = toolchain.clang.as_deref().and_then(counts::runtime);
        Examined { toolchain, plugin, profdata, runtime }
    }

    fn is_ready(&self) -> bool {
        matches!(self.plugin, Some((_, Ok(()))))
    }

    fn data(&self) -> serde_json::Value {
        let Toolchain { version, opt, clang } = &self.toolchain;
        let plugin = self.plugin.as_ref().map(|(path, loaded)| {
            serde_json::json!({"path": path, "loads": loaded.is_ok(), "error": loaded.as_ref().err()})
        });
        serde_json::json!({
            "version": version, "opt": opt, "clang": clang, "plugin": plugin,
            "llvm_profdata": self.profdata, "profile_runtime": self.runtime,
        })
    }

    fn lines(&self) -> Vec<String> {
        let Toolchain { version, opt, clang } = &self.toolchain;
        let clang_text = clang.as_ref().map_or("no clang".to_string(), |path| path.display().to_string());
        let mut lines = vec![format!("LLVM {version}: {}, {clang_text}", opt.display())];
        match &self.plugin {
            Some((path, Ok(()))) => lines.push(format!("  plugin: {}, loads", path.display())),
            Some((path, Err(error))) => {
                lines.push(format!("  plugin: {}, cannot be loaded: {error}", path.display()));
                lines.push(format!("  do: build or install the plugin for LLVM {version} again"));
            }
            None => {
                lines.push("  plugin: none".to_string());
                lines.push(format!(
                    "  do: apt install ./bpa-llvm-{version}_*.deb, or in a checkout of bpa: scripts/build --llvm {version}"
                ));
            }
        }
        if clang.is_none() {
            lines.push(format!("  do: apt-get install clang-{version}, to analyse C and C++"));
        }
        lines.extend(self.about_profiles());
        lines
    }

    /// The lines about the profile tools of this version.
    fn about_profiles(&self) -> Vec<String> {
        let Toolchain { version, clang, .. } = &self.toolchain;
        let mut lines = Vec::new();
        match &self.profdata {
            Some(path) => lines.push(format!("  profiles: {}", path.display())),
            None => {
                lines.push("  profiles: no llvm-profdata of this version".into());
                lines.push(format!("  do: apt-get install llvm-{version}"));
            }
        }
        if clang.is_some() {
            match &self.runtime {
                Some(path) => lines.push(format!("  instrumented programs: {}", path.display())),
                None => {
                    lines.push(
                        "  instrumented programs: no libclang_rt.profile, so clang -fprofile-instr-generate cannot link"
                            .into(),
                    );
                    lines.push(format!("  do: apt-get install libclang-rt-{version}-dev"));
                }
            }
        }
        lines
    }
}

/// Runs a pass of the plugin. On failure, the error is the first line that opt prints.
fn try_loading(toolchain: &Toolchain, plugin: &Path) -> Loaded {
    let folder = TemporaryFolder::new().map_err(|error| error.to_string())?;
    let module = folder.path().join("small.ll");
    std::fs::write(&module, SMALL_MODULE).map_err(|error| error.to_string())?;
    let opt = Opt { toolchain: toolchain.clone(), plugin: plugin.into() };
    let done = opt.run("rust-bpi", &module, folder.path());
    done.map(drop).map_err(|error| error.to_string().lines().nth(1).unwrap_or_default().to_string())
}

/// A line about the installed LLVM versions that can load the plugin `path`.
fn about_named(path: &Path, examined: &[Examined]) -> Vec<String> {
    let Ok(path) = path.canonicalize() else {
        return vec![format!("--plugin {}: the file does not exist", path.display())];
    };
    let fitting =
        examined.iter().filter(|one| matches!(&one.plugin, Some((plugin, Ok(()))) if *plugin == path));
    let versions: Vec<String> = fitting.map(|one| one.toolchain.version.to_string()).collect();
    match versions.as_slice() {
        [] => vec![format!("--plugin {}: no installed LLVM loads this plugin", path.display())],
        _ => vec![format!("--plugin {}: for LLVM {}", path.display(), versions.join(", "))],
    }
}

fn about_rustc(examined: &[Examined]) -> String {
    let Some((path, version)) = find::rustc() else {
        return "rustc: none: Rust cannot be analysed".to_string();
    };
    if version < find::FIRST_OF_RUSTC {
        let path = path.display();
        return format!("rustc: {path}, on LLVM {version}: Rust cannot be analysed; use Rust 1.73 or later");
    }
    let is_ready =
        |version: &u32| examined.iter().any(|one| one.toolchain.version == *version && one.plugin.is_some());
    match (version..=*SUPPORTED.end()).find(is_ready) {
        Some(reader) => {
            let text =
                format!("rustc: {}, on LLVM {version}; LLVM {reader} reads its bitcode", path.display());
            match counts::profdata(reader) {
                Some(profdata) => format!("{text}; profiles: {}", profdata.display()),
                None => format!("{text}; profiles: no llvm-profdata: apt-get install llvm-{reader}"),
            }
        }
        None => format!(
            "rustc: {}, on LLVM {version}: Rust cannot be analysed; no opt of LLVM {version} or later has a plugin",
            path.display()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examined(clang: Option<&str>, plugin: Option<Loaded>) -> Examined {
        let toolchain = Toolchain { version: 16, opt: "/bin/opt".into(), clang: clang.map(PathBuf::from) };
        let plugin = plugin.map(|loaded| ("/p.so".into(), loaded));
        let [profdata, runtime] = ["/bin/llvm-profdata", "/lib/rt.a"].map(|path| Some(path.into()));
        Examined { toolchain, plugin, profdata, runtime }
    }

    #[test]
    fn missing_tools_have_advice() {
        let text = |examined: &Examined| examined.lines().join("\n");
        let ready = examined(Some("/bin/clang"), Some(Ok(())));
        assert!(ready.is_ready() && !text(&ready).contains("do:"));
        let unmeasured =
            Examined { profdata: None, runtime: None, ..examined(Some("/bin/clang"), Some(Ok(()))) };
        assert!(text(&unmeasured).contains("install llvm-16"), "{}", text(&unmeasured));
        assert!(text(&unmeasured).contains("install libclang-rt-16-dev"));
        let none = examined(Some("/bin/clang"), None);
        assert!(!none.is_ready() && text(&none).contains("scripts/build --llvm 16"));
        let other = examined(Some("/bin/clang"), Some(Err("undefined symbol".into())));
        assert!(!other.is_ready() && text(&other).contains("cannot be loaded: undefined symbol"));
        assert!(text(&examined(None, Some(Ok(())))).contains("apt-get install clang-16"));
    }
}
