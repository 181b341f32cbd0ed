//! Reads compilation databases: `compile_commands.json`, as written by CMake, Meson, Bear and ninja.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::base::error::{Error, Result};
use crate::base::input::{is_header, BuildCommand, Input, Language};
use crate::base::paths::without_dots;
use crate::compile::build_flags;

/// One compile command of a compilation database.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// The C and C++ files that a compilation database lists.
pub struct Database {
    path: PathBuf,
    inputs: Vec<Input>,
    /// The [real path](Input::absolute) of each input.
    real_paths: OnceCell<Vec<PathBuf>>,
}

/// The file name of a database.
const NAME: &str = "compile_commands.json";

/// A build writes its database into one of these folders of the project.
const BUILD_FOLDERS: [&str; 4] = ["", "build", "builddir", "out"];

/// Returns the path of the database. `build` is the path of a build directory, or of the database itself.
pub fn in_folder(build: &Path) -> Option<PathBuf> {
    [build.join(NAME), build.into()].into_iter().find(|path| path.is_file())
}

/// The path of the database of the project in `folder`. The database is in `folder`, or in a build folder inside
/// `folder`.
pub fn beside(folder: &Path) -> Option<PathBuf> {
    BUILD_FOLDERS.iter().map(|build| folder.join(build).join(NAME)).find(|path| path.is_file())
}

/// The path of the nearest database for the source file `file`. Calls [`beside`] for each folder that contains `file`,
/// from the innermost to the outermost, until a database is found.
pub fn above(file: &Path) -> Option<PathBuf> {
    file.canonicalize().ok()?.ancestors().skip(1).find_map(beside)
}

impl Database {
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(Error::read(path))?;
        let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|error| {
            Error::advice(
                format!("{} is not a compilation database: {error}", path.display()),
                "a database is a list of objects with `directory`, `file`, and `command` or `arguments`",
            )
        })?;
        let words = entries.iter().map(|entry| entry.words(path)).collect::<Result<Vec<_>>>()?;
        let commands = || entries.iter().zip(&words);
        let headers = commands().filter_map(|(entry, words)| entry.precompiled(words));
        let headers = headers.filter(|(_, source)| is_header(source)).collect();
        let mut seen = HashSet::new();
        let inputs: Vec<Input> = commands()
            .filter_map(|(entry, words)| entry.input(words, &headers))
            .filter(|input| seen.insert(without_position_independence(input)))
            .collect();
        if inputs.is_empty() {
            return Err(Error::advice(
                format!("{} contains no compile command for a C or C++ file", path.display()),
                String::new(),
            ));
        }
        Ok(Database { path: path.into(), inputs, real_paths: OnceCell::new() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The C and C++ files.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The inputs whose real path satisfies `is_wanted`.
    pub fn inputs_at(&self, is_wanted: impl Fn(&Path) -> bool) -> Vec<Input> {
        let real_paths = self.real_paths.get_or_init(|| self.inputs.iter().map(Input::absolute).collect());
        let pairs = self.inputs.iter().zip(real_paths);
        pairs.filter(|(_, path)| is_wanted(path)).map(|(input, _)| input.clone()).collect()
    }
}

impl Entry {
    /// The command as words. Without a command, and for files of other languages, no words.
    fn words(&self, database: &Path) -> Result<Vec<String>> {
        let takes_clang = Language::of(&self.file).is_some_and(Language::takes_clang);
        if !takes_clang && !is_header(&self.file) {
            return Ok(Vec::new());
        }
        let words = match &self.arguments {
            Some(arguments) => arguments.clone(),
            None => shlex::split(self.command.as_deref().unwrap_or_default()).ok_or_else(|| {
                let file = self.file.display();
                Error::advice(
                    format!("{}: the command for {file} has an unclosed quote", database.display()),
                    "correct the command, or write `arguments`, a list of words",
                )
            })?,
        };
        Ok(build_flags::with_response_files(words, &self.directory))
    }

    /// The absolute paths of a precompiled header and of its source, if the command, `words`, writes a precompiled
    /// header.
    fn precompiled(&self, words: &[String]) -> Option<(PathBuf, PathBuf)> {
        let output = words.iter().skip_while(|word| *word != "-o").nth(1)?;
        let is_precompiled = output.ends_with(".pch") || output.ends_with(".gch");
        let absolute = |path: &Path| without_dots(&self.directory.join(path));
        is_precompiled.then(|| (absolute(Path::new(output)), absolute(&self.file)))
    }

    /// The C or C++ file of the command, `words`, or `None` if the command generates no code from such a file.
    /// `headers` are the precompiled headers of the database and their sources.
    fn input(&self, words: &[String], headers: &BTreeMap<PathBuf, PathBuf>) -> Option<Input> {
        let language = Language::of(&self.file).filter(|language| language.takes_clang())?;
        if words.is_empty() {
            return None;
        }
        // Bear writes the real path of the source file into the database. The command can contain another path to the
        // same file.
        let file = without_dots(&self.directory.join(&self.file));
        let (words, folder) = build_flags::working_directory(words);
        let directory = folder.as_ref().map_or(self.directory.clone(), |folder| self.directory.join(folder));
        let is_file = |word: &str| {
            let path = without_dots(&directory.join(word));
            path == file || (path.file_name() == file.file_name() && is_same_file(&path, &file))
        };
        let (compiler, words) = build_flags::split(&words, is_file);
        // If one command compiles and links, Bear records the driver and its child process `clang -cc1`.
        if words.first().is_some_and(|word| word == "-cc1") {
            return None;
        }
        // A command that writes a precompiled header generates no code.
        let is_flag =
            |word: &String| ["-emit-pch", "c++-header", "c-header", "-xc++-header"].contains(&word.as_str());
        if words.iter().any(is_flag) || self.precompiled(words).is_some() {
            return None;
        }
        let header = |precompiled: &str| headers.get(&without_dots(&self.directory.join(precompiled)));
        let converted = if compiler.is_cl() { build_flags::from_cl(words) } else { words.to_vec() };
        let mut arguments = build_flags::for_bitcode(&converted, is_file, header);
        let target = compiler.target(&arguments);
        let remark = compiler.remark(target.as_deref());
        arguments.splice(0..0, target.map(|target| format!("--target={target}")));
        // In a profile, the name of a local function contains the path of the source file from the command.
        let named = words.iter().find(|word| is_file(word)).map(PathBuf::from);
        Some(Input {
            path: named.unwrap_or_else(|| if folder.is_some() { file.clone() } else { self.file.clone() }),
            language,
            command: Some(BuildCommand {
                directory: directory.clone(),
                arguments,
                remark,
                ..BuildCommand::default()
            }),
        })
    }
}

/// The input without the flags that distinguish the two compilations of libtool: for a static and for a shared library.
fn without_position_independence(input: &Input) -> Input {
    let mut input = input.clone();
    if let Some(command) = &mut input.command {
        command.arguments.retain(|flag| !["-fPIC", "-DPIC", "-fpic"].contains(&flag.as_str()));
    }
    input
}

/// Returns true if both paths refer to the same file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(json: &str) -> Option<Input> {
        inputs(json).pop()
    }

    fn inputs(entries: &str) -> Vec<Input> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(&file, format!("[{entries}]")).expect("written");
        Database::read(file.path()).map_or_else(|_| Vec::new(), |database| database.inputs)
    }

    #[test]
    fn output_flags_are_removed() {
        let input = input(
            r#"{"directory": "/b", "file": "../s/a.c",
"command": "cc -Iinc -D'X=\"a b\"' -MD -MF a.d -O3 --precompile -fmodule-output=a.pcm -o a.o ../s/a.c"}"#,
        )
        .expect("C");
        let command = input.command.expect("a command");
        assert_eq!(command.arguments, ["-Iinc", "-DX=\"a b\"", "-O3"]);
        assert_eq!(command.directory, Path::new("/b"));
        assert_eq!(input.path, Path::new("../s/a.c"));
    }

    #[test]
    fn arguments_need_no_shell() {
        let input = input(
            r#"{"directory": "/b", "file": "/b/a.cc", "arguments": ["c++", "-DA b", "a.cc", "-oa.o"]}"#,
        );
        let input = input.expect("C++");
        assert_eq!((input.language, input.path.as_path()), (Language::Cxx, Path::new("a.cc")));
        assert_eq!(input.command.expect("a command").arguments, ["-DA b"]);
    }

    #[test]
    fn the_input_is_recognised_by_any_path() {
        for named in ["../src/a.c", "/b/../src/./a.c", "./../src/a.c"] {
            let text =
                r#"{"directory": "/b", "file": "/src/a.c", "arguments": ["cc", "-O3", "-c", "NAMED"]}"#;
            let input = input(&text.replace("NAMED", named)).expect("C");
            assert_eq!((input.flags(), input.path.as_path()), (&["-O3".to_string()][..], Path::new(named)));
        }
    }

    #[test]
    fn launchers_instrumentation_and_precompiled_headers_are_removed() {
        let input = input(
            r#"{"directory": "/b", "file": "a.cc",
                "arguments": ["/usr/bin/ccache", "g++", "-fprofile-arcs", "--coverage",
                "-Xclang", "-include-pch", "-Xclang", "/b/pch.pch", "-Xclang", "-include", "-Xclang", "/b/pch.hxx",
                "-MMD", "-MF", "a.d", "-Wp,-MD,x", "-c", "a.cc"]}"#,
        );
        let command = input.expect("C++").command.expect("a command");
        assert_eq!(command.arguments, ["-Xclang", "-include", "-Xclang", "/b/pch.hxx"]);
    }

    /// Meson compiles `../pch/all.hpp` to `x.p/all.hpp.pch`, and does not pass `-include`.
    #[test]
    fn the_source_of_a_precompiled_header_is_included() {
        let header = r#"{"directory": "/s/b", "file": "../pch/all.h",
            "command": "c++ -o x.p/all.h.pch -c ../pch/all.h"}"#;
        let source = r#"{"directory": "/s/b", "file": "../a.cc",
            "command": "c++ -include-pch x.p/all.h.pch -DX -Xclang -fprofile-instrument=clang -O3 -c ../a.cc"}"#;
        let inputs = inputs(&format!("{header}, {source}"));
        assert_eq!(inputs.len(), 1);
        assert_eq!(inputs[0].flags(), ["-include", "/s/pch/all.h", "-DX", "-O3"]);
    }

    /// Meson with GCC passes `-include all.h`, and GCC finds `x.p/all.h.gch`.
    #[test]
    fn the_source_of_a_precompiled_header_of_gcc_is_included() {
        let header = r#"{"directory": "/s/b", "file": "../pch/all.h",
            "command": "g++ -o x.p/all.h.gch -c ../pch/all.h"}"#;
        let source = r#"{"directory": "/s/b", "file": "../a.cc",
            "command": "g++ -Ix.p -include all.h -include b.h -O3 -c ../a.cc"}"#;
        let inputs = inputs(&format!("{header}, {source}"));
        assert_eq!(inputs[0].flags(), ["-Ix.p", "-include", "/s/pch/all.h", "-include", "b.h", "-O3"]);
    }

    #[test]
    fn libtool_compiles_a_file_twice() {
        let entry = |flags: &str| {
            format!(r#"{{"directory": "/b", "file": "a.c", "command": "gcc -O2 {flags} -c a.c -o a.o"}}"#)
        };
        let inputs = inputs(&[entry("-fPIC -DPIC"), entry(""), entry("-DOTHER")].join(", "));
        assert_eq!(inputs.len(), 2);
    }

    #[test]
    fn a_target_in_the_name_of_the_compiler_is_used() {
        let text =
            r#"{"directory": "/b", "file": "a.c", "command": "arm-none-eabi-gcc -mcpu=cortex-m4 -c a.c"}"#;
        let input = input(text).expect("C");
        assert_eq!(input.flags(), ["--target=arm-none-eabi", "-mcpu=cortex-m4"]);
        let remark = input.command.and_then(|command| command.remark).expect("a remark");
        assert!(remark.contains("the target of arm-none-eabi-gcc"), "{remark}");
    }

    #[test]
    fn a_working_directory_is_the_folder_of_relative_paths() {
        for flag in ["-working-directory=../s", "-working-directory /s"] {
            let entry = format!(
                r#"{{"directory": "/b", "file": "/s/a.c", "command": "clang {flag} -O3 -Iinc -c a.c"}}"#
            );
            let input = input(&entry).expect("C");
            assert_eq!(
                (input.flags(), &*input.path),
                (&["-O3".into(), "-Iinc".into()][..], Path::new("a.c"))
            );
            let folder = input.command.expect("a command").directory;
            assert_eq!(without_dots(&folder), Path::new("/s"));
        }
    }

    #[test]
    fn any_launcher_is_removed() {
        for launchers in ["", "env CCACHE_DIR=/c ccache ", "/opt/bin/timed icecc "] {
            let command = format!("{launchers}clang++ -O3 -c a.cc");
            let entry = format!(r#"{{"directory": "/b", "file": "a.cc", "command": "{command}"}}"#);
            assert_eq!(input(&entry).expect("C++").flags(), ["-O3"]);
        }
    }

    #[test]
    fn precompiled_headers_are_ignored() {
        let entry =
            r#"{"directory": "/", "file": "pch.cxx", "command": "c++ -x c++-header -o pch.pch -c pch.cxx"}"#;
        assert_eq!(input(entry), None);
    }

    #[test]
    fn clang_cc1_commands_are_ignored() {
        let arguments =
            r#"["/usr/lib/llvm-22/bin/clang", "-cc1", "-O2", "-x", "c", "-o", "/tmp/a.o", "a.c"]"#;
        assert_eq!(input(&format!(r#"{{"directory": "/", "file": "a.c", "arguments": {arguments}}}"#)), None);
    }

    #[test]
    fn other_languages_are_ignored() {
        assert_eq!(input(r#"{"directory": "/", "file": "a.s", "command": "as a.s"}"#), None);
        let unclosed = r#"{"directory": "/", "file": "a.s", "command": "as 'a.s"}"#;
        let source = r#"{"directory": "/", "file": "a.c", "command": "cc -c a.c"}"#;
        assert_eq!(inputs(&format!("{unclosed}, {source}")).len(), 1);
    }
}
