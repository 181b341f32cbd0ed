//! A remark for each branch: where it goes, how likely, and why.

use std::cmp::Reverse;

use bpa_schema::words::{Explained, IrWords};
use bpa_schema::Reason;
use cranelift_entity::EntityRef;

use super::{beginnings, Remark, RemarkLimits, RemarkPart, RemarkPlace, RemarkedFunction};
use bpa_profile::bpi::Probability;
use bpa_profile::cfg::{table, Block};

/// The most ways of a branch that are told one by one.
const MOST_TOLD: usize = 6;

/// Remarks about the branches of a function that have several successors, those that are wanted, in layout order.
/// `reasons` are those of its edges.
pub fn branch_remarks(function: &RemarkedFunction, reasons: &[Reason], limits: RemarkLimits) -> Vec<Remark> {
    let graph = function.profile.graph();
    let branches = graph.blocks().filter(|&block| graph.successors(block).len() > 1);
    let mut totals = table(graph.block_count(), 0);
    let mut remarks = Vec::new();
    for block in branches {
        let mut ways: Vec<Way> = Vec::new();
        let result = function.profile.branch_probabilities();
        let mut edges = graph.edges(block);
        result.for_each_target(graph, block, &mut totals, |target, probability| {
            ways.extend(edges.next().map(|edge| Way { target, probability, edge }));
        });
        // Parallel edges are one way.
        ways.sort_by_key(|way| way.target);
        ways.dedup_by_key(|way| way.target);
        ways.sort_by_key(|way| (Reverse(way.probability), way.edge));
        if ways[0].probability >= limits.at_least {
            remarks.push(remark(function, block, &ways, &reasons[ways[0].edge]));
        }
    }
    limits.most_frequent(function.profile, remarks)
}

/// A block that a branch leads to.
struct Way {
    target: Block,
    /// By any edge.
    probability: Probability,
    /// The first edge that leads there.
    edge: usize,
}

/// The remark about the branch of `block`; `reason` is that of its likeliest way, the first of `ways`.
fn remark(function: &RemarkedFunction, block: Block, ways: &[Way], reason: &Reason) -> Remark {
    let told = &ways[..ways.len().min(MOST_TOLD)];
    let targets: Vec<Block> = told.iter().map(|way| way.target).collect();
    let mut parts = Vec::new();
    for (way, beginning) in told.iter().zip(beginnings(function, block, &targets)) {
        if !parts.is_empty() {
            parts.push(RemarkPart::plain(", "));
        }
        parts.push(RemarkPart::named("Share", share(way.probability)));
        parts.push(RemarkPart::plain(" to "));
        parts.push(RemarkPart { begins: Some(way.target), ..RemarkPart::named("To", beginning) });
    }
    if ways.len() > told.len() {
        let rest =
            ways[told.len()..].iter().map(|way| way.probability.numerator()).fold(0, u32::saturating_add);
        let rest = Probability::from_numerator(rest.min(Probability::DENOMINATOR));
        parts.push(RemarkPart::plain(", "));
        parts.push(RemarkPart::named("OtherShare", share(rest)));
        parts.push(RemarkPart::plain(" to "));
        parts.push(RemarkPart::named("Others", ways.len() - told.len()));
        parts.push(RemarkPart::plain(" others"));
    }
    parts.push(RemarkPart::plain("; "));
    parts.push(RemarkPart::named("Rule", function.profile.rule(block).unwrap_or_default().name()));
    parts.push(RemarkPart::plain(": "));
    let vocabulary = &IrWords(|block| function.names.blocks[Block::new(block)].clone());
    let (from, to) = (block.index(), ways[0].target.index());
    parts.push(RemarkPart::named("Reason", Explained { reason, from, to, vocabulary }.clause()));
    Remark { name: "BranchProbability", about: RemarkPlace::Branch(block), parts }
}

fn share(probability: Probability) -> String {
    format!("{:.2}%", probability.percentage())
}
