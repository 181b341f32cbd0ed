//! Branch probabilities: for every block with several successors, how likely each edge is.
//!
//! Rules are tried in a fixed order (see [`Rule`]), and the first that has an answer decides. The result keeps,
//! beside the probabilities, which rule that was and the integer weights it weighed with.

mod analysis;
mod annotation;
mod branch_probabilities;
mod cold_reason;
mod control_equivalence;
mod cycles;
mod edge_weights;
mod estimate;
mod estimated_weights;
mod exits;
mod explanation;
mod heuristics;
mod metadata;
#[cfg(any(test, feature = "definitions"))]
#[doc(hidden)]
pub mod naive;
mod observer;
mod out_edges;
mod parallel_edges;
mod predictions;
mod probability;
mod provenance;
mod raise;
#[cfg(any(test, feature = "test-support"))]
#[doc(hidden)]
pub mod test_support;
#[cfg(test)]
mod tests;

pub use crate::rules::Rule;
pub use analysis::edge_estimates;
pub use annotation::{plan_annotations, Annotation, AnnotationRules, Inexpressible};
pub use branch_probabilities::BranchProbabilities;
pub use cold_reason::ColdReason;
pub use edge_weights::EdgeEstimate;
pub use explanation::{
    Answer, Decision, Derivation, DerivationStep, EdgeFacts, Explainer, Explanation, Via, WeightOwner,
};
#[doc(hidden)]
pub use heuristics::judge;
pub(crate) use parallel_edges::ParallelEdges;
pub use predictions::{Contribution, LogOdds, PredictionSource, Predictions};
pub use probability::Probability;
