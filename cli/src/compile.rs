//! Makes bitcode of what is given.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

use crate::error::{Error, Result};
use crate::find::{self, Toolchain};
use crate::input::{BuildCommand, Input, Language};
use crate::progress::progress;

/// How to compile.
pub struct Compiler<'a> {
    pub toolchain: &'a Toolchain,
    /// Flags of the user's, which come last.
    pub flags: &'a [String],
    pub profile: Option<&'a Path>,
    pub stage: Stage,
    /// What clang reads instead of files on the disk.
    pub overlay: Option<&'a Path>,
}

/// How far a program is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// As clang makes it of the source, for the level of optimisation that is asked for: each branch once, hints as they are.
    Source,
    Optimised,
}

impl Compiler<'_> {
    /// Compiles `inputs` to bitcode in `folder`, as many at a time as there are processors.
    pub fn compile_all(&self, inputs: &[Input], folder: &Path) -> Vec<Result<PathBuf>> {
        let workers = std::thread::available_parallelism().map_or(1, usize::from).min(inputs.len());
        let (next, progress) = (AtomicUsize::new(0), progress(inputs.len(), "compiling"));
        let results = Mutex::new(Vec::new());
        let work = || {
            while let Some((place, input)) =
                Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|place| Some((place, inputs.get(place)?)))
            {
                let own = folder.join(place.to_string());
                let made = std::fs::create_dir_all(&own).map_err(Error::write(&own));
                let done = made.and_then(|()| self.compile(input, &own.join(bitcode_name(input))));
                progress.inc(1);
                results.lock().expect("no worker panics").push((place, done));
            }
        };
        std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
        progress.finish_and_clear();
        let mut results = results.into_inner().expect("no worker panics");
        results.sort_by_key(|(place, _)| *place);
        results.into_iter().map(|(_, done)| done).collect()
    }

    /// The bitcode of `input`, written to `out` unless it is there already.
    pub fn compile(&self, input: &Input, out: &Path) -> Result<PathBuf> {
        let mut command = match input.language {
            Language::Ir => return absolute(&input.path),
            Language::Rust => self.rustc(input)?,
            Language::C | Language::Cxx => self.clang(input, &["-emit-llvm", "-c"])?,
        };
        command.arg("-o").arg(out);
        let program = PathBuf::from(command.get_program());
        let done = command.output().map_err(|source| Error::Run { program: program.clone(), source })?;
        let said = String::from_utf8_lossy(&done.stderr);
        if done.status.success() {
            anstream::eprint!("{said}");
            return Ok(out.into());
        }
        Err(Error::advice(
            format!("{} cannot compile {}:\n{}", program.display(), input.path.display(), said.trim_end()),
            "flags for the compiler go after two dashes: bpa ... FILE -- -Iinclude -DNAME",
        ))
    }

    /// Prints clang's syntax tree of `input` as JSON.
    pub fn syntax_tree(&self, input: &Input) -> Result<Command> {
        self.clang(input, &["-Xclang", "-ast-dump=json", "-fsyntax-only"])
    }

    /// Compiles `input` to what `form` says.
    fn clang(&self, input: &Input, form: &[&str]) -> Result<Command> {
        let clang = self.toolchain.clang()?;
        let mut command = Command::new(clang);
        if input.language == Language::Cxx {
            command.arg("--driver-mode=g++");
        }
        let build: &[String] = match &input.command {
            Some(BuildCommand { directory, arguments }) => {
                command.current_dir(directory);
                arguments
            }
            None => &[],
        };
        let level = build.iter().chain(self.flags).rfind(|flag| is_optimisation_level(flag));
        if level.is_none() {
            command.arg("-O2");
        }
        command.args(build);
        // Positions; names, which say more than numbers do; and no complaint about flags of other compilers.
        command.args(["-gline-tables-only", "-gcolumn-info", "-fno-discard-value-names", "-w"]);
        command.arg("-Qunused-arguments").args(form);
        if self.stage == Stage::Source {
            command.args(["-Xclang", "-disable-llvm-passes"]);
        }
        if let Some(profile) = self.profile {
            command.arg(format!("-fprofile-use={}", absolute(profile)?.display()));
        }
        if let Some(overlay) = self.overlay {
            command.arg("-ivfsoverlay").arg(overlay);
        }
        command.args(self.flags);
        // At -O0 clang drops the hints of the source.
        if self.stage == Stage::Source && level.is_some_and(|level| level == "-O0") {
            command.arg("-O1");
        }
        command.arg(&input.path);
        Ok(command)
    }

    fn rustc(&self, input: &Input) -> Result<Command> {
        let (rustc, _) = find::rustc().ok_or_else(no_rustc)?;
        let mut command = Command::new(rustc);
        let text = std::fs::read(&input.path).map_err(Error::read(&input.path))?;
        let kind = if has_main(&String::from_utf8_lossy(&text)) { "bin" } else { "lib" };
        command.args(["--emit=llvm-bc", "--edition=2021", "--cap-lints=allow"]);
        command.args(["-Copt-level=2", "-Cdebuginfo=line-tables-only", "-Ccodegen-units=1"]);
        command.arg(format!("--crate-type={kind}"));
        if let Some(profile) = self.profile {
            command.arg(format!("-Cprofile-use={}", absolute(profile)?.display()));
        }
        command.args(self.flags).arg(&input.path);
        Ok(command)
    }
}

/// What the bitcode of `input` is called.
fn bitcode_name(input: &Input) -> String {
    let name = input.path.file_name().unwrap_or_default().to_string_lossy();
    format!("{}.bc", name.chars().take(50).collect::<String>())
}

pub fn no_rustc() -> Error {
    Error::advice("there is no rustc", "install Rust (https://rustup.rs), or name it by the variable RUSTC")
}

fn absolute(path: &Path) -> Result<PathBuf> {
    path.canonicalize().map_err(Error::read(path))
}

fn is_optimisation_level(flag: &str) -> bool {
    flag.starts_with("-O")
}

/// Whether a Rust file is a program of its own.
fn has_main(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("fn main(") || line.starts_with("pub fn main("))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &Command) -> Vec<String> {
        command.get_args().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    fn clang_words(flags: &[&str], build: &[&str]) -> Vec<String> {
        let owned = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
        let toolchain = Toolchain { version: 16, opt: "opt".into(), clang: Some("clang".into()) };
        let command = BuildCommand { directory: "/".into(), arguments: owned(build) };
        let input = Input { path: "/a.c".into(), language: Language::C, command: Some(command) };
        let (flags, stage) = (owned(flags), Stage::Optimised);
        let compiler = Compiler { toolchain: &toolchain, flags: &flags, profile: None, stage, overlay: None };
        words(&compiler.clang(&input, &["-c"]).expect("there is a clang"))
    }

    #[test]
    fn a_level_that_is_given_is_taken() {
        assert!(clang_words(&[], &["-Iinc"]).starts_with(&["-O2".to_string(), "-Iinc".to_string()]));
        for (flags, build) in [(&["-O1"] as &[_], &[] as &[_]), (&[], &["-Os"])] {
            assert!(!clang_words(flags, build).contains(&"-O2".to_string()));
        }
    }

    #[test]
    fn the_users_flags_come_last() {
        let words = clang_words(&["-DX"], &["-DY"]);
        assert_eq!(words[words.len() - 2..], ["-DX", "/a.c"]);
    }

    #[test]
    fn what_is_read_for_its_hints_keeps_them() {
        let toolchain = Toolchain { version: 16, opt: "opt".into(), clang: Some("clang".into()) };
        let input = Input { path: "a.c".into(), language: Language::C, command: None };
        for (level, last) in [("-O0", "-O1"), ("-O2", "-O2")] {
            let flags = [level.to_string()];
            let stage = Stage::Source;
            let compiler =
                Compiler { toolchain: &toolchain, flags: &flags, profile: None, stage, overlay: None };
            let words = words(&compiler.clang(&input, &["-c"]).expect("there is a clang"));
            assert_eq!(words[words.len() - 2..], [last, "a.c"]);
        }
    }

    #[test]
    fn a_program_has_a_main() {
        assert!(has_main("use std;\nfn main() {}\n"));
        assert!(!has_main("pub fn f() { fn main_loop() {} }\n"));
    }
}
