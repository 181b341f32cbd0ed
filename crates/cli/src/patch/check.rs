//! Compiles C and C++ with edits laid over the files.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::edit::{apply, Edit};
use super::files::{FileId, Files};
use super::selection::{Outcomes, Trial};
use crate::compile::{Compiler, Stage};
use crate::error::{Error, Result};
use crate::hints::branches;
use crate::program::{Program, Unit};

/// Compiles a program as clang makes IR of the source, up to where LLVM has lowered the hints.
pub struct Overlaid<'p> {
    pub program: &'p Program,
    pub flags: &'p [String],
}

impl Trial for Overlaid<'_> {
    fn compile(&self, files: &Files, edits: &[&Edit]) -> Result<Outcomes> {
        let program = self.program;
        let folder = tempfile::tempdir_in(program.folder()).map_err(Error::write(program.folder()))?;
        let overlay = write_overlay(folder.path(), files, edits)?;
        let compiler = Compiler { overlay: Some(&overlay), ..program.compiler(self.flags, Stage::Source) };
        // Headers may be edited, too, and nothing says which units include them.
        let units: Vec<&Unit> =
            program.units.iter().filter(|unit| unit.input.language.takes_clang()).collect();
        let compiled = program.jobs.run(units.len(), "trying", |place| {
            let unit = units[place];
            let folder = folder.path().join(place.to_string());
            let bitcode = compiler.compile(&unit.input, &folder)?;
            branches::lowered(
                program,
                &Unit { place: unit.place, input: unit.input.clone(), bitcode, folder },
            )
        });
        let outcomes = compiled.into_iter().map(|outcome| outcome.expect("each unit is compiled"));
        Ok(units.iter().map(|unit| unit.place).zip(outcomes).collect())
    }
}

/// What clang reads instead of the files on the disk.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Overlay {
    version: u32,
    use_external_names: bool,
    roots: Vec<OverlaidFile>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct OverlaidFile {
    r#type: &'static str,
    name: PathBuf,
    external_contents: PathBuf,
}

fn write_overlay(folder: &Path, files: &Files, edits: &[&Edit]) -> Result<PathBuf> {
    let mut roots = Vec::new();
    for (place, (file, bytes)) in edited(files, edits).into_iter().enumerate() {
        let contents = folder.join(format!("edited-{place}"));
        std::fs::write(&contents, bytes).map_err(Error::write(&contents))?;
        let overlaid = |name: &PathBuf| OverlaidFile {
            r#type: "file",
            name: name.clone(),
            external_contents: contents.clone(),
        };
        roots.extend(files.names(file).iter().map(overlaid));
    }
    let overlay = folder.join("overlay.yaml");
    // All JSON is YAML.
    let text = serde_json::to_vec(&Overlay { version: 0, use_external_names: false, roots });
    std::fs::write(&overlay, text.expect("paths are text")).map_err(Error::write(&overlay))?;
    Ok(overlay)
}

/// The files that `edits` change, with their text after the edits.
pub fn edited(files: &Files, edits: &[&Edit]) -> Vec<(FileId, Vec<u8>)> {
    let mut changed: Vec<FileId> = edits.iter().map(|edit| edit.file).collect();
    changed.sort_unstable_by_key(|&file| files.short_name(file));
    changed.dedup();
    let bytes = |file| {
        let changes = edits.iter().filter(|edit| edit.file == file).flat_map(|edit| &edit.changes);
        Some((file, apply(&files.text(file).ok()?.bytes, changes)))
    };
    changed.into_iter().filter_map(bytes).collect()
}
