//! Compiles C and C++ with an overlay of edited files.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::edit::Edit;
use super::files::Files;
use super::trial::{EditedFile, Recompile};
use crate::base::error::{Error, Result};
use crate::compile::Compiler;
use crate::edit::hints::branches;
use crate::program::{Program, Unit};
use crate::toolchain::stage::Stage;
use bpa_schema::Function;

/// Compiles the compilation units of a program with clang's front end, and then lowers the hints to branch weights.
pub struct Overlaid<'p> {
    pub program: &'p Program,
    pub flags: &'p [String],
}

impl Recompile for Overlaid<'_> {
    /// The path of the overlay file.
    type Copy = PathBuf;

    fn program(&self) -> &Program {
        self.program
    }

    fn compiler(&self) -> Compiler<'_> {
        self.program.compiler(self.flags, Stage::Source)
    }

    fn units(&self, _: &Files, _: &[&Edit]) -> Vec<&Unit> {
        // Edits can change headers, and any unit can include a changed header.
        self.program.units.iter().filter(|unit| unit.input.language.takes_clang()).collect()
    }

    fn copy(&self, folder: &Path, files: &Files, edited: &[EditedFile]) -> Result<PathBuf> {
        write_overlay(folder, files, edited)
    }

    fn functions(&self, overlay: &PathBuf, unit: &Unit, folder: &Path) -> Result<Vec<Function<'static>>> {
        let compiler = Compiler { overlay: Some(overlay), ..self.compiler() };
        let bitcode = compiler.compile(&unit.input, folder)?;
        let (place, input) = (unit.place, unit.input.clone());
        branches::lowered(self.program, &Unit { place, input, bitcode, folder: folder.into() })
    }
}

/// The overlay file for clang. The file maps paths of source files to edited copies.
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

fn write_overlay(folder: &Path, files: &Files, edited: &[EditedFile]) -> Result<PathBuf> {
    let mut roots = Vec::new();
    for (place, (file, bytes)) in edited.iter().enumerate() {
        let contents = folder.join(format!("edited-{place}"));
        std::fs::write(&contents, bytes).map_err(Error::write(&contents))?;
        let overlaid = |name: &PathBuf| OverlaidFile {
            r#type: "file",
            name: name.clone(),
            external_contents: contents.clone(),
        };
        roots.extend(files.names(*file).iter().map(overlaid));
    }
    let overlay = folder.join("overlay.yaml");
    // Clang expects YAML, and JSON is a subset of YAML.
    let text = serde_json::to_vec(&Overlay { version: 0, use_external_names: false, roots });
    std::fs::write(&overlay, text.expect("paths are text")).map_err(Error::write(&overlay))?;
    Ok(overlay)
}
