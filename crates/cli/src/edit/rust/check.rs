//! Applies edits to a copy of the project, and compiles the edited crates. The compilation stops right before LLVM
//! reads the profile.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::{libraries, shadow};
use crate::base::error::{Error, Result};
use crate::base::input::{BuildCommand, Input, Language};
use crate::compile::Compiler;
use crate::edit::hints::branches;
use crate::edit::patch::edit::Edit;
use crate::edit::patch::files::Files;
use crate::edit::patch::trial::{EditedFile, Recompile};
use crate::program::{Program, Unit};
use crate::toolchain::cache::Store;
use crate::toolchain::stage::Stage;
use bpa_schema::Function;

/// Applies edits to the Rust crates of a program, and compiles the crates.
pub struct Rebuilt<'p> {
    pub program: &'p Program,
    pub flags: &'p [String],
}

impl Recompile for Rebuilt<'_> {
    type Copy = Copy;

    fn program(&self) -> &Program {
        self.program
    }

    fn compiler(&self) -> Compiler<'_> {
        let profile = self.program.profile.as_ref();
        Compiler { profile, ..self.program.compiler(self.flags, Stage::BeforeProfile) }
    }

    fn units(&self, files: &Files, edits: &[&Edit]) -> Vec<&Unit> {
        let paths: Vec<&Path> = edits.iter().map(|edit| files.path(edit.file)).collect();
        let libraries = libraries::changed(&inputs(self.program), |input| has_any(input, &paths));
        let is_changed = |unit: &&Unit| {
            let has_edit = edits.iter().flat_map(|edit| &edit.members).any(|one| one.module == unit.place);
            let build = unit.input.command.as_ref();
            has_edit || build.is_some_and(|build| libraries::uses_any(build, &libraries))
        };
        let of_rust = self.program.units.iter().filter(|unit| unit.input.language == Language::Rust);
        of_rust.filter(is_changed).collect()
    }

    fn copy(&self, folder: &Path, files: &Files, edited: &[EditedFile]) -> Result<Copy> {
        let texts = edited.iter().map(|(file, text)| (files.path(*file).to_path_buf(), text.clone()));
        let copy = Copy::new(self.program, &folder.join("copy"), texts.collect())?;
        // An error is ignored here: the library is also a compilation unit of the program, so the same error occurs
        // when this unit is compiled.
        let _ = copy.build_libraries(self.program);
        Ok(copy)
    }

    fn functions(&self, copy: &Copy, unit: &Unit, folder: &Path) -> Result<Vec<Function<'static>>> {
        let (input, flags) = match &unit.input.command {
            Some(build) => {
                let build = libraries::with(&copy.build(build), &copy.libraries);
                (Input { command: Some(build), ..unit.input.clone() }, self.flags.to_vec())
            }
            None => single(&unit.input, &folder.join("copy"), &copy.edited, self.flags)?,
        };
        let store = Store::new(None, 0);
        let compiler = Compiler { store: &store, flags: &flags, ..self.compiler() };
        let bitcode = compiler.compile(&input, &folder.join("bitcode"))?;
        let unit = Unit { place: unit.place, input, bitcode, folder: folder.into() };
        branches::functions(self.program, &unit)
    }
}

fn inputs(program: &Program) -> Vec<&Input> {
    program.units.iter().map(|unit| &unit.input).collect()
}

/// Returns true if one of `paths` is in the folder of the crate's root file.
fn has_any(input: &Input, paths: &[impl AsRef<Path>]) -> bool {
    let root = input.absolute();
    root.parent().is_some_and(|folder| paths.iter().any(|path| path.as_ref().starts_with(folder)))
}

/// A copy of the project with edited files.
pub struct Copy {
    original: PathBuf,
    copy: PathBuf,
    /// The texts of the edited files. The keys are the paths in the original project.
    edited: HashMap<PathBuf, Vec<u8>>,
    /// The folder for the recompiled libraries.
    libraries: PathBuf,
}

impl Copy {
    fn new(program: &Program, copy: &Path, edited: HashMap<PathBuf, Vec<u8>>) -> Result<Self> {
        let directories = program
            .units
            .iter()
            .filter_map(|unit| unit.input.command.as_ref()?.directory.canonicalize().ok());
        let directories: BTreeSet<PathBuf> = directories.collect();
        let libraries = copy.with_extension("libraries");
        std::fs::create_dir_all(&libraries).map_err(Error::write(&libraries))?;
        let Some(first) = directories.first() else {
            return Ok(Copy { original: copy.into(), copy: copy.into(), edited, libraries });
        };
        // A dependency that is specified by a path can be outside of the workspace.
        let all = edited.keys().chain(&directories).map(PathBuf::as_path);
        let original = shadow::common(all, first);
        shadow::make(&original, copy, &edited)?;
        Ok(Copy { original, copy: copy.into(), edited, libraries })
    }

    fn build(&self, build: &BuildCommand) -> BuildCommand {
        shadow::build(build, &self.original, &self.copy)
    }

    /// Compiles the edited libraries and the libraries that use them.
    fn build_libraries(&self, program: &Program) -> Result<()> {
        let (inputs, paths) = (inputs(program), self.edited.keys().collect::<Vec<_>>());
        let is_edited = |input: &Input| has_any(input, &paths);
        libraries::build(&inputs, is_edited, |build| self.build(build), &self.libraries)
    }
}

/// For a Rust file without a cargo project, copies the folder of the file, and applies the edits in the copy. Returns
/// the copied file as an input, and the flags with which rustc compiles this file.
fn single(
    input: &Input,
    copy: &Path,
    edited: &HashMap<PathBuf, Vec<u8>>,
    flags: &[String],
) -> Result<(Input, Vec<String>)> {
    let path = input.path.canonicalize().map_err(Error::read(&input.path))?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    let inside = edited.iter().filter(|(path, _)| path.starts_with(folder));
    let inside = inside.map(|(path, text)| (path.clone(), text.clone())).collect();
    shadow::make(folder, copy, &inside)?;
    let mut flags = flags.to_vec();
    flags.push(format!("--remap-path-prefix={}={}", copy.display(), folder.display()));
    Ok((Input { path: copy.join(path.file_name().unwrap_or_default()), ..input.clone() }, flags))
}
