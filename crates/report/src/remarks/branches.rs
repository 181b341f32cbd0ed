//! Creates a remark for each branch. The remark contains the successors of the branch, the probability of each
//! successor, and the reason.

use std::cmp::Reverse;

use bpa_schema::words::{Explained, IrWords};
use bpa_schema::Reason;
use cranelift_entity::EntityRef;

use super::{beginnings, Remark, RemarkLimits, RemarkPart, RemarkPlace, RemarkedFunction};
use crate::successors::{Successor, Successors};
use bpa_profile::bpi::{Probability, Rule};
use bpa_profile::cfg::Block;

/// The maximum number of successors that a remark lists.
const MOST_LISTED: usize = 6;

/// Creates a remark about each branch with several successors, in layout order. `limits` determines which remarks are
/// kept. `reasons` has the reason for the probability of each edge.
pub fn branch_remarks(function: &RemarkedFunction, reasons: &[Reason], limits: RemarkLimits) -> Vec<Remark> {
    let graph = function.profile.graph();
    let branches = graph.blocks().filter(|&block| graph.successors(block).len() > 1);
    let mut all = Successors::new(function.profile);
    let mut remarks = Vec::new();
    for block in branches {
        let mut successors = all.of(block);
        successors.sort_by_key(|successor| (Reverse(successor.probability), successor.first_edge));
        if successors[0].probability >= limits.at_least {
            remarks.push(remark(function, block, &successors, reasons));
        }
    }
    limits.most_frequent(function.profile, remarks)
}

/// The remark about the branch of `block`. The likeliest of `successors` comes first. The remark explains the
/// probability of the least likely successor, because its reason is usually more specific.
fn remark(function: &RemarkedFunction, block: Block, successors: &[Successor], reasons: &[Reason]) -> Remark {
    let listed = &successors[..successors.len().min(MOST_LISTED)];
    let rarest =
        successors.iter().min_by_key(|successor| successor.probability).expect("a branch has successors");
    let mut targets: Vec<Block> = listed.iter().map(|successor| successor.target).collect();
    let explained = targets.iter().position(|&target| target == rarest.target).unwrap_or(targets.len());
    targets.extend((explained == targets.len()).then_some(rarest.target));
    let beginnings = beginnings(function, block, &targets);
    let mut parts = Vec::new();
    for (successor, beginning) in listed.iter().zip(&beginnings) {
        if !parts.is_empty() {
            parts.push(RemarkPart::plain(", "));
        }
        parts.push(RemarkPart::named("Share", share(successor.probability)));
        parts.push(RemarkPart::plain(" to "));
        parts.push(RemarkPart { begins: Some(successor.target), ..RemarkPart::named("To", beginning) });
    }
    if successors.len() > listed.len() {
        let rest = successors[listed.len()..]
            .iter()
            .map(|successor| successor.probability.numerator())
            .fold(0, u32::saturating_add);
        let rest = Probability::from_numerator(rest.min(Probability::DENOMINATOR));
        parts.push(RemarkPart::plain(", "));
        parts.push(RemarkPart::named("OtherShare", share(rest)));
        parts.push(RemarkPart::plain(" to "));
        parts.push(RemarkPart::named("Others", successors.len() - listed.len()));
        parts.push(RemarkPart::plain(" others"));
    }
    parts.push(RemarkPart::plain("; "));
    let rule = function.profile.rule(block).unwrap_or_default();
    parts.push(RemarkPart::named("Rule", rule));
    if rule != Rule::Even {
        parts.push(RemarkPart::plain(" for "));
        parts.push(RemarkPart::named("For", &beginnings[explained]));
    }
    parts.push(RemarkPart::plain(": "));
    let vocabulary = &IrWords(|block| function.names.blocks[Block::new(block)].clone());
    let (from, to, reason) = (block.index(), rarest.target.index(), &reasons[rarest.first_edge]);
    parts.push(RemarkPart::named("Reason", Explained { reason, from, to, vocabulary }.clause()));
    Remark { name: "BranchProbability", about: RemarkPlace::Branch(block), parts }
}

fn share(probability: Probability) -> String {
    format!("{:.2}%", probability.percentage())
}
