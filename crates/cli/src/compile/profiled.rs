//! Stops the compiler right after it has read the profile.
//!
//! | profile | reader | analysed module |
//! | --- | --- | --- |
//! | front end | clang, while it generates IR | this IR after passes that remove stack slots and keep each edge |
//! | IR | the pass `pgo-instr-use` | the module after that pass, printed by `-print-after=` |
//! | samples | the pass `sample-profile` | the module after that pass, printed by `-print-after=` |
//!
//! Modules are stored as text, although the file names end in `.bc`. LLVM detects the format from the content.

use std::path::{Path, PathBuf};

use crate::base::demangle;
use crate::base::error::{Error, Result};
use crate::base::input::{Input, Language};
use crate::counts::{ir_text, transfer, Kind, Profile};
use crate::toolchain::opt::Opt;
use crate::toolchain::opt::Stage;

/// The options of the warnings about unused parts of a profile.
const WARNINGS: [&str; 2] = ["-Wprofile-instr-out-of-date", "-Wbackend-plugin"];

/// Formats warnings so that [`warnings`] can select [`WARNINGS`]. `-Wno-everything` is no alternative: it also turns
/// off the errors that clang classifies as warnings, for example the error about an undeclared function. `-Wno-error`
/// overrides a `-Werror` of the build.
const ONE_LINE: [&str; 3] = ["-Wno-error", "-fdiagnostics-show-option", "-fno-caret-diagnostics"];

/// Without this flag, LLVM changes profiled entry counts to match the block frequencies. LLVM 14 to 18 change some
/// entry counts by 1% or more.
pub const EXACT_ENTRY_COUNTS: &str = "-pgo-fix-entry-count=false";

/// The first LLVM version that uses sample counts unchanged as weights and entry counts. LLVM 14 to 19 add 1 to each
/// count. It is unknown whether LLVM 20 and 21 add 1; bpa assumes that they do.
const SAMPLES_AS_THEY_ARE: u32 = 22;

/// Returns true if `flag` enables instrumentation or another profile.
pub fn is_instrumentation(flag: &str) -> bool {
    let beginnings = [
        "-fprofile-",
        "-fcs-profile-",
        "-fcoverage-",
        "-fauto-profile",
        "-ftest-coverage",
        "--coverage",
        "-fmemory-profile",
        "-Cprofile-",
        "-Cinstrument-coverage",
    ];
    beginnings.iter().any(|beginning| flag.starts_with(beginning))
}

/// The flags with which a compiler reads `profile`. If `stage` is `BeforeProfile` or `Profile`, and a pass reads the
/// profile, the flags also make the compiler print the module at this stage. rustc prints several modules, each to a
/// file in a folder beside `out`.
pub fn flags(profile: &Profile, language: Language, stage: Stage, out: &Path) -> Result<Vec<String>> {
    let path = profile.path.display();
    if language == Language::Rust {
        if profile.kind != Kind::Ir {
            return Err(Error::advice(
                format!("rustc cannot read {}, because it is a {}", profile.name, profile.kind.name()),
                "rustc -O -Cprofile-generate=DIR my.rs && ./my && llvm-profdata merge DIR/*.profraw -o my.profdata",
            ));
        }
        let mut flags = vec![format!("-Cprofile-use={path}")];
        if let Some(when) = moment(stage) {
            let folder = dump_folder(out);
            std::fs::create_dir_all(&folder).map_err(Error::write(&folder))?;
            flags.extend(crate::compile::crates::printing(when, &folder));
        }
        return Ok(flags);
    }
    let mut flags = match profile.kind {
        Kind::Source | Kind::Ir => vec![format!("-fprofile-use={path}")],
        Kind::Samples => vec![format!("-fprofile-sample-use={path}"), "-fdebug-info-for-profiling".into()],
    };
    if let Some(pass) = reading_pass(profile.kind).filter(|_| stage == Stage::Profile) {
        let printing =
            [format!("-print-before={pass}"), format!("-print-after={pass}"), "-print-module-scope".into()];
        flags.extend(printing.into_iter().flat_map(|flag| ["-mllvm".into(), flag]));
    }
    // An audit is about the code that the user compiles.
    if profile.kind == Kind::Ir && stage != Stage::Audit {
        flags.extend(["-mllvm".into(), EXACT_ENTRY_COUNTS.into()]);
    }
    flags.extend(ONE_LINE.iter().chain(&WARNINGS).map(|flag| flag.to_string()));
    Ok(flags)
}

/// For a front-end profile, returns the path of the instrumented module, and the flags with which clang generates this
/// module. The path is beside `out`. Returns `None` if no instrumented module is necessary.
pub fn instrumented(profile: &Profile, stage: Stage, out: &Path) -> Option<(PathBuf, Vec<String>)> {
    if profile.kind != Kind::Source || matches!(stage, Stage::Optimised | Stage::Audit) {
        return None;
    }
    let flags = ["-Xclang", "-fprofile-instrument=clang", "-w"].map(String::from).to_vec();
    Some((out.with_file_name(INSTRUMENTED), flags))
}

/// Specifies whether rustc prints its modules `before` or `after` the pass that reads the profile. Returns `None` if
/// rustc does not print its modules.
fn moment(stage: Stage) -> Option<&'static str> {
    match stage {
        Stage::BeforeProfile => Some("before"),
        Stage::Profile | Stage::Audit => Some("after"),
        Stage::Source | Stage::Optimised => None,
    }
}

/// The pass that reads a profile of `kind`. No pass reads a front-end profile: clang's front end reads it.
fn reading_pass(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Source => None,
        Kind::Ir => Some("pgo-instr-use"),
        Kind::Samples => Some("sample-profile"),
    }
}

/// The folder in which rustc writes the printed modules.
fn dump_folder(out: &Path) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_os_string();
    name.push(".modules");
    out.with_file_name(name)
}

/// The names of files beside the analysed module. They are options of a pass, so they contain no special characters.
const INSTRUMENTED: &str = "instrumented.bc";
const PROFDATA: &str = "front-end.profdata";
const UNKNOWN: &str = "unknown-counts";

/// A successful compilation with a profile.
pub struct Compiled<'a> {
    pub profile: &'a Profile,
    pub stage: Stage,
    pub opt: &'a Opt,
    pub input: &'a Input,
    /// The file that the compiler has written.
    pub out: &'a Path,
    /// The standard error output of the compiler.
    pub printed: &'a str,
}

/// The compiler has written a module to the file `out`. Replaces this module by the module at `stage`, and converts
/// branch weights to counts if necessary. Returns the compiler's warnings, one per line.
pub fn finish(compiled: &Compiled) -> Result<String> {
    let Compiled { profile, stage, opt, input, out, printed } = compiled;
    let mut split = ir_text::split(printed);
    let module = match (profile.kind, stage) {
        (_, Stage::Optimised) => None,
        (_, Stage::Audit) if input.language.takes_clang() => {
            std::fs::rename(audit_file(out), out).map_err(|_| no_audit(input))?;
            None
        }
        (Kind::Source, _) => {
            for symbol in make_source_branches(opt, Some(profile), *stage, out)?.lines() {
                let text = format!(
                    "warning: the counts of {} are unknown: it is a coroutine, its branches do not match its \
                     counters, or its counters contradict each other (a program with threads needs \
                     -fprofile-update=atomic)\n",
                    demangle::called(symbol)
                );
                split.messages.push_str(&text);
            }
            None
        }
        (_, Stage::Source) => None,
        _ if input.language == Language::Rust => {
            return crate::compile::crates::link(&opt.toolchain, &dump_folder(out), out)
                .map(|()| warnings(&split.messages).join("\n"))
        }
        (kind, Stage::BeforeProfile | Stage::Profile | Stage::Audit) => {
            Some(match (kind, &split.before, &split.after) {
                (Kind::Ir, Some(before), Some(after)) => transfer::with_counts(before, after),
                (Kind::Samples, _, Some(after)) if opt.toolchain.version < SAMPLES_AS_THEY_ARE => {
                    ir_text::with_weights_less_one(after)
                }
                (Kind::Samples, _, Some(after)) => after.clone(),
                _ => return Err(not_read(input)),
            })
        }
    };
    if let Some(module) = module {
        std::fs::write(out, module).map_err(Error::write(out))?;
    }
    Ok(warnings(&split.messages).join("\n"))
}

/// The file to which the plugin writes the report of an audit.
pub fn audit_file(out: &Path) -> PathBuf {
    out.with_extension("audit")
}

fn no_audit(input: &Input) -> Error {
    Error::advice(
        format!("the compiler compiled {} without a pipeline to audit", input.shown()),
        "remove flags such as -Xclang -disable-llvm-passes",
    )
}

fn not_read(input: &Input) -> Error {
    Error::advice(
        format!("the compiler compiled {} without the profile", input.shown()),
        "if the build has a flag that turns profiles off, add the opposite flag after --",
    )
}

/// Gives the branches of the module `out`, the output of clang's front end, the form of the source. If `profile` is a
/// front-end profile, the branches also get its counts; [`instrumented`] has the path of the instrumented module.
/// Returns the names of the functions whose counts are unknown, one per line. At the stage `Profile`, also promotes stack
/// slots to registers, and keeps each edge.
pub fn make_source_branches(
    opt: &Opt,
    profile: Option<&Profile>,
    stage: Stage,
    out: &Path,
) -> Result<String> {
    let folder = out.parent().unwrap_or(Path::new(""));
    let mut options = String::new();
    if let Some(profile) = profile {
        // The path of the profile can contain characters that the option of a pass cannot contain.
        let link = folder.join(PROFDATA);
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(&profile.path, &link).map_err(Error::write(&link))?;
        options = format!("profile={PROFDATA};instrumented={INSTRUMENTED};");
    }
    // Before LLVM 16, sroa has no option `preserve-cfg`, and never changes the control flow.
    let promotion = match (stage, opt.toolchain.version) {
        (Stage::Profile, 16..) => ",function(sroa<preserve-cfg>,early-cse)",
        (Stage::Profile, _) => ",function(sroa,early-cse)",
        _ => "",
    };
    let passes = format!("rust-source-branches<{options}output={UNKNOWN}>{promotion}");
    let unknown = opt.change(&passes, out, folder, UNKNOWN)?;
    Ok(String::from_utf8_lossy(&unknown).into_owned())
}

/// The compiler's warnings about the profile, without the names of warning options. rustc prints no such names.
fn warnings(messages: &str) -> Vec<String> {
    let line = |line: &str| {
        let (_, text) = line.split_once("warning: ")?;
        let text = match WARNINGS.iter().find_map(|option| text.strip_suffix(&format!(" [{option}]"))) {
            None if text.contains(" [-W") => return None,
            about_profile => about_profile.unwrap_or(text),
        };
        let is_count = text.ends_with("warnings emitted") || text.ends_with("warning emitted");
        (!is_count).then(|| format!("warning: {text}"))
    };
    messages.lines().filter_map(line).collect()
}

/// Returns `warnings` with the path of `input` relative to the current directory. If a warning does not contain the
/// path of `input`, the path is added to the warning.
pub fn named_warnings(input: &Input, warnings: &str) -> String {
    let (file, shown) = (input.path.display().to_string(), input.shown());
    let line = |line: &str| match line.strip_prefix("warning: ") {
        Some(text) if !text.contains(&file) => format!("warning: {shown}: {text}"),
        _ => line.replace(&file, &shown),
    };
    warnings.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::input::BuildCommand;

    fn input() -> Input {
        Input { path: "a.c".into(), language: Language::C, command: None }
    }

    #[test]
    fn warnings_name_the_file_once() {
        let printed = "warning: profile data may be out of date: of 2 functions, \
                       1 has mismatched data that will be ignored [-Wprofile-instr-out-of-date]\n\
                       a.c:3:9: warning: unused variable 'x' [-Wunused-variable]\n\
                       warning: a.c: function control flow change detected\n\
                       2 warnings generated.\n";
        let lines = named_warnings(&input(), &warnings(printed).join("\n"));
        assert_eq!(
            lines,
            "warning: a.c: profile data may be out of date: of 2 functions, \
             1 has mismatched data that will be ignored\n\
             warning: a.c: function control flow change detected"
        );
    }

    #[test]
    fn warnings_name_the_file_relative_to_the_current_directory() {
        let directory = std::env::current_dir().expect("a directory").join("sub");
        let command = Some(BuildCommand { directory, ..BuildCommand::default() });
        let input = Input { command, ..input() };
        assert_eq!(
            named_warnings(&input, "warning: out of date\nwarning: a.c: changed"),
            "warning: sub/a.c: out of date\nwarning: sub/a.c: changed"
        );
    }

    #[test]
    fn instrumentation_flags_are_recognized() {
        for flag in ["-fprofile-instr-generate", "-fprofile-generate=/d", "-fcoverage-mapping", "--coverage"]
        {
            assert!(is_instrumentation(flag), "{flag}");
        }
        assert!(!is_instrumentation("-fno-exceptions") && !is_instrumentation("-O2"));
    }

    #[test]
    fn rustc_takes_ir_profiles_only() {
        let content = crate::toolchain::cache::KeyBuilder::new("test").finish();
        let profile = |kind| Profile { path: "/p".into(), name: "p".into(), kind, totals: None, content };
        let flags = |kind| flags(&profile(kind), Language::Rust, Stage::Optimised, Path::new("/o.bc"));
        assert_eq!(flags(Kind::Ir).expect("an IR profile"), ["-Cprofile-use=/p"]);
        assert!(flags(Kind::Source).expect_err("rustc cannot").to_string().contains("front-end profile"));
    }
}
