//! Runs clang.

use std::path::Path;
use std::process::Command;

use super::{foreign, profiled, run, Compiler};
use crate::base::error::{Cause, Error, Result};
use crate::base::input::{BuildCommand, Input, Language};
use crate::base::paths::Paths;
use crate::counts;
use crate::toolchain::opt::Stage;

/// The flags that make clang write bitcode.
pub(super) const BITCODE: &[&str] = &["-emit-llvm", "-c"];

/// The maximum number of folders in which bpa looks for a Makefile or build.ninja. The folders are the working
/// directory of the build command and the ancestors of this directory.
const MOST_LEVELS: usize = 4;

/// The maximum number of runs of clang for one input. Each run omits the flags that clang refused in earlier runs.
const MOST_ATTEMPTS: usize = 20;

impl Compiler<'_> {
    /// Writes the bitcode of `input` to `out`. Writes the makefile `rules`, which lists all files that clang reads.
    /// Returns clang's messages, and the build flags that clang refused.
    pub(super) fn run_clang(
        &self,
        input: &Input,
        out: &Path,
        rules: &Path,
    ) -> Result<(String, foreign::Flags)> {
        let mut refused = foreign::Flags::new();
        for _ in 0..MOST_ATTEMPTS {
            let build = self.refused.known(input.flags());
            let instrumented =
                self.profile.and_then(|profile| profiled::instrumented(profile, self.stage, out));
            let mut command = self.clang_with(input, &build, BITCODE)?;
            if let Some(profile) = self.profile {
                command.args(profiled::flags(profile, input.language, self.stage, out)?);
            }
            if self.stage == Stage::Audit {
                let file = profiled::audit_file(out);
                command.arg(format!("-fpass-plugin={}", self.opt.plugin.display()));
                command
                    .env("BPA_PIPELINE", format!("audit<json;limit={};output={}>", u32::MAX, file.display()));
            }
            if build.iter().any(|flag| flag == "-fmodules" || flag == "-fcxx-modules") {
                // The default folder for the modules that clang compiles is in the user's cache.
                command.arg(format!("-fmodules-cache-path={}", out.with_extension("modules").display()));
            }
            command.args(["-MD", "-fmodule-file-deps", "-MT", "x", "-MF"]).arg(rules).arg("-o").arg(out);
            let (done, text) = run(command)?;
            if done.status.success() {
                if let Some((path, flags)) = instrumented {
                    let mut command = self.clang_with(input, &build, BITCODE)?;
                    command.args(flags).arg("-o").arg(path);
                    let (done, text) = run(command)?;
                    if !done.status.success() {
                        return Err(failure(input, &text));
                    }
                } else if self.stage == Stage::Source {
                    profiled::make_source_branches(self.opt, None, self.stage, out)?;
                }
                return Ok((text, refused));
            }
            let more = self.refused.add(&build, &text);
            if more.is_empty() {
                return Err(failure(input, &text));
            }
            refused.extend(more);
        }
        Err(failure(input, "clang refuses too many flags of the build"))
    }

    /// Returns true if the analysed module is the output of clang's front end before any optimisation.
    fn is_unoptimised(&self) -> bool {
        match self.stage {
            Stage::Source => true,
            Stage::Profile => self.profile.is_some_and(|profile| profile.kind == counts::Kind::Source),
            Stage::BeforeProfile | Stage::Optimised | Stage::Audit => false,
        }
    }

    /// The command that prints the preprocessed `input` with all definitions of macros.
    pub fn preprocessor(&self, input: &Input) -> Result<Command> {
        self.clang_with(input, &self.refused.known(input.flags()), &["-E", "-dD", "-P"])
    }

    /// The command that compiles `input`. `build` contains the flags of the build, and the flags in `form` select the
    /// output.
    pub(super) fn clang_with(&self, input: &Input, build: &[String], form: &[&str]) -> Result<Command> {
        let clang = self.opt.toolchain.clang()?;
        let mut command = Command::new(clang);
        if input.language == Language::Cxx {
            command.arg("--driver-mode=g++");
        }
        if let Some(BuildCommand { directory, .. }) = &input.command {
            command.current_dir(directory);
        }
        // A flag `-w` of the build would turn off the warnings about the profile. A flag such as `-Werror=unused` is
        // intended for the warnings of the compiler of the build, and another compiler has other warnings.
        let is_about_warnings =
            |flag: &str| flag == "-w" || flag.starts_with("-Werror=") || flag == "-pedantic-errors";
        let is_kept = |flag: &&String| !profiled::is_instrumentation(flag) && !is_about_warnings(flag);
        let build: Vec<&String> = build.iter().filter(is_kept).collect();
        let level = optimisation_level(build.iter().copied().chain(self.flags));
        if level.is_none() {
            command.arg("-O2");
        }
        command.args(build);
        // Source positions and value names improve the output of bpa. `-w` turns off warnings, because the build can
        // use flags of another compiler.
        command.args(["-gline-tables-only", "-gcolumn-info", "-fno-discard-value-names"]);
        if self.profile.is_none() {
            command.arg("-w");
        }
        command.args(["-Qunused-arguments", "-fno-color-diagnostics"]).args(form);
        if self.is_unoptimised() {
            // For lifetime markers at the exits of loops and scopes, clang generates switches without counters.
            command.args(["-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-lifetime-markers"]);
        }
        if let Some(overlay) = self.overlay {
            // All errors are needed: they name the edits that cannot be compiled.
            command.args(["-ferror-limit=0", "-ivfsoverlay"]).arg(overlay);
        }
        command.args(self.flags);
        // At -O0, clang ignores the hints in the source.
        if self.is_unoptimised() && level == Some("0") {
            command.arg("-O1");
        }
        if input.is_header() {
            command.args(["-x", if input.language == Language::Cxx { "c++" } else { "c" }]);
        }
        command.arg(&input.path);
        Ok(command)
    }
}

/// The error for an `input` that clang rejects with the output `text`. If the input belongs to a build and a file is
/// missing, the advice is to build the project, because the build possibly generates the file.
fn failure(input: &Input, text: &str) -> Error {
    let without_help = Error::compile(input, text, "");
    if text.contains("unknown target triple") {
        return Error::compile(input, text, "name a target that clang knows: -- --target=TRIPLE");
    }
    let help = match &input.command {
        None => "flags for the compiler go after two dashes: bpa ... FILE -- -Iinclude -DNAME".to_string(),
        Some(build) if matches!(without_help.cause(), Some(Cause::Missing(_))) => {
            let command = how_to_build(&build.directory, &Paths::new()).map(|command| format!(": {command}"));
            format!(
                "if the build generates the missing files, build the project first{}",
                command.unwrap_or_default()
            )
        }
        Some(_) => return without_help,
    };
    Error::compile(input, text, &help)
}

/// The command that builds the project, for example `make -C DIRECTORY`. `directory` is the working directory of the
/// compiler.
fn how_to_build(directory: &Path, paths: &Paths) -> Option<String> {
    let tools = [("build.ninja", "ninja"), ("Makefile", "make")];
    let folders = || directory.ancestors().take(MOST_LEVELS);
    let (tool, folder) = tools.into_iter().find_map(|(file, tool)| {
        // The Makefile in the outermost folder builds the whole project.
        let found = folders().filter(|folder| folder.join(file).is_file());
        Some((tool, found.last()?))
    })?;
    // `shown` returns an empty path for the current directory.
    Some(match paths.shown(None, &folder.display().to_string()).as_str() {
        "" => tool.to_string(),
        shown => format!("{tool} -C {shown}"),
    })
}

/// The optimisation level in the flags of a compiler, for example `2` for `-O2`.
pub fn optimisation_level<'a>(flags: impl DoubleEndedIterator<Item = &'a String>) -> Option<&'a str> {
    flags.rev().find_map(|flag| flag.strip_prefix("-O"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::cache::Store;
    use crate::toolchain::find::Toolchain;
    use crate::toolchain::opt::Opt;

    fn words(stage: Stage, flags: &[&str], build: &[&str]) -> Vec<String> {
        let owned = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
        let toolchain = Toolchain { version: 16, opt: "opt".into(), clang: Some("clang".into()) };
        let opt = Opt { toolchain, plugin: "libbpa.so".into() };
        let command = BuildCommand { directory: "/".into(), arguments: owned(build), ..Default::default() };
        let input = Input { path: "/a.c".into(), language: Language::C, command: Some(command) };
        let (flags, store) = (owned(flags), Store::new(None, 0));
        let refused = Default::default();
        let compiler = Compiler {
            opt: &opt,
            flags: &flags,
            profile: None,
            edition: "2021",
            stage,
            overlay: None,
            store: &store,
            refused: &refused,
        };
        let command = compiler.clang_with(&input, input.flags(), &["-c"]).expect("clang is installed");
        command.get_args().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn only_missing_files_lead_to_the_advice_to_build() {
        let folder = std::env::current_dir().expect("a directory");
        let command = BuildCommand { directory: folder, ..Default::default() };
        let mut input = Input { path: "/a.c".into(), language: Language::C, command: Some(command) };
        let help = |input: &Input, text| failure(input, text).help().to_string();
        assert!(help(&input, "a.c:1:1: fatal error: 'x.h' file not found").contains("build the project"));
        assert_eq!(help(&input, "error: unknown argument: '-gline-tables-only'"), "");
        input.command = None;
        assert!(help(&input, "a.c:1:1: error: unknown type").contains("two dashes"));
    }

    #[test]
    fn a_build_in_the_current_directory_needs_no_path() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("Makefile"), "all:\n").expect("a file");
        let from = |current: &Path| how_to_build(folder.path(), &Paths::relative_to(current.into()));
        assert_eq!(from(folder.path()).as_deref(), Some("make"));
        assert_eq!(from(&folder.path().join("sub")).as_deref(), Some("make -C .."));
    }

    #[test]
    fn a_given_optimisation_level_replaces_the_default() {
        assert!(
            words(Stage::Optimised, &[], &["-Iinc"]).starts_with(&["-O2".to_string(), "-Iinc".to_string()])
        );
        for (flags, build) in [(&["-O1"] as &[_], &[] as &[_]), (&[], &["-Os"])] {
            assert!(!words(Stage::Optimised, flags, build).contains(&"-O2".to_string()));
        }
    }

    #[test]
    fn the_users_flags_come_last() {
        let words = words(Stage::Optimised, &["-DX"], &["-DY"]);
        assert_eq!(words[words.len() - 2..], ["-DX", "/a.c"]);
    }

    #[test]
    fn the_source_stage_raises_o0_to_keep_hints() {
        for (level, last) in [("-O0", "-O1"), ("-O2", "-O2")] {
            let words = words(Stage::Source, &[level], &[]);
            assert_eq!(words[words.len() - 2..], [last, "/a.c"]);
        }
    }
}
