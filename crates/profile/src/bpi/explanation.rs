//! The parts of an explanation of branch probabilities.

use bpa_schema::ColdReason;
use cranelift_entity::EntityRef;

use super::edge_weights::EdgeEstimate;
use super::estimated_weights::weight;
use super::probability::Probability;
use crate::cfg::Block;
use crate::rules::{EstimateWeights, Rule};

/// The explanation of the probabilities of a block's edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Explanation {
    /// The block has a single successor.
    SingleSuccessor,
    /// The block is unreachable. No rule is applied, and all edges have the same probability.
    NotReached,
    /// The first rule that applies determines the probabilities.
    Decided(Decision),
}

/// The results of all rules for a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The predictions in the order of the rules. The first prediction determines the probabilities. The last
    /// prediction is always [`Rule::Even`].
    pub predictions: Vec<RulePrediction>,
    /// For each edge, the properties that the rules use.
    pub edges: Vec<EdgeFacts>,
    /// The number of edges whose estimated weight is 0, because the target block never completes.
    pub dead_ends: usize,
}

/// The prediction of one rule for the edges of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulePrediction {
    /// The rule.
    pub rule: Rule,
    /// The weights of the edges.
    pub weights: Vec<u32>,
    /// The weights before the division by `divisor`.
    pub undivided: Vec<u32>,
    /// The denominator of the probabilities: the low 32 bits of the sum of the weights.
    pub total: u32,
    /// The number by which the weights were divided so that their sum fits in 32 bits. Usually 1.
    pub divisor: u64,
    /// The resulting probabilities.
    pub probabilities: Vec<Probability>,
}

/// The properties of an edge that are the same for all rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeFacts {
    /// The estimate of the edge's weight.
    pub estimate: EdgeEstimate,
    /// The block or cycle that determines the weight of the edge. If the edge enters a cycle, the cycle determines the
    /// weight. Otherwise, the target block determines the weight.
    pub end: WeightOwner,
    /// The innermost cycle that contains the source block of the edge.
    pub around: Option<WeightOwner>,
    /// Whether the edge stays in the irreducible cycle `around`, but the rules treat the edge as an exit of the cycle
    /// ([`EdgeEstimate::leaves_cycle`]). LLVM assumes that strongly connected components do not nest with natural
    /// loops. If the edge leads to a natural loop inside the component, LLVM therefore treats the edge as an exit.
    pub stays_in_component: bool,
    /// For an unlikely successor, the constant that the condition tests in the next iteration.
    /// Otherwise `None`.
    pub unlikely_constant: Option<String>,
}

/// A block or cycle that can have an estimated weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightOwner {
    /// A block.
    Block(Block),
    /// The natural loop with this header.
    Loop(Block),
    /// The irreducible cycle with this header. The header of a strongly connected component is the first of its blocks
    /// in reverse postorder. Different irreducible cycles have different headers. The header of an irreducible cycle
    /// can also be the header of a natural loop.
    Cycle(Block),
}

impl From<WeightOwner> for bpa_schema::WeightOwner {
    fn from(owner: WeightOwner) -> Self {
        match owner {
            WeightOwner::Block(block) => bpa_schema::WeightOwner::Block(block.index()),
            WeightOwner::Loop(header) => bpa_schema::WeightOwner::Loop(header.index()),
            WeightOwner::Cycle(header) => bpa_schema::WeightOwner::Cycle(header.index()),
        }
    }
}

/// A natural loop or irreducible cycle of the rules for estimated weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedCycle {
    /// The name of the cycle in explanations.
    pub owner: WeightOwner,
    /// The index of the cycle around this cycle, in the list of all cycles.
    pub parent: Option<usize>,
    /// The blocks that are in this cycle, but in no inner cycle.
    pub blocks: Vec<Block>,
}

/// The steps by which a block or cycle got its weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derivation {
    /// The block from which the weight was propagated.
    pub origin: Block,
    /// The reason why `origin` rarely runs.
    pub reason: ColdReason,
    /// The number of steps that are omitted at the beginning of a long derivation.
    pub left_out: u32,
    /// The last steps. The last step leads to the block or cycle that is explained.
    pub steps: Vec<DerivationStep>,
}

/// One step of the propagation of a weight: from a block or cycle to another block or cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DerivationStep {
    /// The reason why the weight of the previous block or cycle is propagated to this block or cycle.
    pub via: Via,
    /// The block or cycle that gets the weight.
    pub to: WeightOwner,
}

/// The reason why a weight is propagated from one block or cycle to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// The previous block post-dominates this block, and this block dominates the previous block. Both blocks run
    /// equally often.
    PostDominance,
    /// All successors of this block have weights. The previous block or cycle is the successor with the highest weight.
    Successor {
        /// Whether all edges lead to the same successor.
        only: bool,
    },
    /// All exits of the cycle have a weight. The weight comes from the destination of the exit with the highest
    /// weight.
    Exit {
        /// Whether all exits lead to the same block or cycle.
        only: bool,
        /// Whether the weight was raised from 0 to 1, because a cycle can run even if it never completes.
        raised: bool,
    },
}

impl Decision {
    /// The prediction that determines the probabilities.
    pub fn decisive(&self) -> &RulePrediction {
        &self.predictions[0]
    }
}

impl EdgeFacts {
    /// Whether the estimated weight of the edge is 0, because the target block never completes.
    pub fn never_completes(&self) -> bool {
        self.estimate.known == Some(weight::ZERO)
    }

    /// The weight of the edge, before the weights of the block's edges are scaled so that their sum fits in 32 bits.
    pub(super) fn wide_weight(&self, numbers: &EstimateWeights) -> u32 {
        self.estimate.weight(numbers).unwrap_or(numbers.default)
    }
}
