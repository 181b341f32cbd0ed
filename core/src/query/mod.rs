//! Questions to the results, and updates to them, for plugins that link this library.
//!
//! A [`FunctionProfile`] is everything that is known of one function: its edges with their probabilities, how often its
//! blocks run, its loops and its dominators. It is plain data, made from a [`FunctionFacts`]:
//!
//! ```
//! use bpa_core::bpi::Probability;
//! use bpa_core::dialect::Dialect;
//! use bpa_core::facts::FunctionFacts;
//! use bpa_core::query::{BlockFrequency, FunctionProfile};
//!
//! let llvm16 = Dialect::named("16").unwrap();
//! let (graph, block) = bpa_core::cfg::parse_graph("entry -> loop; loop -> loop exit; exit").unwrap();
//! let profile = FunctionProfile::of(&FunctionFacts::from(graph), llvm16);
//!
//! // A loop goes round 31 times in 32 where nothing else is known of it.
//! assert_eq!(profile.successor_probability(block("loop"), block("exit")), Probability::ratio(1, 32));
//! assert!(profile.is_edge_hot(block("loop"), block("loop")));
//! assert_eq!(profile.hot_successor(block("loop")), Some(block("loop")));
//! assert_eq!(profile.frequency(block("loop")).to_string(), "32.0");
//! assert_eq!(profile.frequency(block("exit")), BlockFrequency::UNITY);
//!
//! assert!(profile.dominators().dominates(block("loop"), block("exit")));
//! let natural = profile.loops().innermost(block("loop")).unwrap();
//! assert_eq!(profile.loops().preheader(profile.graph(), natural), Some(block("entry")));
//! ```
//!
//! # Updates
//!
//! A pass that transforms a function tells the profile what it does, and the answers stay right without working
//! everything out again, as far as each method says. [`FunctionProfile::recompute`] works out frequencies and structure
//! again from the edges as they have become.
//!
//! ```
//! use bpa_core::bpi::Probability;
//! use bpa_core::dialect::Dialect;
//! use bpa_core::facts::FunctionFacts;
//! use bpa_core::query::FunctionProfile;
//!
//! let llvm16 = Dialect::named("16").unwrap();
//! let (graph, block) = bpa_core::cfg::parse_graph("entry -> then end; then -> end; end").unwrap();
//! let mut profile = FunctionProfile::of(&FunctionFacts::from(graph), llvm16);
//! let (entry, then, end) = (block("entry"), block("then"), block("end"));
//!
//! // A pass puts a block on the edge from entry to end.
//! let middle = profile.add_block(profile.edge_frequency(entry, 1));
//! profile.set_successors(middle, &[(end, Probability::ONE)])?;
//! let half = Probability::ratio(1, 2);
//! profile.set_successors(entry, &[(then, half), (middle, half)])?;
//! assert_eq!(profile.frequency(middle), profile.frequency(then));
//! # Ok::<(), bpa_core::query::UpdateError>(())
//! ```
//!
//! | file | its one idea |
//! | --- | --- |
//! | `frequency` | frequencies that can be compared, added and scaled |
//! | `edges` | edges in a form that can be changed |
//! | `answers` | questions to edges and blocks |
//! | `update` | changes |

mod answers;
mod edges;
mod frequency;
#[cfg(test)]
mod properties;
mod update;

use std::cell::OnceCell;

use cranelift_entity::PrimaryMap;

pub use frequency::BlockFrequency;
pub use update::UpdateError;

use crate::bfi::bias::BlockBiases;
use crate::bfi::{BlockFrequencies, FrequencyAnalysis, FrequencyInput, Scaled};
use crate::bpi::{BranchProbabilities, Probability};
use crate::cfg::{Block, Dominators, Graph, Loop, LoopForest, PostDominators, Sccs, Workspace};
use crate::dialect::Dialect;
use crate::facts::{EntryCount, FunctionFacts, LoopConditions, NoConditions};
use edges::Edges;

/// What is known of one function: edges with their probabilities, frequencies, loops, dominators.
///
/// Blocks are known by their number in layout order; the entry is block 0. Unless a method says otherwise it panics if
/// it is asked about a block that the function does not have.
pub struct FunctionProfile {
    edges: Edges,
    frequencies: BlockFrequencies,
    structure: Structure,
    header_weights: Vec<(Block, u64)>,
    entry_count: Option<EntryCount>,
    dialect: &'static Dialect,
}

/// The function as it was when frequencies were last worked out.
struct Structure {
    graph: Graph,
    probabilities: Vec<Probability>,
    workspace: Workspace,
    post_dominators: OnceCell<PostDominators>,
    sccs: OnceCell<Sccs>,
    biases: OnceCell<BlockBiases>,
    loop_scales: OnceCell<PrimaryMap<Loop, Scaled>>,
}

impl FunctionProfile {
    /// The profile of a function that is known as plain data, as the LLVM of `dialect` would have it.
    ///
    /// Nothing is known of values: the one rule that follows them around loops has no answers.
    pub fn of(snapshot: &FunctionFacts, dialect: &'static Dialect) -> Self {
        Self::with_conditions(snapshot, &mut NoConditions, dialect)
    }

    /// The same, with what is known of values behind loop conditions, and as the LLVM of `dialect` would have it.
    pub fn with_conditions(
        snapshot: &FunctionFacts,
        conditions: &mut impl LoopConditions,
        dialect: &'static Dialect,
    ) -> Self {
        let mut workspace = Workspace::default();
        workspace.compute(&snapshot.graph);
        let result = BranchProbabilities::compute(snapshot, &mut workspace, conditions);
        let structure = Structure::new(snapshot.graph.clone(), result.probabilities().to_vec(), workspace);
        FunctionProfile {
            edges: Edges::new(&snapshot.graph, &result),
            frequencies: structure.frequencies(&snapshot.header_weights, dialect),
            structure,
            header_weights: snapshot.header_weights.clone(),
            entry_count: snapshot.entry_count,
            dialect,
        }
    }

    /// Works out frequencies, biases, loops and dominators again, from the edges as they are now. Probabilities stay, and
    /// so do the numbers of blocks; frequencies that were set are overruled.
    ///
    /// For a function that has only been changed by the methods here, this gives what an analysis from scratch gives
    /// for the same edges and probabilities, to the last bit.
    pub fn recompute(&mut self) {
        let (graph, probabilities) = self.edges.to_graph();
        let mut workspace = std::mem::take(&mut self.structure.workspace);
        workspace.compute(&graph);
        self.structure = Structure::new(graph, probabilities, workspace);
        self.frequencies = self.structure.frequencies(&self.header_weights, self.dialect);
    }

    /// The graph as it was when frequencies were last worked out. Loops and dominators speak of this graph;
    /// [`successors`](Self::successors) has the edges as they are now.
    pub fn graph(&self) -> &Graph {
        &self.structure.graph
    }

    /// Who dominates whom in [`graph`](Self::graph).
    pub fn dominators(&self) -> &Dominators {
        &self.structure.workspace.dominators
    }

    /// Who post-dominates whom in [`graph`](Self::graph). Computed when it is first asked for.
    pub fn post_dominators(&self) -> &PostDominators {
        self.structure.post_dominators.get_or_init(|| {
            let mut post_dominators = PostDominators::default();
            post_dominators.compute(self.graph());
            post_dominators
        })
    }

    /// The natural loops of [`graph`](Self::graph).
    pub fn loops(&self) -> &LoopForest {
        &self.structure.workspace.loops
    }

    /// The strongly connected components of [`graph`](Self::graph) with at least two blocks. Computed when they are
    /// first asked for.
    pub fn sccs(&self) -> &Sccs {
        self.structure.sccs.get_or_init(|| {
            let mut sccs = Sccs::default();
            sccs.compute(self.graph());
            sccs
        })
    }

    fn biases(&self) -> &BlockBiases {
        let Structure { biases, .. } = &self.structure;
        biases.get_or_init(|| {
            let input = self.structure.input(&self.header_weights, self.dialect);
            FrequencyAnalysis::default().compute_biases(&input, &self.frequencies)
        })
    }
}

impl Structure {
    /// `workspace` is computed for `graph`.
    fn new(graph: Graph, probabilities: Vec<Probability>, workspace: Workspace) -> Self {
        Structure {
            graph,
            probabilities,
            workspace,
            post_dominators: OnceCell::new(),
            sccs: OnceCell::new(),
            biases: OnceCell::new(),
            loop_scales: OnceCell::new(),
        }
    }

    fn frequencies(&self, header_weights: &[(Block, u64)], dialect: &Dialect) -> BlockFrequencies {
        FrequencyAnalysis::default().compute(&self.input(header_weights, dialect))
    }

    fn input<'a>(&'a self, header_weights: &'a [(Block, u64)], dialect: &Dialect) -> FrequencyInput<'a> {
        FrequencyInput {
            graph: &self.graph,
            tree: &self.workspace.tree,
            loops: &self.workspace.loops,
            probabilities: &self.probabilities,
            header_weights,
            scaling: dialect.frequency_scaling,
            probing: dialect.hash_probing,
        }
    }
}
