//! Tries edits before they are told: with all of them every file is compiled again, and LLVM is asked whether each branch
//! then expects what was measured.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::edit::{apply, Edit, Reason};
use super::files::{FileId, Files};
use crate::compile::{Compiler, Stage};
use crate::error::{Error, Result};
use crate::hints::branches::{self, MeasuredBranch};
use crate::program::{Program, Unit};
use bpa_schema::{Function, Rule, WHOLE};

/// Takes out of `edits` what does not do what it should, with the reason for it.
pub fn check<'a>(
    program: &Program,
    flags: &[String],
    files: &Files,
    edits: &mut Vec<Edit<'a>>,
) -> Result<Vec<(&'a MeasuredBranch, Reason)>> {
    let mut left_out = Vec::new();
    // What goes may have kept others from being compiled.
    while !edits.is_empty() {
        let wrong = wrong(program, flags, files, edits)?;
        if wrong.is_empty() {
            break;
        }
        for (place, reason) in wrong.into_iter().rev() {
            left_out.extend(edits.remove(place).members.into_iter().map(|branch| (branch, reason)));
        }
    }
    Ok(left_out)
}

/// Which of `edits` are wrong, in order.
fn wrong(program: &Program, flags: &[String], files: &Files, edits: &[Edit]) -> Result<Vec<(usize, Reason)>> {
    let folder = tempfile::tempdir_in(program.folder()).map_err(Error::write(program.folder()))?;
    let overlay = write_overlay(folder.path(), files, edits)?;
    let compiler = Compiler { overlay: Some(&overlay), ..program.compiler(flags, Stage::Source) };
    let modules = program.jobs.run(program.units.len(), "trying", |place| {
        let folder = folder.path().join(place.to_string());
        let input = program.units[place].input.clone();
        let bitcode = compiler.compile(&input, &folder)?;
        Ok(Unit { place, input, bitcode, folder })
    });
    let mut wrong = Vec::new();
    for (module, compiled) in modules.into_iter().enumerate() {
        let of_module =
            edits.iter().enumerate().filter(|(_, edit)| edit.members.iter().any(|one| one.module == module));
        match compiled.expect("failures end nothing") {
            Ok(unit) => {
                let expected = Expected(branches::lowered(program, &unit)?);
                let is_wrong = |edit: &Edit| {
                    let members = edit.members.iter().filter(|one| one.module == module);
                    !edit.is_removal() && !members.into_iter().all(|one| expected.takes(one, edit.edge))
                };
                let unheard = of_module.filter(|(_, edit)| is_wrong(edit));
                wrong.extend(
                    unheard.map(|(place, _)| (place, "tried, the branch is not predicted as measured")),
                );
            }
            Err(error) => {
                let before = wrong.len();
                wrong.extend(of_module.map(|(place, _)| (place, "tried, its file does not compile with it")));
                // Nothing that could be taken out is to blame.
                if wrong.len() == before {
                    return Err(error);
                }
            }
        }
    }
    wrong.sort_unstable();
    wrong.dedup_by_key(|(place, _)| *place);
    Ok(wrong)
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

fn write_overlay(folder: &Path, files: &Files, edits: &[Edit]) -> Result<PathBuf> {
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

/// The files that `edits` change, with what becomes of them.
pub fn edited(files: &Files, edits: &[Edit]) -> Vec<(FileId, Vec<u8>)> {
    let mut changed: Vec<FileId> = edits.iter().map(|edit| edit.file).collect();
    changed.sort_unstable_by_key(|&file| files.short_name(file));
    changed.dedup();
    let bytes = |file| {
        let changes = edits.iter().filter(|edit| edit.file == file).flat_map(|edit| &edit.changes);
        Some((file, apply(&files.text(file).ok()?.bytes, changes)))
    };
    changed.into_iter().filter_map(bytes).collect()
}

/// What the hints of a module say, once LLVM has lowered them.
struct Expected(HashMap<String, Function<'static>>);

impl Expected {
    /// Whether `edge` is expected of `branch`. An edit makes no blocks.
    fn takes(&self, branch: &MeasuredBranch, edge: usize) -> bool {
        let Some(function) = self.0.get(&branch.symbol) else { return false };
        let Some(block) = function.blocks.get(branch.number) else { return false };
        let edges = || function.edges.iter().filter(|edge| edge.from == branch.number);
        let likely = branch.sides[edge].to;
        let is_likely = edges()
            .any(|edge| edge.to == likely && edge.rule == Rule::Metadata && edge.numerator > WHOLE / 2);
        branches::without_number(&block.name) == branches::without_number(&branch.block) && is_likely
    }
}
