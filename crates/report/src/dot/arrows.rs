//! Finds the arrows of a picture. An arrow represents all parallel edges from one block to another block.

use crate::successors::{Successor, Successors};
use bpa_profile::bfi::Scaled;
use bpa_profile::cfg::Block;
use bpa_profile::profile::Profile;

/// All edges from one block to another block. The picture shows these edges as one arrow.
pub(super) struct Arrow {
    pub source: Block,
    pub successor: Successor,
    /// Whether all edges of the source block lead to this successor.
    pub is_alone: bool,
    /// The mean number of executions of the edges per call of the function.
    pub flow: Scaled,
}

/// The arrows of a function, sorted by source block. The arrows of a block are in the order of the block's successors.
pub(super) fn collect(profile: &Profile) -> Vec<Arrow> {
    let mut successors = Successors::new(profile);
    let mut arrows: Vec<Arrow> = Vec::new();
    for source in profile.graph().blocks() {
        let successors = successors.of(source);
        let is_alone = successors.len() == 1;
        let frequency = profile.block_frequencies().scaled(source);
        arrows.extend(successors.into_iter().map(|successor| {
            let flow = frequency * Scaled::new(successor.probability.numerator().into(), -31);
            Arrow { source, successor, is_alone, flow }
        }));
    }
    arrows
}
