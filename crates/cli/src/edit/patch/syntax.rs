//! Reads the conditions of modules from clang's syntax trees.
//!
//! Clang's syntax tree is up to a hundred times larger than the source. Therefore the conditions of a module are
//! cached. The cache key is a hash of all files from which the module is compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde::{Deserialize, Serialize};

use super::condition::{Condition, Conditions};
use super::files::{FileId, Files};
use super::reader::{self, Names};
use crate::base::error::{Error, Result};
use crate::base::jobs::{with_deep_stack, Jobs};
use crate::base::process::Running;
use crate::compile::Compiler;
use crate::program::{Program, Unit};
use crate::toolchain::cache::{Key, KeyBuilder};
use crate::toolchain::stage::Stage;

/// The conditions in the syntax trees of `modules`.
pub fn conditions(
    program: &Program,
    flags: &[String],
    modules: &BTreeSet<usize>,
    files: &mut Files,
) -> Result<Conditions> {
    let compiler = program.compiler(flags, Stage::Source);
    let units = modules.iter().map(|&module| &program.units[module]);
    let readable: Vec<&Unit> = units.filter(|unit| unit.input.language.takes_clang()).collect();
    let jobs = Jobs { fail_fast: true, ..program.jobs };
    let root = files.root();
    let done =
        jobs.run(readable.len(), "reading", |place| of_unit(program, &compiler, readable[place], root));
    let mut conditions = Conditions::default();
    for (unit, module) in readable.into_iter().zip(done) {
        // A result is missing only if another job has failed. The loop then returns the error of the failed job.
        let Some(module) = module else { continue };
        module?.add_to(&mut conditions, &crate::compile::directory(&unit.input)?, files);
    }
    Ok(conditions)
}

/// The conditions of `unit`, from the cache or from clang. `root` is the folder with the editable files.
fn of_unit(program: &Program, compiler: &Compiler, unit: &Unit, root: &Path) -> Result<ModuleConditions> {
    let directory = crate::compile::directory(&unit.input)?;
    // bpa compiles the module with the profile before this step. Therefore the cache contains the names of the source
    // files.
    let key = compiler.sources(&unit.input).map(|sources| key(sources, root));
    if let Some(module) = key.and_then(|key| program.store.value(key)) {
        return Ok(module);
    }
    let (conditions, names) = read(compiler, unit, &directory, &mut Files::below(root.into()))?;
    let module = ModuleConditions::new(&conditions, &names);
    if let Some(key) = key {
        program.store.keep_value(key, &module);
    }
    Ok(module)
}

/// The cache key of the conditions of a module. The key contains the root folder, because this folder determines the
/// editable files. If a new version of bpa finds other conditions in the same syntax tree, the number in `conditions-2`
/// must be increased.
fn key(sources: Key, root: &Path) -> Key {
    KeyBuilder::new("conditions-2").key(sources).text(root).finish()
}

/// Runs clang. Returns the conditions of a module, and the names of the module's source files.
fn read(
    compiler: &Compiler,
    unit: &Unit,
    directory: &Path,
    files: &mut Files,
) -> Result<(Conditions, Names)> {
    let mut command = compiler.syntax_tree(&unit.input)?;
    let program = PathBuf::from(command.get_program());
    // Clang's errors are discarded: bpa has already compiled the file and printed its errors.
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child =
        Running::start(&mut command).map_err(|source| Error::Run { program: program.clone(), source })?;
    let output = BufReader::with_capacity(1 << 16, child.take_stdout().expect("it is piped"));
    let mut conditions = Conditions::default();
    let read = with_deep_stack(|| reader::read(output, directory, files, &mut conditions))
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    // If the reader stops because of an error, the pipe is closed and clang exits.
    let _ = child.wait();
    let names = read.map_err(|source| Error::Data { program: program.display().to_string(), source })?;
    Ok((conditions, names))
}

/// The conditions of each file of a module, in the form in which the cache stores them. The cache stores file names
/// instead of [`FileId`]s.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ModuleConditions(Vec<FileConditions>);

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FileConditions {
    /// The paths that clang's syntax tree contains for the file. Each path is absolute, or relative to the directory of
    /// the compilation.
    names: Vec<String>,
    conditions: Vec<Condition>,
}

impl ModuleConditions {
    fn new(conditions: &Conditions, names: &Names) -> Self {
        let mut by_file: BTreeMap<FileId, Vec<String>> = BTreeMap::new();
        for (name, &file) in names {
            by_file.entry(file).or_default().push(name.clone());
        }
        let of_file = |(file, mut names): (FileId, Vec<String>)| {
            names.sort_unstable();
            FileConditions { names, conditions: conditions.of(file).cloned().collect() }
        };
        let files = by_file.into_iter().map(of_file);
        ModuleConditions(files.filter(|file| !file.conditions.is_empty()).collect())
    }

    fn add_to(self, conditions: &mut Conditions, directory: &Path, files: &mut Files) {
        for FileConditions { names, conditions: own } in self.0 {
            let ids: Vec<FileId> = names.iter().map(|name| files.id(directory, name)).collect();
            let Some(&file) = ids.first() else { continue };
            own.into_iter().for_each(|condition| conditions.add(file, condition));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_conditions_are_equal() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("it is there");
        std::fs::write(root.join("a.h"), "if (a) {}").expect("a file");
        std::os::unix::fs::symlink(root.join("a.h"), root.join("link.h")).expect("a link");
        let mut files = Files::below(root.clone());
        let names = ["a.h", "link.h", "b.h"].map(|name| (name.to_string(), files.id(&root, name)));
        let (file, names) = (names[0].1, Names::from(names));
        let mut conditions = Conditions::default();
        conditions.add(file, Condition::written(4, 5));
        let module = ModuleConditions::new(&conditions, &names);
        let bytes = serde_json::to_vec(&module).expect("data");
        let cached: ModuleConditions = serde_json::from_slice(&bytes).expect("data");
        assert_eq!(cached, module);
        let (mut files, mut again) = (Files::below(root.clone()), Conditions::default());
        cached.add_to(&mut again, &root, &mut files);
        let file = files.id(&root, "a.h");
        assert!(again.of(file).eq([&Condition::written(4, 5)]));
        // The overlay for clang needs every path with which clang opens the file.
        assert_eq!(files.names(file).len(), 2 + 1);
    }
}
