//! Branch probabilities: the probability of each edge of every block with several successors.
//!
//! The first rule that applies to a block determines the probabilities of its edges. The [rule set](crate::rules)
//! determines the order of the rules. The result contains the probabilities, the rule for each block, and the integer
//! weights from which the probabilities are computed.

mod analysis;
mod annotation;
mod branch_probabilities;
mod control_equivalence;
mod cycles;
mod edge_weights;
mod estimate;
mod estimated_weights;
mod explainer;
mod explanation;
mod heuristics;
mod metadata;
#[cfg(test)]
mod naive;
mod out_edges;
mod predictions;
mod probability;
mod provenance;
// The module is hidden because its interface is not stable. The module is only public if a feature is enabled.
#[cfg(any(test, feature = "test-support"))]
#[doc(hidden)]
pub mod test_support;
#[cfg(test)]
mod tests;

pub use crate::rules::Rule;
pub use analysis::{edge_estimates, EdgeEstimates};
pub use annotation::{plan_annotations, Annotation, AnnotationRules, Inexpressible};
pub use bpa_schema::ColdReason;
pub use branch_probabilities::BranchProbabilities;
pub(crate) use branch_probabilities::ParallelEdges;
pub use edge_weights::EdgeEstimate;
pub use explainer::Explainer;
pub use explanation::{
    Decision, Derivation, DerivationStep, EdgeFacts, Explanation, NamedCycle, RulePrediction, Via,
    WeightOwner,
};
pub use heuristics::condition_weights;
pub use predictions::{Contribution, LogOdds, PredictionError, PredictionSource, Predictions};
pub use probability::Probability;
