//! Where each block's frequency comes from.

use std::cmp::Reverse;

use cranelift_entity::PrimaryMap;

use super::{is_unclear, write_reason};
use crate::frequencies::{write_block, write_title};
use bpa_profile::bfi::nest::{BlockShare, NestedLoop};
use bpa_profile::bfi::{FrequencyMethod, Scaled};
use bpa_profile::bpi::Probability;
use bpa_profile::cfg::{table, Block};
use bpa_profile::dialect::IrreducibleMass;
use bpa_profile::facts::IrText;
use bpa_profile::profile::Profile;

/// How many predecessors of a block, or headers of a loop, are told one by one.
const MOST_NAMED: usize = 6;

/// Appends the frequency of every block to `out`, and under each where it comes from.
///
/// The rest is as for [`write_frequencies`](crate::write_frequencies).
pub fn write_explained_frequencies(
    function: &[u8],
    profile: &Profile,
    ir_text: &impl IrText,
    write_name: impl Fn(Block, &mut Vec<u8>),
    out: &mut Vec<u8>,
) {
    write_title(function, out);
    let sources = sources(profile);
    for block in profile.graph().blocks() {
        write_block(block, profile, &write_name, out);
        if is_unclear(block, &write_name, ir_text) {
            write_reason(out, &format!("({})", ir_text.block_name(block)));
        }
        Reason { profile, ir_text, block }.write(&sources[block], out);
        if let Some(first) = ir_text.source(block).and_then(|source| source.first.as_ref()) {
            write_reason(out, &format!("source: at {first}."));
        }
    }
    out.push(b'\n');
}

/// A block that passes mass on, with the probability of going to one certain successor by any edge.
type Source = (Block, Probability);

/// For each block the blocks that lead to it, each once, of those that the entry reaches.
fn sources(profile: &Profile) -> PrimaryMap<Block, Vec<Source>> {
    let graph = profile.graph();
    let mut sources: PrimaryMap<Block, Vec<Source>> = table(graph.block_count(), Vec::new());
    let mut totals = table(graph.block_count(), 0);
    for block in graph.blocks().filter(|&block| profile.nest().share(block).is_some()) {
        profile.branch_probabilities().for_each_target(graph, block, &mut totals, |target, probability| {
            if sources[target].last().is_none_or(|&(last, _)| last != block) {
                sources[target].push((block, probability));
            }
        });
    }
    sources
}

/// One block, and whom to ask about it.
struct Reason<'a, P> {
    profile: &'a Profile,
    ir_text: &'a P,
    block: Block,
}

impl<P: IrText> Reason<'_, P> {
    fn write(&self, sources: &[Source], out: &mut Vec<u8>) {
        let (profile, nest) = (self.profile, self.profile.nest());
        let Some(own) = nest.share(self.block) else {
            return write_reason(out, "not reached: no way leads here from the entry.");
        };
        if self.block == profile.graph().entry() {
            write_reason(out, "entry: every call of the function starts here.");
        }
        self.write_sources(sources, out);
        if let Some(around) = nest.innermost(self.block) {
            if own.is_header {
                self.write_header(own, around, out);
            } else {
                self.write_member(own, around, out);
            }
        }
        if let (Some(entries), Some(count)) = (profile.facts().measured_entries(), profile.count(self.block))
        {
            let frequency = profile.block_frequencies().scaled(self.block);
            let line = format!("count: {frequency:.5} for each of {entries} measured entries make {count}.");
            write_reason(out, &line);
        }
    }

    /// Who passes how much on, most of it first.
    fn write_sources(&self, sources: &[Source], out: &mut Vec<u8>) {
        let frequency = |block| self.profile.block_frequencies().scaled(block);
        let passed = |&(source, probability): &Source| frequency(source) * share(probability);
        let mut sorted: Vec<&Source> = sources.iter().collect();
        sorted.sort_by_key(|source| Reverse(passed(source)));
        for &source in sorted.iter().take(MOST_NAMED) {
            let line = format!(
                "{:.5} from {}: {:.2}% of {:.5}.",
                passed(source),
                self.ir_text.block_name(source.0),
                source.1.percentage(),
                frequency(source.0),
            );
            write_reason(out, &line);
        }
        if let Some(rest) = sorted.len().checked_sub(MOST_NAMED).filter(|&rest| rest > 0) {
            let most = passed(sorted[MOST_NAMED]);
            write_reason(out, &format!("{rest} more, at most {most:.5} from each."));
        }
    }

    /// What makes a loop turn, told of its header.
    fn write_header(&self, own: BlockShare, around: NestedLoop, out: &mut Vec<u8>) {
        let nest = self.profile.nest();
        let (entries, scale, back) = (nest.entries(around), nest.scale(around), nest.back(around));
        let is_irreducible = nest.is_irreducible(around);
        if is_irreducible {
            self.write_header_share(own, around, out);
        }
        let kind = if is_irreducible { "irreducible loop" } else { "loop header" };
        let line = if nest.is_infinite(around) {
            format!("{kind}: nothing leaves the loop; LLVM lets it turn {scale:.5} times.")
        } else if is_irreducible && self.shares_turns_among_all() {
            format!(
                "{kind}: each block, or loop inside, is a turn, of which {back:.5} go on in the loop, which makes \
                 {scale:.5} iterations an entry."
            )
        } else {
            format!("{kind}: {back:.5} of each turn comes back, which makes {scale:.5} iterations an entry.")
        };
        write_reason(out, &line);
        write_reason(out, &format!("entered {entries:.5} times for each call of the function."));
    }

    /// Whether an irreducible loop's iterations are those of all its nodes, and not of its headers alone.
    fn shares_turns_among_all(&self) -> bool {
        self.profile.method() == FrequencyMethod::Llvm
            && self.profile.dialect().irreducible_mass == IrreducibleMass::ByNodes
    }

    /// How several headers share a turn.
    fn write_header_share(&self, own: BlockShare, around: NestedLoop, out: &mut Vec<u8>) {
        let nest = self.profile.nest();
        let headers = nest.headers(around);
        let name = |&header: &Block| self.ir_text.block_name(header);
        let named: Vec<String> = headers.iter().take(MOST_NAMED).map(name).collect();
        let line = format!(
            "irreducible: {} headers ({}{}) share {}: {:.5} for {}.",
            headers.len(),
            named.join(", "),
            if headers.len() > named.len() { ", ..." } else { "" },
            match (self.profile.method(), self.shares_turns_among_all(), nest.has_weights(around)) {
                (FrequencyMethod::Exact, ..) => "each turn by what comes to each",
                (_, false, true) => "each turn by irr_loop weights",
                (_, false, false) => "each turn by what LLVM sees come back to each",
                (_, true, true) =>
                    "all iterations with the rest of the loop, by irr_loop weights and what flows on from there",
                (_, true, false) =>
                    "all iterations with the rest of the loop, by what flows around it until that settles",
            },
            own.per_iteration,
            name(&self.block),
        );
        write_reason(out, &line);
    }

    /// How often a block runs in the loop around it.
    fn write_member(&self, own: BlockShare, around: NestedLoop, out: &mut Vec<u8>) {
        let nest = self.profile.nest();
        let (entries, scale) = (nest.entries(around), nest.scale(around));
        let line = format!(
            "in the loop of {}: {:.5} of a turn, {scale:.5} iterations an entry, {entries:.5} entries.",
            self.ir_text.block_name(nest.headers(around)[0]),
            own.per_iteration,
        );
        write_reason(out, &line);
    }
}

/// A probability as a number.
fn share(probability: Probability) -> Scaled {
    Scaled::new(probability.numerator().into(), -31)
}
