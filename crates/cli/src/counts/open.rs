//! Opens the files that the user passes as a profile, and merges or converts them for the compiler.

use std::path::{Path, PathBuf};

use super::format::{Counted, Format};
use super::tools::{run, run_profdata};
use super::{Kind, Profile, ProfileTotals};
use crate::base::error::{Error, Result};
use crate::base::messages;
use crate::base::paths::Paths;
use crate::toolchain::find::{self, Toolchain};

impl Profile {
    /// Opens the profile in `files`, and converts it for the compilers of `toolchain` if necessary. Converted or merged
    /// files are written to `folder`. `program` is the executable that `perf` recorded.
    pub fn open(
        files: &[PathBuf],
        program: Option<&Path>,
        toolchain: &Toolchain,
        folder: &Path,
    ) -> Result<Self> {
        let files = self::files(files)?;
        let formats = files.iter().map(|file| Format::of_file(file)).collect::<Result<Vec<_>>>()?;
        if let Some((file, format)) = files.iter().zip(&formats).find(|(_, format)| !format.is_usable()) {
            return Err(unusable(file, *format, toolchain.version));
        }
        check_kinds(&files, &formats)?;
        let opener = Opener { files: &files, toolchain, folder };
        match formats.as_slice() {
            [Format::Indexed(_)] => opener.indexed(&files[0]),
            [Format::Samples] => opener.samples(&files[0]),
            [Format::Perf] => opener.samples(&opener.convert_perf(program)?),
            _ if formats.iter().all(|format| format.is_counted()) => opener.indexed(&opener.merge(&[])?),
            _ if formats.iter().all(|format| *format == Format::Samples) => {
                opener.samples(&opener.merge(&["--sample"])?)
            }
            _ => Err(Error::advice(
                "the profiles are of different kinds",
                "give only counts, only samples, or a single perf.data",
            )),
        }
    }
}

impl Format {
    fn is_usable(self) -> bool {
        self.is_counted() || matches!(self, Format::Samples | Format::Perf)
    }

    /// Returns true if a file in this format contains counts, and if `llvm-profdata merge` can read the file.
    fn is_counted(self) -> bool {
        self == Format::IndexedText || self.counted().is_some_and(|counted| counted != Counted::Coverage)
    }

    /// What the profile counts, if the beginning of the file contains it.
    fn counted(self) -> Option<Counted> {
        match self {
            Format::Indexed(counted) | Format::Raw(counted) => Some(counted),
            _ => None,
        }
    }
}

/// Returns an error if some of the profiles are front-end profiles and others are IR profiles.
fn check_kinds(files: &[PathBuf], formats: &[Format]) -> Result<()> {
    let mut counted = files.iter().zip(formats).filter_map(|(file, format)| Some((file, format.counted()?)));
    let Some((first, kind)) = counted.next() else { return Ok(()) };
    let Some((other, _)) = counted.find(|&(_, other)| other != kind) else { return Ok(()) };
    let [first, other] = [first, other].map(|file| Paths::new().shown(None, &file.to_string_lossy()));
    Err(Error::advice(
        format!(
            "{first} and {other} are profiles of different kinds: one is a front-end profile, the other an IR profile"
        ),
        "give profiles that were measured with the same option: -fprofile-instr-generate or -fprofile-generate",
    ))
}

/// Replaces each folder in `files` by the raw profiles in the folder.
pub fn files(files: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for file in files {
        let path = file.canonicalize().map_err(Error::read(file))?;
        if !path.is_dir() {
            all.push(path);
            continue;
        }
        let entries = std::fs::read_dir(&path).map_err(Error::read(file))?;
        let inside = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file());
        let is_raw = |path: &PathBuf| matches!(Format::of_file(path), Ok(Format::Raw(_)));
        let mut raw: Vec<PathBuf> = inside.filter(is_raw).collect();
        if raw.is_empty() {
            return Err(Error::advice(
                format!("there is no .profraw file in {}", file.display()),
                "an instrumented program writes this file when it exits; LLVM_PROFILE_FILE sets its path",
            ));
        }
        raw.sort();
        all.extend(raw);
    }
    Ok(all)
}

fn unusable(file: &Path, format: Format, version: u32) -> Error {
    let file = Paths::new().shown(None, &file.to_string_lossy());
    let instrument = "build with clang -fprofile-instr-generate (or rustc -Cprofile-generate=DIR), run the program, then: \
                      llvm-profdata merge *.profraw -o my.profdata";
    let (what, help) = match format {
        Format::Empty => (
            "is empty",
            "an instrumented program writes its counts when it calls exit or returns from main; a program that is \
             killed or calls _exit writes no counts; to write the counts while the program runs, build with \
             `-mllvm -runtime-counter-relocation` and run with LLVM_PROFILE_FILE=my%c.profraw"
                .to_string(),
        ),
        Format::GcovCounts | Format::GcovGraph => (
            "is a file of gcov, and no tool can convert such a file for clang or rustc",
            format!("{instrument}; or record with `perf record -b` and pass the perf.data with --binary PROGRAM"),
        ),
        Format::Indexed(Counted::Coverage) | Format::Raw(Counted::Coverage) => (
            "contains coverage, not counts",
            format!("remove options such as -pgo-function-entry-coverage from the build; {instrument}"),
        ),
        Format::Program => ("is a program, not a profile", instrument.to_string()),
        _ => (
            "is not a profile in a known format",
            format!(
                "known formats: .profdata and .profraw of LLVM {version}, samples (.prof) for -fprofile-sample-use, \
                 and perf.data; {instrument}"
            ),
        ),
    };
    Error::advice(format!("{file} {what}"), help)
}

struct Opener<'a> {
    files: &'a [PathBuf],
    toolchain: &'a Toolchain,
    folder: &'a Path,
}

impl Opener<'_> {
    /// The text that messages use for the user's profile: a file name, or the number of files. The text is singular.
    fn name(&self) -> String {
        match self.files {
            [one] => one.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            many => format!("the merge of {} files", many.len()),
        }
    }

    fn indexed(&self, path: &Path) -> Result<Profile> {
        let kind = match Format::of_file(path)? {
            Format::Indexed(Counted::Ir) => Kind::Ir,
            _ => Kind::Source,
        };
        let shown = run_profdata(self.toolchain, |command| command.arg("show").arg(path))?;
        let text = shown.map_err(|printed| self.unreadable(&printed))?;
        let totals = ProfileTotals::parse(&text);
        if totals.is_some_and(|totals| totals.functions == 0) {
            return Err(Error::advice(
                format!("{} contains no function", self.name()),
                "the program was not instrumented, or the linker removed the counters",
            ));
        }
        Profile::new(path, self.name(), kind, totals)
    }

    fn samples(&self, path: &Path) -> Result<Profile> {
        let shown = run_profdata(self.toolchain, |command| command.args(["show", "--sample"]).arg(path))?;
        let text = shown.map_err(|printed| self.unreadable(&printed))?;
        if text.is_empty() {
            return Err(Error::advice(format!("{} contains no sample", self.name()), "record a longer run"));
        }
        Profile::new(path, self.name(), Kind::Samples, None)
    }

    /// Merges all files into one profile.
    fn merge(&self, options: &[&str]) -> Result<PathBuf> {
        let merged = self.folder.join("merged.profdata");
        let done = run_profdata(self.toolchain, |command| {
            // A run that was killed leaves a truncated file, which must not make the other runs useless.
            command
                .args(["merge", "--failure-mode=all"])
                .args(options)
                .arg("-o")
                .arg(&merged)
                .args(self.files)
        })?;
        let warnings = done.map_err(|printed| self.unreadable(&printed))?;
        for line in warnings.lines().filter(|line| line.starts_with("warning: ")) {
            messages::plain(&format!("{line}\n"));
        }
        Ok(merged)
    }

    fn unreadable(&self, printed: &str) -> Error {
        let version = self.toolchain.version;
        let first = printed.lines().next().unwrap_or_default();
        let first = first.trim_start_matches("error: ").trim_start_matches("warning: ");
        let help = if printed.contains("version") {
            "a different LLVM version wrote the profile; select that version by --llvm N, or merge the .profraw files \
             with the compiler's version of llvm-profdata: llvm-profdata-N merge *.profraw -o my.profdata"
        } else {
            "the file may be truncated, or another tool wrote it; run the program and merge again: llvm-profdata \
             merge *.profraw -o my.profdata"
        };
        Error::advice(format!("LLVM {version} cannot read the profile: {first}"), help)
    }

    /// Converts a recording of perf with llvm-profgen.
    fn convert_perf(&self, program: Option<&Path>) -> Result<PathBuf> {
        let (version, recorded) = (self.toolchain.version, &self.files[0]);
        let Some(program) = program else {
            return Err(Error::advice(
                format!("{} contains addresses; to find source lines, bpa needs the program", self.name()),
                "pass the recorded program with --binary PROGRAM (built with -gline-tables-only or -g)",
            ));
        };
        let profgen = find::tool(version, "llvm-profgen").ok_or_else(|| {
            Error::advice(
                format!(
                    "llvm-profgen of LLVM {version} is needed to convert {}, and is not installed",
                    self.name()
                ),
                format!("install it: apt-get install llvm-{version}"),
            )
        })?;
        let program = program.canonicalize().map_err(Error::read(program))?;
        let out = self.folder.join("perf.prof");
        let done = run(&profgen, |command| {
            command.arg(format!("--perfdata={}", recorded.display()));
            command.arg(format!("--binary={}", program.display())).arg(format!("--output={}", out.display()));
            command.current_dir(self.folder)
        })?;
        let has_samples = std::fs::metadata(&out).is_ok_and(|metadata| metadata.len() > 0);
        match done {
            Ok(_) if has_samples => Ok(out),
            other => Err(self.not_converted(&other.err().unwrap_or_default())),
        }
    }

    /// The error for a recording of perf for which llvm-profgen prints `text` and writes no samples.
    fn not_converted(&self, text: &str) -> Error {
        let name = self.name();
        let error = text.lines().find_map(|line| line.split_once("error: ")).map(|(_, error)| error);
        let message = match error.or(text.lines().next()) {
            Some(error) if error.starts_with("Invalid perf script input") => {
                format!("{name} has no branch records")
            }
            other => {
                format!("llvm-profgen cannot convert {name}: {}", other.unwrap_or("the file has no samples"))
            }
        };
        let build = match text.contains("no binary functions") {
            true => "build the program with -gline-tables-only or -g, because it has no debug information; ",
            false => "",
        };
        let record =
            "record branches: perf record -b ./PROGRAM, on a processor that has branch records (Intel LBR, \
                      AMD LbrExtV2 or BRS; virtual machines mostly have none); otherwise instrument: clang \
                      -fprofile-instr-generate";
        Error::advice(message, format!("{build}{record}"))
    }
}
