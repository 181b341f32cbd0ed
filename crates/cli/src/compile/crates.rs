//! Runs rustc to compile the crates of cargo projects to bitcode.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{profiled, rustc_flags};
use crate::base::error::{Error, Result};
use crate::base::input::BuildCommand;
use crate::base::process;
use crate::compile::cargo::record::NO_LINKER;
use crate::compile::{no_rustc, Compiler};
use crate::toolchain::find::{self, Toolchain};
use crate::toolchain::opt::Stage;

/// A command that runs rustc with the arguments of `build`, and with debug information.
pub fn rustc(build: &BuildCommand) -> Result<Command> {
    let rustc = match &build.compiler {
        Some(compiler) => compiler.clone(),
        None => find::rustc().ok_or_else(no_rustc)?.0,
    };
    let mut command = Command::new(rustc);
    command.current_dir(&build.directory).envs(&build.environment).args(&build.arguments);
    command.args(["--cap-lints=allow", "--color=never", "-Cdebuginfo=line-tables-only"]);
    Ok(command)
}

/// A command that compiles the crate of `build` to one module. The caller adds the options for the output.
pub fn command(build: &BuildCommand, stage: Stage, given: &[String]) -> Result<Command> {
    let mut command = rustc(build)?;
    command.arg("-Ccodegen-units=1");
    if stage == Stage::Source {
        command.arg("-Cno-prepopulate-passes");
    }
    command.args(given);
    Ok(command)
}

/// Compiles a crate with a measured profile. Writes to `out` the IR at the point where LLVM has just read the profile,
/// because all counts are exact at this point. Writes a makefile to `rules`, with the names of all files that rustc
/// reads. Returns rustc's messages.
pub fn profiled(
    compiler: &Compiler,
    build: &BuildCommand,
    profile: &Path,
    out: &Path,
    rules: &Path,
) -> Result<String> {
    let (dumps, folder) = (out.with_extension("dumps"), out.with_extension("build"));
    std::fs::create_dir_all(&folder).map_err(Error::write(&folder))?;
    let when = if compiler.stage == Stage::BeforeProfile { "before" } else { "after" };
    let mut command = with_profile(build, profile, &folder, &dumps, rules, when)?;
    command.args(compiler.flags);
    let program = PathBuf::from(command.get_program());
    let done = process::output(&mut command).map_err(|source| Error::Run { program, source })?;
    let text = String::from_utf8_lossy(&anstream::adapter::strip_bytes(&done.stderr).into_vec()).into_owned();
    if !done.status.success() {
        return Err(Error::advice(format!("rustc fails:\n{}", text.trim_end()), ""));
    }
    link(&compiler.opt.toolchain, &dumps, out)?;
    let _ = std::fs::remove_dir_all(&folder);
    Ok(summary(&text))
}

/// The messages of rustc about a profile. A single line replaces the messages about all changed functions.
fn summary(text: &str) -> String {
    match text.matches("(hash mismatch)").count() {
        0 => text.to_string(),
        1 => "note: 1 function has changed since the profile was measured, and has no counts".to_string(),
        count => {
            format!("note: {count} functions have changed since the profile was measured, and have no counts")
        }
    }
}

/// This flag leaves code generation and all passes after module simplification to the linker. These steps never run,
/// because bpa does not link. The flag does not change the modules before these steps, and reduces the time of a
/// compilation by at least one half.
pub const NO_CODE: &str = "-Clinker-plugin-lto";

/// A command that runs rustc with a measured profile. The command prints one module per codegen unit to `dumps`. `when`
/// is `before` or `after`, as in [`printing`].
///
/// LLVM inlines functions before it reads a profile, and this inlining depends on the division of the crate into
/// codegen units. Therefore rustc must divide the crate into the same codegen units as in the build. If rustc did
/// not link, its codegen units would differ from the codegen units of the build. Therefore, if the crate has several
/// codegen units, rustc also runs the linker. This executable serves as the linker, and links nothing.
fn with_profile(
    build: &BuildCommand,
    profile: &Path,
    folder: &Path,
    dumps: &Path,
    rules: &Path,
    when: &str,
) -> Result<Command> {
    let mut command = rustc(build)?;
    let form = match rustc_flags::codegen_units(&build.arguments) {
        Some(1) => "llvm-bc",
        _ => {
            let nothing =
                std::env::current_exe().map_err(|source| Error::Run { program: "bpa".into(), source })?;
            command.env(NO_LINKER, "1").arg(format!("-Clinker={}", nothing.display()));
            "link"
        }
    };
    command.arg(format!("--emit={form},dep-info={}", rules.display())).arg("--out-dir").arg(folder);
    command.arg(NO_CODE).arg(format!("-Cprofile-use={}", profile.display()));
    command.args(printing(when, dumps));
    Ok(command)
}

/// Flags that print modules to `dumps`. If `when` is `before`, the modules are printed only before the pass that reads
/// the profile. If `when` has another value, the modules are printed before and after the pass. Branch weights
/// before the pass are not counts.
pub fn printing(when: &str, dumps: &Path) -> Vec<String> {
    let moments: &[&str] = if when == "before" { &["before"] } else { &["before", "after"] };
    let mut flags: Vec<String> = moments.iter().map(|when| format!("-print-{when}=pgo-instr-use")).collect();
    flags.push(format!("-ir-dump-directory={}", dumps.display()));
    flags.extend(["-print-module-scope", profiled::EXACT_ENTRY_COUNTS].map(String::from));
    flags.iter().map(|flag| format!("-Cllvm-args={flag}")).collect()
}

/// The modules to analyse: the IR of each module before the pass that reads the profile. If `modules` also contains the
/// IR after this pass, the profile counts are copied from there into the IR before the pass.
fn measured_modules(modules: Vec<PathBuf>) -> Result<Vec<PathBuf>> {
    let is_after = |path: &PathBuf| path.to_string_lossy().ends_with("-after.ll");
    let (after, before): (Vec<PathBuf>, Vec<PathBuf>) = modules.into_iter().partition(is_after);
    if after.is_empty() {
        return Ok(before);
    }
    let read = |path: &Path| std::fs::read_to_string(path).map_err(Error::read(path));
    let name = |text: &str| text.lines().find(|line| line.starts_with("; ModuleID")).map(String::from);
    let before: Vec<String> = before.iter().map(|path| read(path)).collect::<Result<_>>()?;
    let before: HashMap<_, _> = before.into_iter().map(|text| (name(&text), text)).collect();
    for path in &after {
        let text = read(path)?;
        if let Some(before) = before.get(&name(&text)) {
            let text = crate::counts::transfer::with_counts(before, &text);
            std::fs::write(path, text).map_err(Error::write(path))?;
        }
    }
    Ok(after)
}

/// Links the modules that rustc has printed to the directory `dumps`. Writes the linked module to `out`.
pub fn link(toolchain: &Toolchain, dumps: &Path, out: &Path) -> Result<()> {
    let entries = std::fs::read_dir(dumps).map_err(Error::read(dumps))?;
    let mut modules: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    modules.sort();
    let modules = measured_modules(modules)?;
    if let [module] = modules.as_slice() {
        return std::fs::rename(module, out).map_err(Error::write(out));
    }
    let program = find::tool(toolchain.version, "llvm-link").ok_or_else(|| {
        let version = toolchain.version;
        Error::advice(
            format!("llvm-link of LLVM {version} is not installed"),
            format!("install it: apt-get install llvm-{version}"),
        )
    })?;
    let done = process::output(Command::new(&program).args(&modules).arg("-o").arg(out));
    let done = done.map_err(|source| Error::Run { program, source })?;
    match done.status.success() {
        true => Ok(()),
        false => Err(Error::advice(
            format!(
                "llvm-link cannot link the codegen units:\n{}",
                String::from_utf8_lossy(&done.stderr).trim_end()
            ),
            "set codegen-units = 1 in the build profile, and measure again",
        )),
    }
}
