//! Measured profiles: opens the user's files, converts them for the compiler, and reads counts from the compiled
//! modules.
//!
//! > files -> [`format`] -> converted by [`open`] -> read by the compiler -> [`branches`]

mod branches;
mod flow;
mod format;
pub mod ir_text;
mod open;
pub mod tools;
pub mod transfer;

pub use branches::{BranchCounts, SuccessorCount, Weights};
pub use open::files;
pub use tools::ProfileTotals;
pub use tools::{profdata, runtime};

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::args;
use crate::base::error::{Error, Result};
use crate::toolchain::cache::{self, Key, KeyBuilder};
use crate::toolchain::find::Toolchain;
use crate::toolchain::opt::Stage;
use bpa_schema::{Function, ScoredBranch};

/// A profile that the compiler can read.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The absolute path of the original, merged or converted file.
    pub path: PathBuf,
    /// The name of the profile in messages: the name of the file that the user passed.
    pub name: String,
    pub kind: Kind,
    /// The totals of the counters. `None` for samples.
    pub totals: Option<ProfileTotals>,
    /// A hash of the file's content.
    pub content: Key,
}

/// The kind of a profile. The kind determines what the profile counts, and which part of the compiler reads the
/// profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Counts of source regions. Clang's front end reads these counts.
    Source,
    /// Counts of IR edges. LLVM's pass `pgo-instr-use` reads these counts.
    Ir,
    /// Samples. LLVM's pass `sample-profile` reads these samples.
    Samples,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Source => "front-end profile",
            Kind::Ir => "IR profile",
            Kind::Samples => "sample profile",
        }
    }
}

impl Profile {
    /// Opens the profile in `arguments.profile`, if there is one. Converted or merged files are written to `folder`.
    pub fn from_arguments(
        arguments: &args::Program,
        toolchain: &Toolchain,
        folder: &Path,
    ) -> Result<Option<Self>> {
        match arguments.profile.as_slice() {
            [] => Ok(None),
            files => Profile::open(files, arguments.binary.as_deref(), toolchain, folder).map(Some),
        }
    }

    fn new(path: &Path, name: String, kind: Kind, totals: Option<ProfileTotals>) -> Result<Self> {
        let content = cache::content(path).map_err(Error::read(path))?;
        Ok(Profile { path: path.into(), name, kind, totals, content })
    }

    /// A hash of three things: the content of the profile, the kind of the profile, and `stage`.
    pub fn key(&self, stage: Stage) -> Key {
        KeyBuilder::new("profile-10").key(self.content).text(format!("{stage:?} {:?}", self.kind)).finish()
    }

    /// How to interpret the branch weights that the compiler writes when it reads this profile.
    pub fn weights(&self) -> Weights {
        match self.kind {
            Kind::Source | Kind::Ir => {
                Weights::Counts { largest: self.totals.map(|totals| totals.largest_count()) }
            }
            Kind::Samples => Weights::Samples,
        }
    }
}

/// Returns true if a profile has data about `function`.
pub fn is_measured(function: &Function) -> bool {
    entries(function).is_some()
}

/// The profiled number of calls of `function`, or `None` if a profile has no data about it.
pub fn entries(function: &Function) -> Option<u64> {
    function.entry_count.as_ref().filter(|entries| !entries.synthetic).map(|entries| entries.count.0)
}

/// The counts of a module's branches, by function and block. Branches that never ran are absent.
pub type CountsByBlock = HashMap<(String, usize), BranchCounts>;

/// Returns the counts of the branches in `scored`. If the counts are exact, also replaces the estimated frequencies in
/// `functions` by profiled frequencies.
pub fn measure(
    weights: Weights,
    functions: &mut [Function],
    scored: &HashMap<(String, usize), ScoredBranch>,
) -> CountsByBlock {
    let counts =
        scored.iter().filter_map(|(key, branch)| Some((key.clone(), BranchCounts::new(branch, weights)?)));
    let counts: CountsByBlock = counts.collect();
    if !matches!(weights, Weights::Counts { .. }) {
        return counts;
    }
    for function in functions {
        let Some(entries) = entries(function) else { continue };
        let name = function.function.to_string();
        let of = |block: usize| flow::exact_edges(counts.get(&(name.clone(), block))?);
        let flow = flow::solve(function, entries, of);
        flow::measure(function, &flow, entries);
    }
    counts
}
