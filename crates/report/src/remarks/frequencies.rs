//! Creates remarks about how often branches and loops run.

use super::{Remark, RemarkLimits, RemarkPart, RemarkPlace, RemarkedFunction};
use bpa_profile::bfi::nest::NestedLoop;
use bpa_profile::cfg::Block;

/// Creates remarks about how often the loops and branches of a function run. `limits` restricts the remarks. Remarks
/// about loops precede remarks about branches.
pub fn frequency_remarks(function: &RemarkedFunction, limits: RemarkLimits) -> Vec<Remark> {
    let (graph, nest) = (function.profile.graph(), function.profile.nest());
    let branches = graph.blocks().filter(|&block| graph.successors(block).len() > 1);
    let loops = nest.loops().map(|nested| loop_remark(function, nested));
    let remarks = loops.chain(branches.map(|block| branch_remark(function, block))).collect();
    limits.most_frequent(function.profile, remarks)
}

fn branch_remark(function: &RemarkedFunction, block: Block) -> Remark {
    let frequency = function.profile.block_frequencies().scaled(block);
    let mut parts = vec![
        RemarkPart::plain("runs "),
        RemarkPart::named("Frequency", format!("{frequency:.5}")),
        RemarkPart::plain(" times per call of the function"),
    ];
    parts.extend(count(function, block));
    Remark { name: "BlockFrequency", about: RemarkPlace::Branch(block), parts }
}

fn loop_remark(function: &RemarkedFunction, nested: NestedLoop) -> Remark {
    let (graph, nest) = (function.profile.graph(), function.profile.nest());
    let header = nest.headers(nested)[0];
    let latches = graph.predecessors(header).iter().copied();
    let mut latches: Vec<Block> = latches.filter(|&block| nest.contains(nested, block)).collect();
    latches.dedup();
    let (iterations, entries) = (nest.scale(nested), nest.entries(nested));
    let mut parts = Vec::new();
    if nest.is_irreducible(nested) {
        parts.push(RemarkPart::plain("irreducible loop of "));
        parts.push(RemarkPart::named("Headers", nest.headers(nested).len()));
        parts.push(RemarkPart::plain(" headers"));
    } else {
        parts.push(RemarkPart::plain("loop"));
    }
    parts.extend([
        RemarkPart::plain(" has "),
        RemarkPart::named("Iterations", format!("{iterations:.5}")),
        RemarkPart::plain(" iterations per entry and "),
        RemarkPart::named("Entries", format!("{entries:.5}")),
        RemarkPart::plain(" entries per call of the function"),
    ]);
    parts.extend(count(function, header));
    Remark { name: "LoopFrequency", about: RemarkPlace::Loop { header, latches }, parts }
}

/// The parts of a remark that contain the profiled count of `block`. If the function has no profile, the result is
/// empty.
fn count(function: &RemarkedFunction, block: Block) -> impl IntoIterator<Item = RemarkPart> {
    let count = function.profile.count(block).into_iter();
    count.flat_map(|count| [RemarkPart::plain("; count "), RemarkPart::named("Count", count)])
}
