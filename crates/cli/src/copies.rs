//! Finds the copies of a branch that have one count in a profile.

use std::collections::hash_map::{Entry, HashMap};
use std::ffi::OsStr;

use crate::merged::BranchIdentity;
use crate::program::Program;
use bpa_schema::Frame;

/// The relation of a branch to the branches of earlier modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyKind {
    /// No earlier module contains a copy of the branch.
    First,
    /// An earlier module contains the same function, compiled from the same source file. For example, several modules
    /// contain an inline function of a header.
    SameSource,
    /// An earlier module contains a copy from another source file, or a copy of a local function. For example, a build
    /// compiles a file for a library and for the tests of the library, or generates a parser in several folders.
    Duplicate,
}

/// Finds copies of branches. A front-end profile identifies a function by its name. The name of a local function is
/// combined with the name of the source file, without folders. Two functions with equal names and different code, such
/// as the functions `main` of two programs, have separate counts. They are no copies, because their counts differ.
pub struct Copies<'p> {
    /// The name of the source file of each compilation unit.
    files: HashMap<usize, &'p OsStr>,
    /// The position of the first branch with a file name, symbol, block and counts.
    known: HashMap<(&'p OsStr, String, usize, Vec<u64>), Option<Frame>>,
    /// The first module that contains a function with this symbol and a branch at this position.
    modules: HashMap<(String, Option<Frame>), usize>,
}

impl<'p> Copies<'p> {
    pub fn new(program: &'p Program) -> Self {
        Copies::of_files(
            program.units.iter().map(|unit| (unit.place, unit.input.path.file_name().unwrap_or_default())),
        )
    }

    fn of_files(files: impl Iterator<Item = (usize, &'p OsStr)>) -> Self {
        Copies { files: files.collect(), known: HashMap::new(), modules: HashMap::new() }
    }

    /// Compares `branch` with the branches of earlier calls. `counts` are the profiled counts of its edges. The list is
    /// empty if the branch never ran.
    pub fn classify(&mut self, branch: &BranchIdentity, counts: &[u64]) -> CopyKind {
        let frame = branch.position.map(|position| position.frame.clone());
        let symbol = || branch.symbol.to_string();
        let key = (self.files[&branch.module], symbol(), branch.block, counts.to_vec());
        let is_known = match self.known.entry(key) {
            Entry::Occupied(known) => branch.is_local || *known.get() != frame,
            Entry::Vacant(vacant) => {
                vacant.insert(frame.clone());
                false
            }
        };
        if is_known {
            return CopyKind::Duplicate;
        }
        let first = *self.modules.entry((symbol(), frame)).or_insert(branch.module);
        match branch.is_local || first == branch.module {
            true => CopyKind::First,
            false => CopyKind::SameSource,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bpa_schema::Position;

    #[test]
    fn copies_have_equal_file_names_and_counts() {
        let files = ["parser.c", "parser.c", "main.c", "parser.c"].map(OsStr::new);
        let mut copies = Copies::of_files(files.into_iter().enumerate());
        let mut classify = |module: usize, symbol: &str, is_local, file: &str, counts: &[u64]| {
            let position = serde_json::json!({"file": file, "line": 3, "column": 7});
            let position: Position = serde_json::from_value(position).expect("a position");
            let identity = BranchIdentity {
                module,
                symbol,
                is_local,
                block: 1,
                position: Some(&position),
                successors: 2,
            };
            copies.classify(&identity, counts)
        };
        // The files a/parser.c and b/parser.c are generated from one grammar.
        assert_eq!(classify(0, "parse", false, "a/parser.c", &[5, 6]), CopyKind::First);
        assert_eq!(classify(1, "parse", false, "b/parser.c", &[5, 6]), CopyKind::Duplicate);
        // Module 3 compiles b/parser.c again.
        assert_eq!(classify(3, "parse", false, "b/parser.c", &[5, 6]), CopyKind::Duplicate);
        // The programs of a/parser.c and b/parser.c have different functions `main`.
        assert_eq!(classify(0, "main", false, "a/parser.c", &[1, 0]), CopyKind::First);
        assert_eq!(classify(1, "main", false, "b/parser.c", &[1, 9]), CopyKind::First);
        // An inline function of a header is in two modules. Its number of blocks can differ.
        assert_eq!(classify(0, "inlined", false, "a.h", &[2, 3]), CopyKind::First);
        assert_eq!(classify(2, "inlined", false, "a.h", &[2, 3]), CopyKind::SameSource);
        // A static function of a header has counts for each source file.
        assert_eq!(classify(0, "local", true, "a.h", &[2, 3]), CopyKind::First);
        assert_eq!(classify(2, "local", true, "a.h", &[2, 3]), CopyKind::First);
        assert_eq!(classify(3, "local", true, "a.h", &[2, 3]), CopyKind::Duplicate);
    }
}
