//! Compiles crates with edits, in a copy of the project, up to where LLVM would read the profile.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::{libraries, shadow};
use crate::compile::{Compiler, Stage};
use crate::error::{Error, Result};
use crate::hints::branches;
use crate::input::{BuildCommand, Input, Language};
use crate::patch::check::edited;
use crate::patch::edit::Edit;
use crate::patch::files::Files;
use crate::patch::selection::{Outcomes, Trial};
use crate::program::{Program, Unit};

/// Compiles a program of Rust.
pub struct Rebuilt<'p> {
    pub program: &'p Program,
    pub flags: &'p [String],
}

impl Trial for Rebuilt<'_> {
    fn compile(&self, files: &Files, edits: &[&Edit]) -> Result<Outcomes> {
        let program = self.program;
        let folder = tempfile::tempdir_in(program.folder()).map_err(Error::write(program.folder()))?;
        let texts = edited(files, edits).into_iter();
        let paths: HashMap<PathBuf, Vec<u8>> =
            texts.map(|(file, text)| (files.path(file).to_path_buf(), text)).collect();
        let copy = Copy::new(program, &folder.path().join("copy"), &paths)?;
        // If one cannot be compiled, its own module cannot either, and that tells which edit is to blame.
        let _ = copy.build_libraries(program, &paths);
        let changed = |unit: &&Unit| {
            let has_edit = edits.iter().flat_map(|edit| &edit.members).any(|one| one.module == unit.place);
            let build = unit.input.command.as_ref();
            has_edit || build.is_some_and(|build| libraries::uses_any(build, &copy.libraries))
        };
        let units: Vec<&Unit> = program
            .units
            .iter()
            .filter(|unit| unit.input.language == Language::Rust)
            .filter(changed)
            .collect();
        let store = crate::cache::Store::new(None, 0);
        let compiled = program.jobs.run(units.len(), "trying", |place| {
            let unit = units[place];
            let folder = folder.path().join(place.to_string());
            let (input, flags) = match &unit.input.command {
                Some(build) => {
                    let build = libraries::with(&copy.build(build), &copy.libraries);
                    (Input { command: Some(build), ..unit.input.clone() }, self.flags.to_vec())
                }
                None => single(&unit.input, &folder.join("copy"), &paths, self.flags)?,
            };
            let profile = program.profile.as_ref();
            let compiler =
                Compiler { store: &store, profile, ..program.compiler(&flags, Stage::BeforeProfile) };
            let bitcode = compiler.compile(&input, &folder.join("bitcode"))?;
            branches::functions(program, &Unit { place: unit.place, input, bitcode, folder })
        });
        let outcomes = compiled.into_iter().map(|outcome| outcome.expect("each unit is compiled"));
        Ok(units.iter().map(|unit| unit.place).zip(outcomes).collect())
    }
}

/// A copy of the project in which files are edited.
struct Copy {
    original: PathBuf,
    copy: PathBuf,
    libraries: PathBuf,
}

impl Copy {
    fn new(program: &Program, copy: &Path, edited: &HashMap<PathBuf, Vec<u8>>) -> Result<Self> {
        let directories = program
            .units
            .iter()
            .filter_map(|unit| unit.input.command.as_ref()?.directory.canonicalize().ok());
        let directories: BTreeSet<PathBuf> = directories.collect();
        let libraries = copy.with_extension("libraries");
        std::fs::create_dir_all(&libraries).map_err(Error::write(&libraries))?;
        let Some(first) = directories.first() else {
            return Ok(Copy { original: copy.into(), copy: copy.into(), libraries });
        };
        // A dependency by path may be outside of the workspace.
        let all = edited.keys().chain(&directories).map(PathBuf::as_path);
        let original = shadow::common(all, first);
        shadow::make(&original, copy, edited)?;
        Ok(Copy { original, copy: copy.into(), libraries })
    }

    fn build(&self, build: &BuildCommand) -> BuildCommand {
        shadow::build(build, &self.original, &self.copy)
    }

    /// Compiles the libraries that are edited.
    fn build_libraries(&self, program: &Program, edited: &HashMap<PathBuf, Vec<u8>>) -> Result<()> {
        let inputs: Vec<&Input> = program.units.iter().map(|unit| &unit.input).collect();
        let is_edited = |input: &Input| {
            let root = input.absolute();
            root.parent().is_some_and(|folder| edited.keys().any(|file| file.starts_with(folder)))
        };
        libraries::build(&inputs, is_edited, |build| self.build(build), &self.libraries)
    }
}

/// A file that is compiled without a build, in a copy of its folder, and the flags for that.
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
