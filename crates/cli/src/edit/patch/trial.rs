//! Applies edits to a program, and compiles its compilation units. The compilation stops at the point of the pass
//! pipeline at which bpa compares the predictions.
//!
//! The results are cached. The cache key of a compilation unit is a hash of its source files and of all edited files.

use std::collections::HashMap;
use std::path::Path;

use super::edit::{apply, Edit};
use super::files::{FileId, Files};
use crate::base::error::{Error, Result};
use crate::base::jobs::Jobs;
use crate::compile::Compiler;
use crate::program::{Program, Unit};
use crate::toolchain::cache::{Key, KeyBuilder};
use bpa_schema::Function;

/// Maps each module to its result after the edits. A result contains the functions with their predictions, or the
/// compiler's error. If the edits cannot change a module, the map has no entry for this module.
pub type Outcomes = HashMap<usize, Result<Vec<Function<'static>>>>;

/// Applies edits to a program, and compiles it.
pub trait Trial {
    fn compile(&self, files: &Files, edits: &[&Edit]) -> Result<Outcomes>;
}

/// A file, and its text after the edits.
pub type EditedFile = (FileId, Vec<u8>);

/// Compiles the edited compilation units of one language.
pub trait Recompile: Sync {
    /// The form in which the compiler reads the edited files. For clang, this form is the path of an overlay file. For
    /// rustc, the form is an edited copy of the project.
    type Copy: Sync;

    fn program(&self) -> &Program;

    /// The compiler for compilation units without edits.
    fn compiler(&self) -> Compiler<'_>;

    /// The compilation units that the edits can affect.
    fn units(&self, files: &Files, edits: &[&Edit]) -> Vec<&Unit>;

    /// Writes the edited files to `folder`.
    fn copy(&self, folder: &Path, files: &Files, edited: &[EditedFile]) -> Result<Self::Copy>;

    /// Compiles a compilation unit with the edited files of `copy`, and returns the functions of the unit. The compiler
    /// writes its files to `folder`.
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
        // If one compilation fails, only the edits of this compilation unit fail. The other compilations still run.
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

/// The key under which the cache stores the functions of an edited compilation unit. The key is a hash of the sources,
/// the edits, the plugin and opt.
fn key(program: &Program, compiler: &Compiler, unit: &Unit, edits: Key) -> Option<Key> {
    let key = KeyBuilder::new("trial").key(compiler.sources(&unit.input)?).key(edits);
    Some(key.file(&program.opt.plugin).ok()?.program(&program.opt.toolchain.opt).ok()?.finish())
}

/// The files that `edits` change, and the texts of the files after the edits.
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
