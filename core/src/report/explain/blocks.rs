//! Where each block's frequency comes from.

use std::cmp::Reverse;

use cranelift_entity::PrimaryMap;

use super::{is_unclear, write_reason};
use crate::bfi::nest::{BlockShare, LoopNest, NestedLoop};
use crate::bfi::{BlockFrequencies, Scaled};
use crate::bpi::{BranchProbabilities, Probability};
use crate::cfg::{table, Block};
use crate::facts::{FunctionFacts, IrText};
use crate::report::frequencies::{measured_entries, write_block, write_title};
use crate::report::probabilities::percentage;

/// How many predecessors of a block, or headers of a loop, are told one by one.
const MOST_NAMED: usize = 6;

/// What the frequencies of a function rest on.
pub struct FrequencyGrounds<'a> {
    /// The function.
    pub snapshot: &'a FunctionFacts,
    /// Its branch probabilities.
    pub probabilities: &'a BranchProbabilities,
    /// Its block frequencies.
    pub frequencies: &'a BlockFrequencies,
    /// Its loops, which these are made of.
    pub nest: &'a LoopNest,
}

/// Appends the frequency of every block to `page`, and under each where it comes from.
///
/// The rest is as for [`write_frequencies`](crate::report::write_frequencies).
pub fn write_explained_frequencies(
    function: &[u8],
    grounds: &FrequencyGrounds,
    particulars: &impl IrText,
    write_name: impl Fn(Block, &mut Vec<u8>),
    page: &mut Vec<u8>,
) {
    let FrequencyGrounds { snapshot, frequencies, .. } = *grounds;
    write_title(function, page);
    let sources = sources(grounds);
    for block in snapshot.graph.blocks() {
        write_block(block, snapshot, frequencies, &write_name, page);
        if is_unclear(block, &write_name, particulars) {
            write_reason(page, &format!("({})", particulars.block_name(block)));
        }
        Reason { grounds, particulars, block }.write(&sources[block], page);
    }
    page.push(b'\n');
}

/// A block that passes mass on, with the probability of going to one certain successor by any edge.
type Source = (Block, Probability);

/// For each block the blocks that lead to it, each once, of those that the entry reaches.
fn sources(grounds: &FrequencyGrounds) -> PrimaryMap<Block, Vec<Source>> {
    let graph = &grounds.snapshot.graph;
    let mut sources: PrimaryMap<Block, Vec<Source>> = table(graph.block_count(), Vec::new());
    let mut totals = table(graph.block_count(), 0);
    for block in graph.blocks().filter(|&block| grounds.nest.share(block).is_some()) {
        grounds.probabilities.for_each_target(graph, block, &mut totals, |target, probability| {
            if sources[target].last().is_none_or(|&(last, _)| last != block) {
                sources[target].push((block, probability));
            }
        });
    }
    sources
}

/// One block, and whom to ask about it.
struct Reason<'a, P> {
    grounds: &'a FrequencyGrounds<'a>,
    particulars: &'a P,
    block: Block,
}

impl<P: IrText> Reason<'_, P> {
    fn write(&self, sources: &[Source], page: &mut Vec<u8>) {
        let FrequencyGrounds { snapshot, frequencies, nest, .. } = *self.grounds;
        let Some(own) = nest.share(self.block) else {
            return write_reason(page, "not reached: no way leads here from the entry.");
        };
        if self.block == snapshot.graph.entry() {
            write_reason(page, "entry: every call of the function starts here.");
        }
        self.write_sources(sources, page);
        if let Some(around) = nest.innermost(self.block) {
            if own.is_header {
                self.write_header(own, around, page);
            } else {
                self.write_member(own, around, page);
            }
        }
        if let Some(entries) = measured_entries(snapshot) {
            let count = frequencies.count(self.block, entries);
            let frequency = frequencies.scaled(self.block);
            let line = format!("count: {frequency:.5} for each of {entries} measured entries make {count}.");
            write_reason(page, &line);
        }
    }

    /// Who passes how much on, most of it first.
    fn write_sources(&self, sources: &[Source], page: &mut Vec<u8>) {
        let frequency = |block| self.grounds.frequencies.scaled(block);
        let passed = |&(source, probability): &Source| frequency(source) * share(probability);
        let mut ranked: Vec<&Source> = sources.iter().collect();
        ranked.sort_by_key(|source| Reverse(passed(source)));
        for &source in ranked.iter().take(MOST_NAMED) {
            let line = format!(
                "{:.5} from {}: {:.2}% of {:.5}.",
                passed(source),
                self.particulars.block_name(source.0),
                percentage(source.1),
                frequency(source.0),
            );
            write_reason(page, &line);
        }
        if let Some(rest) = ranked.len().checked_sub(MOST_NAMED).filter(|&rest| rest > 0) {
            let most = passed(ranked[MOST_NAMED]);
            write_reason(page, &format!("{rest} more, at most {most:.5} from each."));
        }
    }

    /// What makes a loop turn, told of its header.
    fn write_header(&self, own: BlockShare, around: NestedLoop, page: &mut Vec<u8>) {
        let nest = self.grounds.nest;
        let (entries, scale, back) = (nest.entries(around), nest.scale(around), nest.back(around));
        let is_irreducible = nest.is_irreducible(around);
        if is_irreducible {
            self.write_header_share(own, around, page);
        }
        let kind = if is_irreducible { "irreducible loop" } else { "loop header" };
        let line = if nest.is_endless(around) {
            format!("{kind}: nothing leaves the loop; LLVM lets it turn {scale:.5} times.")
        } else {
            format!("{kind}: {back:.5} of each turn comes back, which makes {scale:.5} turns an entry.")
        };
        write_reason(page, &line);
        write_reason(page, &format!("entered {entries:.5} times for each call of the function."));
    }

    /// How several headers share a turn.
    fn write_header_share(&self, own: BlockShare, around: NestedLoop, page: &mut Vec<u8>) {
        let nest = self.grounds.nest;
        let headers = nest.headers(around);
        let name = |&header: &Block| self.particulars.block_name(header);
        let named: Vec<String> = headers.iter().take(MOST_NAMED).map(name).collect();
        let line = format!(
            "irreducible: {} headers ({}{}) share each turn by {}: {:.5} for {}.",
            headers.len(),
            named.join(", "),
            if headers.len() > named.len() { ", ..." } else { "" },
            if nest.has_weighted_headers(around) {
                "irr_loop weights"
            } else {
                "what LLVM sees come back to each"
            },
            own.of_turn,
            name(&self.block),
        );
        write_reason(page, &line);
    }

    /// How often a block runs in the loop around it.
    fn write_member(&self, own: BlockShare, around: NestedLoop, page: &mut Vec<u8>) {
        let nest = self.grounds.nest;
        let (entries, scale) = (nest.entries(around), nest.scale(around));
        let line = format!(
            "in the loop of {}: {:.5} of a turn, {scale:.5} turns an entry, {entries:.5} entries.",
            self.particulars.block_name(nest.headers(around)[0]),
            own.of_turn,
        );
        write_reason(page, &line);
    }
}

/// A probability as a number.
fn share(probability: Probability) -> Scaled {
    Scaled::new(probability.numerator().into(), -31)
}
