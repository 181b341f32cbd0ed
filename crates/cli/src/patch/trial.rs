//! Compiles the units of a program with edits, up to the stage of the compared predictions.
//!
//! The results are cached by the content of everything that a unit depends on, including all edited files.

use std::collections::HashMap;
use std::path::Path;

use super::edit::{apply, Edit};
use super::files::{FileId, Files};
use crate::cache::{Key, KeyBuilder};
use crate::compile::Compiler;
use crate::error::{Error, Result};
use crate::jobs::Jobs;
use crate::program::{Program, Unit};
use bpa_schema::Function;

/// The functions of modules with their predictions after the edits, or the compiler's error. Unchanged modules are
/// absent.
pub type Outcomes = HashMap<usize, Result<Vec<Function<'static>>>>;

/// Compiles a program with edits.
pub trait Trial {
    fn compile(&self, files: &Files, edits: &[&Edit]) -> Result<Outcomes>;
}

/// A file, and its text after the edits.
pub type EditedFile = (FileId, Vec<u8>);

/// The compilation of one language's units with edits.
pub trait Recompile: Sync {
    /// The edited files in the form that the compiler reads.
    type Copy: Sync;

    fn program(&self) -> &Program;

    /// The compiler for the unedited units.
    fn compiler(&self) -> Compiler<'_>;

    /// The units that the edits may change.
    fn units(&self, files: &Files, edits: &[&Edit]) -> Vec<&Unit>;

    /// Writes the edited files to `folder`.
    fn copy(&self, folder: &Path, files: &Files, edited: &[EditedFile]) -> Result<Self::Copy>;

    /// The functions of a unit with the edits. The compiler writes its files to `folder`.
    fn functions(&self, copy: &Self::Copy, unit: &Unit, folder: &Path) -> Result<Vec<Function<'static>>>;
}

impl<R: Recompile> Trial for R {
    fn compile(&self, files: &Files, edits: &[&Edit]) -> Result<Outcomes> {
        let program = self.program();
        let edited = edited(files, edits);
        let edits_key = edited
            .iter()
            .fold(KeyBuilder::new("edits"), |key, (file, text)| key.text(files.path(*file)).bytes(text));
        let edits_key = edits_key.finish();
        let compiler = self.compiler();
        let mut outcomes = Outcomes::new();
        let mut units: Vec<(&Unit, Option<Key>)> = Vec::new();
        for unit in self.units(files, edits) {
            let key = key(program, &compiler, unit, edits_key);
            match key.and_then(|key| program.store.value(key)) {
                Some(functions) => drop(outcomes.insert(unit.place, Ok(functions))),
                None => units.push((unit, key)),
            }
        }
        if units.is_empty() {
            return Ok(outcomes);
        }
        let folder = tempfile::tempdir_in(program.folder()).map_err(Error::write(program.folder()))?;
        let copy = self.copy(folder.path(), files, &edited)?;
        // A failed compilation is a result as well.
        let jobs = Jobs { fail_fast: false, ..program.jobs };
        let compiled = jobs.run(units.len(), "trying", |place| {
            self.functions(&copy, units[place].0, &folder.path().join(place.to_string()))
        });
        for ((unit, key), functions) in units.into_iter().zip(compiled.into_iter().flatten()) {
            if let (Some(key), Ok(functions)) = (key, &functions) {
                program.store.keep_value(key, functions);
            }
            outcomes.insert(unit.place, functions);
        }
        Ok(outcomes)
    }
}

/// A hash of everything that the functions of a unit with edits depend on.
fn key(program: &Program, compiler: &Compiler, unit: &Unit, edits: Key) -> Option<Key> {
    let key = KeyBuilder::new("trial").key(compiler.sources(&unit.input)?).key(edits);
    Some(key.file(&program.opt.plugin).ok()?.program(&program.opt.toolchain.opt).ok()?.finish())
}

/// The files that `edits` change, with their new text.
pub fn edited(files: &Files, edits: &[&Edit]) -> Vec<EditedFile> {
    let mut changed: Vec<FileId> = edits.iter().map(|edit| edit.file).collect();
    changed.sort_unstable_by_key(|&file| files.short_name(file));
    changed.dedup();
    let bytes = |file| {
        let changes = edits.iter().filter(|edit| edit.file == file).flat_map(|edit| &edit.changes);
        Some((file, apply(&files.text(file).ok()?.bytes, changes)))
    };
    changed.into_iter().filter_map(bytes).collect()
}
