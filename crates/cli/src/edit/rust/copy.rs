//! Compiles Rust crates with edits in a copy of the project. For clang, no copy is necessary because clang supports
//! overlays of edited files. The compilation stops right before LLVM reads the profile.
//!
//! The copy contains the edited files and the folders around them. All other files and folders are symbolic links. The
//! crates use the libraries that cargo has built from the original project: a hint does not change an interface.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::base::error::{Error, Result};
use crate::base::input::{BuildCommand, Input};
use crate::compile::Compiler;
use crate::edit::hints::branches;
use crate::program::{Program, Unit};
use crate::toolchain::cache::Store;
use bpa_schema::Function;

/// A copy of the project with edited files.
pub struct Copy {
    original: PathBuf,
    copy: PathBuf,
    /// The texts of the edited files. The keys are the paths in the original project.
    edited: HashMap<PathBuf, Vec<u8>>,
}

impl Copy {
    pub fn new(program: &Program, copy: &Path, edited: HashMap<PathBuf, Vec<u8>>) -> Result<Self> {
        let directories = program
            .units
            .iter()
            .filter_map(|unit| unit.input.command.as_ref()?.directory.canonicalize().ok());
        let directories: BTreeSet<PathBuf> = directories.collect();
        let Some(first) = directories.first() else {
            return Ok(Copy { original: copy.into(), copy: copy.into(), edited });
        };
        // A dependency that is specified by a path can be outside of the workspace.
        let all = edited.keys().chain(&directories).map(PathBuf::as_path);
        let original = common(all, first);
        make(&original, copy, &edited)?;
        Ok(Copy { original, copy: copy.into(), edited })
    }

    /// Compiles a unit with the edited files, and returns its functions. The compiler writes its files to `folder`.
    pub fn functions(
        &self,
        program: &Program,
        compiler: &Compiler,
        unit: &Unit,
        folder: &Path,
    ) -> Result<Vec<Function<'static>>> {
        let (input, flags) = match &unit.input.command {
            Some(command) => {
                let command = build(command, &self.original, &self.copy);
                (Input { command: Some(command), ..unit.input.clone() }, compiler.flags.to_vec())
            }
            None => self.single(&unit.input, &folder.join("copy"), compiler.flags)?,
        };
        let store = Store::new(None, 0);
        let compiler = Compiler { store: &store, flags: &flags, ..*compiler };
        let bitcode = compiler.compile(&input, &folder.join("bitcode"))?;
        let unit = Unit { place: unit.place, input, bitcode, folder: folder.into() };
        branches::functions(program, &unit)
    }

    /// For a Rust file without a cargo project, copies the folder of the file, and applies the edits in the copy.
    /// Returns the copied file as an input, and the flags with which rustc compiles this file.
    fn single(&self, input: &Input, copy: &Path, flags: &[String]) -> Result<(Input, Vec<String>)> {
        let path = input.path.canonicalize().map_err(Error::read(&input.path))?;
        let folder = path.parent().unwrap_or(Path::new("/"));
        let inside = self.edited.iter().filter(|(path, _)| path.starts_with(folder));
        let inside = inside.map(|(path, text)| (path.clone(), text.clone())).collect();
        make(folder, copy, &inside)?;
        let mut flags = flags.to_vec();
        flags.push(format!("--remap-path-prefix={}={}", copy.display(), folder.display()));
        Ok((Input { path: copy.join(path.file_name().unwrap_or_default()), ..input.clone() }, flags))
    }
}

/// Copies the folder `original` to the new folder `copy`. `edited` contains the absolute paths and new texts of the
/// edited files.
fn make(original: &Path, copy: &Path, edited: &HashMap<PathBuf, Vec<u8>>) -> Result<()> {
    let folders: HashSet<&Path> = edited.keys().flat_map(|file| file.ancestors().skip(1)).collect();
    let mut open = vec![original.to_path_buf()];
    while let Some(folder) = open.pop() {
        let own = |path: &Path| copy.join(path.strip_prefix(original).unwrap_or(path));
        std::fs::create_dir_all(own(&folder)).map_err(Error::write(copy))?;
        for entry in std::fs::read_dir(&folder).map_err(Error::read(&folder))? {
            let path = entry.map_err(Error::read(&folder))?.path();
            let own = own(&path);
            if let Some(text) = edited.get(&path) {
                std::fs::write(&own, text).map_err(Error::write(&own))?;
            } else if folders.contains(&*path) {
                open.push(path);
            } else {
                std::os::unix::fs::symlink(&path, &own).map_err(Error::write(&own))?;
            }
        }
    }
    Ok(())
}

/// The innermost folder that contains `folder` and all `files`.
fn common<'p>(files: impl Iterator<Item = &'p Path>, folder: &'p Path) -> PathBuf {
    let is_above = |above: &Path, file: &Path| file.starts_with(above);
    files
        .fold(folder, |common, file| {
            common.ancestors().find(|above| is_above(above, file)).unwrap_or(Path::new("/"))
        })
        .into()
}

/// The command `build` compiles files in the folder `original`. Returns a command that compiles the files in the
/// folder `copy`. Debug information still contains the original paths.
fn build(build: &BuildCommand, original: &Path, copy: &Path) -> BuildCommand {
    let moved = |word: &String| match Path::new(word).strip_prefix(original) {
        // The paths of libraries do not change, because libraries are not copied.
        Ok(inside) if word.ends_with(".rs") => copy.join(inside).display().to_string(),
        _ => word.clone(),
    };
    let mut arguments: Vec<String> = build.arguments.iter().map(moved).collect();
    arguments.push(format!("--remap-path-prefix={}={}", copy.display(), original.display()));
    let directory = build.directory.canonicalize().unwrap_or_else(|_| build.directory.clone());
    let directory = directory.strip_prefix(original).map_or_else(|_| copy.into(), |inside| copy.join(inside));
    BuildCommand { directory, arguments, ..build.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_beside_the_workspace_are_copied_too() {
        let files = ["/p/src/a.rs", "/p/tool/src/main.rs"].map(Path::new);
        assert_eq!(common(files.into_iter(), Path::new("/p/tool")), Path::new("/p"));
        assert_eq!(common(files[1..].iter().copied(), Path::new("/p/tool")), Path::new("/p/tool"));
        let command = BuildCommand {
            directory: "/no/p/tool".into(),
            arguments: vec!["/no/p/src/lib.rs".into(), "src/main.rs".into(), "/no/p/target/liba.rlib".into()],
            ..BuildCommand::default()
        };
        let moved = build(&command, Path::new("/no/p"), Path::new("/t"));
        assert_eq!(moved.directory, Path::new("/t/tool"));
        assert_eq!(moved.arguments[..3], ["/t/src/lib.rs", "src/main.rs", "/no/p/target/liba.rlib"]);
    }

    #[test]
    fn only_edited_files_are_copied() {
        let folder = tempfile::tempdir().expect("a folder");
        let (original, copy) = (folder.path().join("a"), folder.path().join("b"));
        for name in ["src", "other"] {
            std::fs::create_dir_all(original.join(name)).expect("a folder");
        }
        for name in ["src/main.rs", "src/lex.rs", "other/x"] {
            std::fs::write(original.join(name), name).expect("a file");
        }
        let edited = HashMap::from([(original.join("src/lex.rs"), b"new".to_vec())]);
        make(&original, &copy, &edited).expect("it is made");
        let text = |name: &str| std::fs::read_to_string(copy.join(name)).expect("it is there");
        assert_eq!(
            [text("src/lex.rs"), text("src/main.rs"), text("other/x")],
            ["new", "src/main.rs", "other/x"]
        );
        assert!(copy.join("other").is_symlink() && !copy.join("src").is_symlink());
        assert_eq!(std::fs::read(original.join("src/lex.rs")).expect("it is there"), b"src/lex.rs");
    }
}
