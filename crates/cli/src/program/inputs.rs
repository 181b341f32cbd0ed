//! Finds the inputs of a command: files, projects, and entries of compilation databases.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::args::{self, BuildOptions};
use crate::base::error::{Error, Result};
use crate::base::input::{is_header, Input, Language};
use crate::base::messages;
use crate::base::shares;
use crate::compile::cargo;
use crate::compile::compile_commands::{self, Database};
use crate::program::focus::{Focus, Spot};

/// The files to compile, and the selection of branches to print.
#[derive(Debug, Default)]
pub struct Request {
    pub inputs: Vec<Input>,
    pub focus: Focus,
}

/// Reads the files to compile, and the selection of branches to print, from `arguments`.
pub fn read(arguments: &args::Program) -> Result<Request> {
    if let Some(words) = &arguments.cargo {
        return of_cargo(words, arguments);
    }
    if let Some(build) = &arguments.build {
        let database =
            Database::read(&compile_commands::in_folder(build).ok_or_else(|| no_database(build))?)?;
        return of_project(&database, &arguments.files);
    }
    if arguments.files.is_empty() {
        let here = Path::new(".");
        if let (None, Some(manifest)) = (compile_commands::beside(here), cargo::manifest_of(here)) {
            return of_cargo(&BuildOptions::of_manifest(manifest), arguments);
        }
        let database = compile_commands::beside(here).ok_or_else(|| {
            Error::advice(
                "no file was given, and this directory has neither a compile_commands.json nor a Cargo.toml",
                format!("give a file, or give a build directory with -p; {HOW_TO_MAKE}"),
            )
        })?;
        return of_project(&Database::read(&database)?, &[]);
    }
    let mut request = Request::default();
    let mut databases = Databases::default();
    for file in &arguments.files {
        let found = of_file(file, arguments, &mut databases)?;
        request.inputs.extend(found.inputs);
        request.focus.extend(found.focus);
    }
    databases.note();
    note_headers(&request.inputs);
    request.inputs = without_copies(request.inputs);
    Ok(request)
}

/// The databases above the source files of the command line.
#[derive(Default)]
struct Databases(BTreeMap<PathBuf, Found>);

/// A database, or `None` if it is unreadable, and the source files that are compiled with its commands.
type Found = (Option<Database>, Vec<PathBuf>);

impl Databases {
    /// The inputs for the source file or spot `file`, if a database above `path` contains the source file. The user did
    /// not request this database, so bpa reports no error if the database is unreadable or does not contain the file.
    fn request(&mut self, file: &Path, path: &Path) -> Option<Request> {
        let above = compile_commands::above(path)?;
        let (database, files) =
            self.0.entry(above).or_insert_with_key(|above| (Database::read(above).ok(), Vec::new()));
        let request = of_project(database.as_ref()?, &[file.into()]).ok()?;
        files.push(path.into());
        Some(request)
    }

    /// Prints a note for each database that is used.
    fn note(&self) {
        for (database, (_, files)) in &self.0 {
            let what = match files.as_slice() {
                [] => continue,
                [file] => format!("{} is compiled with the command", file.display()),
                files => format!("{} files are compiled with the commands", files.len()),
            };
            messages::note(&format!("{what} from {}", database.display()));
        }
    }
}

const HOW_TO_MAKE: &str =
    "cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON writes compile_commands.json; meson always writes it; \
                           `bear -- make` writes it for any other build";

fn no_database(build: &Path) -> Error {
    Error::advice(format!("there is no compile_commands.json in {}", build.display()), HOW_TO_MAKE)
}

/// The inputs for a file or directory argument, if the command line has no option -p.
fn of_file(file: &Path, arguments: &args::Program, databases: &mut Databases) -> Result<Request> {
    let spot = Spot::read(file);
    let path = spot.path();
    let is_other = path.is_dir() && compile_commands::beside(path).is_some();
    if let Some(manifest) = cargo::manifest_of(path).filter(|_| !is_other) {
        let arguments = args::Program { files: Vec::new(), ..arguments.clone() };
        return of_cargo(&BuildOptions::of_manifest(manifest), &arguments);
    }
    if path.is_dir() {
        let database = compile_commands::beside(path).ok_or_else(|| no_database(path))?;
        return of_project(&Database::read(&database)?, &[]);
    }
    if path.extension().is_some_and(|extension| extension == "json") {
        return of_project(&Database::read(path)?, &[]);
    }
    let input = one(path)?;
    // If the command line contains flags, the flags of the build are ignored, as in clang-tidy.
    let is_built = input.language.takes_clang() && arguments.flags.is_empty();
    if let Some(request) = is_built.then(|| databases.request(file, path)).flatten() {
        return Ok(request);
    }
    Ok(Request { inputs: vec![input], focus: spot.line_focus() })
}

/// The targets of a cargo project. The results are restricted to the files and lines in `arguments.files`.
fn of_cargo(words: &BuildOptions, arguments: &args::Program) -> Result<Request> {
    let mut request = Request::default();
    arguments.files.iter().for_each(|file| request.focus.add(Spot::read(file)));
    request.inputs = cargo::inputs(words, arguments.profile.first().map(PathBuf::as_path))?;
    Ok(request)
}

/// The inputs of a project, restricted to the paths in `files`. A folder in `files` selects all inputs inside the
/// folder. If `files` is empty, all inputs are selected.
fn of_project(database: &Database, files: &[PathBuf]) -> Result<Request> {
    let mut request = Request::default();
    let mut is_whole = files.is_empty();
    for file in files {
        let spot = Spot::read(file);
        let path = spot.path().canonicalize().map_err(Error::read(spot.path()))?;
        let is_folder = path.is_dir();
        let named = database.inputs_at(|own| own == path || (is_folder && own.starts_with(&path)));
        match named.is_empty() {
            // Every input is selected because any input can include the header.
            true if is_header(&path) => {
                is_whole = true;
                request.focus.add(spot);
            }
            true => {
                let including = database.inputs_at(|source| includes(source, &path));
                if including.is_empty() {
                    return Err(not_compiled(spot.path(), database));
                }
                request.inputs.extend(including);
                request.focus.add(spot);
            }
            false => request.focus.extend(spot.line_focus()),
        }
        request.inputs.extend(named);
    }
    if is_whole {
        request.inputs = database.inputs().to_vec();
    }
    request.inputs = without_copies(request.inputs);
    Ok(request)
}

/// Returns true if the file `source` has an `#include` of `path`. In a unity build, the compiled files include the
/// source files.
fn includes(source: &Path, path: &Path) -> bool {
    let Ok(text) = std::fs::read(source) else { return false };
    let folder = source.parent().unwrap_or(Path::new("."));
    let is_path = |included: &str| folder.join(included).canonicalize().is_ok_and(|found| found == path);
    String::from_utf8_lossy(&text).lines().any(|line| {
        let included = line.trim_start().strip_prefix('#').map(str::trim_start);
        let included = included.and_then(|line| line.strip_prefix("include")?.split('"').nth(1));
        included.is_some_and(is_path)
    })
}

/// Removes duplicate inputs. The order of the other inputs does not change.
fn without_copies(inputs: Vec<Input>) -> Vec<Input> {
    let mut seen = std::collections::HashSet::new();
    inputs.into_iter().filter(|input| seen.insert(input.clone())).collect()
}

fn not_compiled(path: &Path, database: &Database) -> Error {
    let name = path.file_name();
    let near: Vec<String> = database
        .inputs()
        .iter()
        .filter(|input| input.path.file_name() == name)
        .map(|input| input.absolute().display().to_string())
        .collect();
    let help = match near.as_slice() {
        [] => format!(
            "the database has {} other files; to compile the file without a database, omit -p",
            database.inputs().len()
        ),
        near => format!("the database contains {}", near.join(", ")),
    };
    Error::advice(format!("{} does not compile {}", database.path().display(), path.display()), help)
}

/// Prints a note if headers are compiled alone.
fn note_headers(inputs: &[Input]) {
    let mut headers = inputs.iter().filter(|input| input.command.is_none() && input.is_header());
    let Some(first) = headers.next() else { return };
    let first = first.path.display();
    let (what, them) = match headers.count() {
        0 => (first.to_string(), "the header"),
        others => (format!("{first} and {}", shares::plural(others, "other header")), "the headers"),
    };
    messages::note(&format!(
        "the analysis of {what} alone omits unused templates and unused inline functions; to see their branches, \
         analyse a source file that includes {them}"
    ));
}

fn one(file: &Path) -> Result<Input> {
    let language = Language::of(file).ok_or_else(|| {
        Error::advice(
            format!("{} has no known file name extension", file.display()),
            "supported are C (.c), C++ (.cc, .cpp, .cxx, .C), headers, Rust (.rs), LLVM IR (.ll, .bc), \
             compile_commands.json, and directories that contain a compile_commands.json",
        )
    })?;
    let text = std::fs::read(file).map_err(Error::read(file))?;
    let language = match language {
        Language::C if is_header(file) && is_cxx(&String::from_utf8_lossy(&text)) => Language::Cxx,
        other => other,
    };
    // The path is not made absolute, because debug information contains the path that clang receives.
    Ok(Input { path: file.into(), language, command: None })
}

/// Returns true if `text`, the content of a header with the extension `.h`, is C++ code. Ignores comments.
fn is_cxx(text: &str) -> bool {
    let begins =
        |line: &str| ["namespace ", "template", "class ", "using "].iter().any(|word| line.starts_with(word));
    let mut parts = text.split("/*");
    let before = parts.next().into_iter();
    let code = before.chain(parts.filter_map(|part| Some(part.split_once("*/")?.1)));
    code.flat_map(str::lines).any(|line| begins(line.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_files(names: &[&Path]) -> Result<Request> {
        let files = names.iter().map(|name| name.to_path_buf()).collect();
        read(&args::Program { files, ..Default::default() })
    }

    #[test]
    fn comments_do_not_decide_the_language_of_a_header() {
        assert!(!is_cxx("/*\nusing this header:\nclass of functions */\nstruct s { int x; };\n// class a\n"));
        assert!(is_cxx("/* a\n*/\n  class b;\n"));
    }

    #[test]
    fn unreadable_files_are_named() {
        let error = |name: &str| read_files(&[Path::new(name)]).expect_err("the file is missing").to_string();
        assert!(error("/no/such.c").starts_with("cannot read /no/such.c"));
        assert!(error("/no/such.txt").contains("no known file name extension"));
        assert!(error("/no/compile_commands.json").starts_with("cannot read"));
    }

    /// A project of two source files, with a compilation database in `build`.
    fn project() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        for name in ["build", "src"] {
            std::fs::create_dir(root.join(name)).expect("a folder");
        }
        for name in ["src/a.cc", "src/b.cc", "src/a.h", "other.cc"] {
            std::fs::write(root.join(name), "").expect("a file");
        }
        let entry = |name: &str| {
            let directory = root.join("build");
            let (file, command) = (format!("../src/{name}"), format!("c++ -c ../src/{name}"));
            serde_json::json!({"directory": directory, "file": file, "command": command})
        };
        let text = serde_json::to_string(&[entry("a.cc"), entry("b.cc")]).expect("text");
        std::fs::write(root.join("build/compile_commands.json"), text).expect("a file");
        folder
    }

    #[test]
    fn files_of_a_project_select_its_inputs() {
        let project = project();
        let count = |files: &[&str]| {
            let files: Vec<PathBuf> = files.iter().map(|name| project.path().join(name)).collect();
            let build = Some(project.path().join("build"));
            read(&args::Program { files, build, ..Default::default() }).map(|request| request.inputs.len())
        };
        assert_eq!(count(&[]).expect("all"), 2);
        assert_eq!(count(&["src/b.cc"]).expect("one"), 1);
        assert_eq!(count(&["src/b.cc:7"]).expect("one"), 1);
        assert_eq!(count(&["src"]).expect("a folder"), 2);
        assert_eq!(count(&["src/a.h"]).expect("any file may include the header"), 2);
        let error = count(&["other.cc"]).expect_err("the build does not compile the file").to_string();
        assert!(error.contains("does not compile"), "{error}");
    }

    #[test]
    fn the_database_above_a_file_is_found() {
        let project = project();
        let request = read_files(&[&project.path().join("src/a.cc")]).expect("it is there");
        assert!(request.inputs[0].command.is_some());
        let request = read_files(&[&project.path().join("other.cc")]).expect("it is there");
        assert!(request.inputs[0].command.is_none());
        assert_eq!(read_files(&[project.path()]).expect("`build` has a database").inputs.len(), 2);
    }
}
