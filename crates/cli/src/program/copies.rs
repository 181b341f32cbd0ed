//! Finds functions that have the same counts in a profile.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::path::Path;

use crate::counts::Kind;
use crate::program::Program;
use crate::study::merged::BranchIdentity;
use bpa_schema::Position;

/// Finds copies of functions. A profile identifies a function by its name and by its control flow. The name of a local
/// function is combined with the source file: a front-end profile contains the name of the file without folders, and an
/// IR profile contains the path. If two functions have the same name and equal control flow, they share their counts,
/// and one of them is a copy. Examples:
///
/// - Several modules contain an inline function of a header.
/// - A build compiles a file for a library and for the tests of the library.
/// - A build generates the same parser in several folders.
/// - The functions `main` of two programs have equal control flow.
///
/// bpa compares the counts instead of the control flow, because the IR does not contain the hash by which the profile
/// identifies the control flow. Different local functions can have the same name and equal counts, so copies of a local
/// function must also have a common position in the source.
pub struct Copies<'p> {
    /// The source file of each compilation unit, as a profile contains it.
    files: HashMap<usize, &'p OsStr>,
    /// The functions of earlier calls that are not copies, by name. Only local functions have a file name.
    known: HashMap<(Option<&'p OsStr>, String), Vec<Counts>>,
}

/// The counts of a function.
struct Counts {
    /// The counts of the executed branches, sorted. The order of the blocks can differ between modules.
    executed: Vec<Vec<u64>>,
    /// The positions of the branches: file name, line and column.
    positions: BTreeSet<(String, u32, u32)>,
}

impl<'p> Copies<'p> {
    pub fn new(program: &'p Program) -> Self {
        let has_paths = program.profile.as_ref().is_some_and(|profile| profile.kind == Kind::Ir);
        Copies::of_files(program.units.iter().map(|unit| {
            let path = &unit.input.path;
            (unit.place, if has_paths { path.as_os_str() } else { path.file_name().unwrap_or_default() })
        }))
    }

    fn of_files(files: impl Iterator<Item = (usize, &'p OsStr)>) -> Self {
        Copies { files: files.collect(), known: HashMap::new() }
    }

    /// Returns true if a function of an earlier call has the same counts. `branches` are all branches of the function,
    /// each with the profiled counts of its edges. The counts are empty if the branch never ran.
    pub fn is_copy(&mut self, branches: &[(BranchIdentity, &[u64])]) -> bool {
        let Some((first, _)) = branches.first() else { return false };
        let file = first.is_local.then(|| self.files[&first.module]);
        let counts = Counts::of(branches);
        let known = self.known.entry((file, first.symbol.to_string())).or_default();
        let is_copy = known.iter().any(|known| known.are_equal(&counts, first.is_local));
        if !is_copy {
            known.push(counts);
        }
        is_copy
    }
}

impl Counts {
    fn of(branches: &[(BranchIdentity, &[u64])]) -> Self {
        let executed = branches.iter().filter(|(_, counts)| !counts.is_empty());
        let mut executed: Vec<Vec<u64>> = executed.map(|(_, counts)| counts.to_vec()).collect();
        executed.sort_unstable();
        let positions = branches.iter().filter_map(|(branch, _)| branch.position.map(point)).collect();
        Counts { executed, positions }
    }

    /// Returns true if the same branches ran equally often. If the functions are local, or if no branch ran, they must
    /// also have a common position.
    fn are_equal(&self, other: &Counts, are_local: bool) -> bool {
        let is_enough = !are_local && !self.executed.is_empty();
        self.executed == other.executed && (is_enough || !self.positions.is_disjoint(&other.positions))
    }
}

/// The file name without folders, the line and the column.
fn point(position: &Position) -> (String, u32, u32) {
    let frame = &position.frame;
    let name = Path::new(&*frame.file).file_name().unwrap_or_default();
    (name.to_string_lossy().into_owned(), frame.line, frame.column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_have_equal_names_and_counts() {
        let files = ["parser.c", "parser.c", "main.c", "parser.c"].map(OsStr::new);
        let mut copies = Copies::of_files(files.into_iter().enumerate());
        let mut is_copy = |module: usize, symbol: &str, is_local, file: &str, branches: &[(u32, &[u64])]| {
            let position = |line: u32| {
                serde_json::from_value(serde_json::json!({"file": file, "line": line})).expect("a position")
            };
            let positions: Vec<Position> = branches.iter().map(|(line, _)| position(*line)).collect();
            let identity = |position| BranchIdentity {
                module,
                symbol,
                is_local,
                block: 1,
                position: Some(position),
                successors: 2,
            };
            let pairs = positions.iter().map(identity).zip(branches.iter().map(|(_, counts)| *counts));
            copies.is_copy(&pairs.collect::<Vec<_>>())
        };
        // The files a/parser.c and b/parser.c are generated from one grammar.
        assert!(!is_copy(0, "parse", false, "a/parser.c", &[(3, &[5, 6]), (4, &[])]));
        assert!(is_copy(1, "parse", false, "b/parser.c", &[(3, &[5, 6]), (4, &[])]));
        // Module 3 compiles b/parser.c with other flags. Two functions differ from module 1, and have separate counts.
        assert!(!is_copy(1, "lex", true, "b/parser.c", &[(7, &[1, 1]), (9, &[2, 2])]));
        assert!(!is_copy(3, "parse", false, "b/parser.c", &[(3, &[7, 6]), (4, &[])]));
        assert!(!is_copy(3, "lex", true, "b/parser.c", &[(7, &[3, 1]), (9, &[2, 2])]));
        // The functions `main` of three programs: two of them have equal control flow.
        assert!(!is_copy(0, "main", false, "a/parser.c", &[(3, &[1, 0])]));
        assert!(!is_copy(1, "main", false, "b/parser.c", &[(3, &[1, 9])]));
        assert!(is_copy(2, "main", false, "main.c", &[(8, &[1, 9])]));
        // An inline function of a header is in two modules. In the second module, the blocks have another order, and
        // there is a branch for exceptions, which has no counts.
        assert!(!is_copy(0, "inlined", false, "a.h", &[(2, &[2, 3]), (4, &[1, 2])]));
        assert!(is_copy(2, "inlined", false, "a.h", &[(4, &[1, 2]), (3, &[]), (2, &[2, 3])]));
        // Two programs ran the same input. The function has one more branch in the second program.
        assert!(!is_copy(1, "inlined", false, "a.h", &[(2, &[2, 3]), (4, &[1, 2]), (5, &[1, 0])]));
        // A static function of a header has counts for each source file.
        assert!(!is_copy(0, "local", true, "a.h", &[(2, &[2, 3])]));
        assert!(!is_copy(2, "local", true, "a.h", &[(2, &[2, 3])]));
        assert!(is_copy(3, "local", true, "a.h", &[(2, &[2, 3])]));
        // Different functions of a/parser.c and b/parser.c have the same name and equal counts.
        assert!(!is_copy(0, "check", true, "a/parser.c", &[(8, &[999, 1])]));
        assert!(!is_copy(1, "check", true, "b/parser.c", &[(9, &[999, 1])]));
        // Functions without executions are copies only if they have common positions.
        assert!(!is_copy(0, "usage", true, "a/parser.c", &[(5, &[])]));
        assert!(!is_copy(3, "usage", true, "b/parser.c", &[(6, &[])]));
        assert!(is_copy(3, "usage", true, "b/parser.c", &[(6, &[])]));
    }
}
