//! Explains the probability of each edge, with names of the IR.

use bpa_schema::words::{full, Explained, IrWords};
use bpa_schema::{Cycle, Reason};
use cranelift_entity::EntityRef;

use super::reasons::Reasons;
use super::{is_unclear, write_reason};
use crate::names::edge_positions;
use crate::printers::{write_edge, HEADING};
use bpa_profile::bpi::Explainer;
use bpa_profile::cfg::{table, Block};
use bpa_profile::facts::{IrText, LoopConditions};
use bpa_profile::profile::Profile;

/// Appends to `out` the probability of every edge, and an explanation after each probability.
///
/// `explainer` must explain the same function as `profile`, and the function must be unchanged. The last two arguments
/// have the same meaning as for [`write_probabilities`](crate::write_probabilities).
pub fn write_explained_probabilities(
    profile: &Profile,
    explainer: &mut Explainer<impl LoopConditions>,
    ir_text: &impl IrText,
    write_name: impl Fn(Block, &mut Vec<u8>),
    out: &mut Vec<u8>,
) {
    let result = profile.branch_probabilities();
    let graph = profile.graph();
    out.extend_from_slice(HEADING);
    let unclear = |block| is_unclear(block, &write_name, ir_text);
    let vocabulary = IrWords(|block| ir_text.block_name(Block::new(block)));
    let mut reasons = Reasons::new(profile, explainer, ir_text);
    let mut totals = table(graph.block_count(), 0);
    let mut parallel = table(graph.block_count(), 0usize);
    for block in graph.blocks() {
        let targets = graph.successors(block);
        targets.iter().for_each(|&target| parallel[target] += 1);
        let mut of_block = reasons.of(block).into_iter();
        result.for_each_target(graph, block, &mut totals, |target, probability| {
            write_edge(block, target, probability, &write_name, out);
            if unclear(block) || unclear(target) {
                let [source, target] = [block, target].map(|block| ir_text.block_name(block));
                write_reason(out, &format!("({source} -> {target})"));
            }
            let reason = &of_block.next().expect("every edge has a reason");
            let (from, to) = (block.index(), target.index());
            for line in full(&Explained { reason, from, to, vocabulary: &vocabulary }) {
                write_reason(out, &line);
            }
            if parallel[target] > 1 {
                let line = format!("{} parallel edges; the probability is their sum.", parallel[target]);
                write_reason(out, &line);
            }
            if targets.len() > 1 {
                write_places(block, target, ir_text, out);
            }
        });
        targets.iter().for_each(|&target| parallel[target] = 0);
    }
}

/// Appends the source position of the branch at the end of `block`, and the source position of `target`. Unknown
/// positions are omitted.
fn write_places(block: Block, target: Block, ir_text: &impl IrText, out: &mut Vec<u8>) {
    let branch = ir_text.source(block).and_then(|source| source.branch.as_ref());
    let first = ir_text.source(target).and_then(|source| source.first.as_ref());
    if let Some(words) = edge_positions(branch, first) {
        write_reason(out, &format!("source: {words}."));
    }
}

/// The reasons for the probabilities of a function's edges.
#[derive(Clone, Debug)]
pub struct EdgeReasons {
    /// The reason for each edge, in the order of the edge indices.
    pub reasons: Vec<Reason<'static>>,
    /// The loops and cycles that the reasons name. The list is empty if the function has no irreducible cycle.
    pub cycles: Vec<Cycle>,
}

/// The reason for the probability of each edge in the function of `profile`.
pub fn edge_reasons(
    profile: &Profile,
    explainer: &mut Explainer<impl LoopConditions>,
    ir_text: &impl IrText,
) -> EdgeReasons {
    let mut reasons = Reasons::new(profile, explainer, ir_text);
    let of_edges = profile.graph().blocks().flat_map(|block| reasons.of(block)).collect();
    EdgeReasons { reasons: of_edges, cycles: reasons.cycles() }
}
