//! Measured profiles: what people have, made into what the compiler reads, and the counts that come of it.
//!
//! > files -> [`format`] -> converted by [`open`] -> read by the compiler at [`stage`] -> [`counts`]

mod counts;
mod data;
mod flow;
mod format;
mod ir_text;
mod open;
mod stage;
mod tools;
mod totals;
mod transfer;

pub use counts::{BranchCounts, SuccessorCount, Weights};
pub use data::{is_measured, no_data, require_data, require_source_counts};
pub use flow::Flow;
pub use stage::{finish, flags, is_instrumentation, Compiled, EXACT_ENTRY_COUNTS};
pub use tools::{profdata, runtime};
pub use totals::ProfileTotals;
pub use transfer::with_counts;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::args;
use crate::cache::{self, Key, KeyBuilder};
use crate::compile::Stage;
use crate::error::{Error, Result};
use crate::find::Toolchain;
use bpa_schema::{Function, ScoredBranch};

/// A profile that the compiler can read.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Absolute.
    pub path: PathBuf,
    /// As the user named it.
    pub name: String,
    pub kind: Kind,
    /// None of samples.
    pub totals: Option<ProfileTotals>,
    /// Stands for the content of the file.
    pub content: Key,
}

/// Where the compiler reads a profile, and what it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Regions of the source, read by clang's front end.
    Source,
    /// Edges of the IR, read by LLVM's `pgo-instr-use`.
    Ir,
    /// Samples, read by LLVM's `sample-profile`.
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
    /// The one that `arguments` name, if they do. What has to be converted or merged is written to `folder`.
    pub fn asked_for(
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

    /// Stands for what is read of the profile at `stage`.
    pub fn key(&self, stage: Stage) -> Key {
        KeyBuilder::new("profile-4").key(self.content).text(format!("{stage:?} {:?}", self.kind)).finish()
    }

    /// What branch weights are where the compiler has just read the profile.
    pub fn weights(&self) -> Weights {
        match self.kind {
            // An edge of a front-end profile is a counter, or a sum or difference of two.
            Kind::Source => Weights::Counts {
                largest: self.totals.map(|totals| totals.largest_count()),
                bound: self.totals.map(|totals| totals.largest_count().saturating_mul(2)),
            },
            // Of an IR profile, an edge may be the sum of many.
            Kind::Ir => Weights::Counts {
                largest: self.totals.map(|totals| totals.largest_count()),
                bound: self.totals.and_then(|totals| totals.total_count),
            },
            Kind::Samples => Weights::Samples,
        }
    }
}

/// The counts of the branches of a module, by function and block; none of branches that never ran.
pub type CountsByBlock = HashMap<(String, usize), BranchCounts>;

/// What is measured about the branches `scored` of a module. If the counts are exact, the frequencies of `functions` become
/// measured ones.
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
        let entries = function.entry_count.as_ref().filter(|entries| !entries.synthetic);
        let Some(entries) = entries.map(|entries| entries.count.0) else { continue };
        let name = function.function.to_string();
        let of = |block: usize| flow::of_branch(counts.get(&(name.clone(), block))?);
        let flow = Flow::new(function, entries, of);
        flow::measure(function, &flow, entries);
    }
    counts
}
