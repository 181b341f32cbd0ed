//! Explains the frequency of each block.

use std::cmp::Reverse;

use cranelift_entity::PrimaryMap;

use super::{is_unclear, write_reason};
use crate::frequencies::{write_block, write_title};
use crate::successors::{Successor, Successors};
use bpa_profile::bfi::nest::{BlockShare, NestedLoop};
use bpa_profile::bfi::{FrequencyMethod, Scaled};
use bpa_profile::bpi::Probability;
use bpa_profile::cfg::{table, Block};
use bpa_profile::dialect::IrreducibleMass;
use bpa_profile::facts::IrText;
use bpa_profile::profile::Profile;

/// The maximum number of predecessors of a block, or of headers of a loop, in an explanation.
const MOST_NAMED: usize = 6;

/// Appends the frequency of every block to `out`. An explanation follows each frequency.
///
/// [`write_frequencies`](crate::write_frequencies) has the same arguments, except `ir_text`.
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
        BlockExplanation { profile, ir_text, block }.write(&sources[block], out);
        if let Some(first) = ir_text.source(block).and_then(|source| source.first.as_ref()) {
            write_reason(out, &format!("source: at {first}."));
        }
    }
    out.push(b'\n');
}

/// A predecessor of a block, and the total probability of the edges from the predecessor to the block.
type Source = (Block, Probability);

/// The reachable predecessors of each block, without duplicates.
fn sources(profile: &Profile) -> PrimaryMap<Block, Vec<Source>> {
    let graph = profile.graph();
    let mut sources: PrimaryMap<Block, Vec<Source>> = table(graph.block_count(), Vec::new());
    let mut successors = Successors::new(profile);
    for block in graph.blocks().filter(|&block| profile.nest().share(block).is_some()) {
        for Successor { target, probability, .. } in successors.of(block) {
            sources[target].push((block, probability));
        }
    }
    sources
}

/// Writes the explanation of one block.
struct BlockExplanation<'a, P> {
    profile: &'a Profile,
    ir_text: &'a P,
    block: Block,
}

impl<P: IrText> BlockExplanation<'_, P> {
    fn write(&self, sources: &[Source], out: &mut Vec<u8>) {
        let (profile, nest) = (self.profile, self.profile.nest());
        let Some(own) = nest.share(self.block) else {
            return write_reason(out, "not reached: no path from the entry leads here.");
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
            let line =
                format!("count: {count} = {frequency:.5} runs per entry times {entries} measured entries.");
            write_reason(out, &line);
        }
    }

    /// Appends a line for each predecessor, with the frequency of the edges from the predecessor to the block. The
    /// lines are in descending order of frequency.
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
            write_reason(out, &format!("{rest} more predecessors; each contributes at most {most:.5}."));
        }
    }

    /// Appends a line with the number of iterations of a loop. The output has this line after each header of the loop.
    fn write_header(&self, own: BlockShare, around: NestedLoop, out: &mut Vec<u8>) {
        let nest = self.profile.nest();
        let (entries, scale, back) = (nest.entries(around), nest.scale(around), nest.back(around));
        let is_irreducible = nest.is_irreducible(around);
        if is_irreducible {
            self.write_header_share(own, around, out);
        }
        let kind = if is_irreducible { "irreducible loop" } else { "loop header" };
        let line = if nest.is_infinite(around) {
            format!("{kind}: no edge leaves the loop; LLVM assumes {scale:.5} iterations per entry.")
        } else if is_irreducible && self.counts_all_nodes() {
            format!(
                "{kind}: each run of a block or inner loop is an iteration; probability {back:.5} of another \
                 iteration, which makes {scale:.5} iterations per entry."
            )
        } else {
            format!("{kind}: probability {back:.5} of another iteration, which makes {scale:.5} iterations per entry.")
        };
        write_reason(out, &line);
        write_reason(out, &format!("entered {entries:.5} times per call of the function."));
    }

    /// Whether every execution of a node of an irreducible loop counts as an iteration. If false, only executions of
    /// headers count as iterations.
    fn counts_all_nodes(&self) -> bool {
        self.profile.method() == FrequencyMethod::Llvm
            && self.profile.dialect().irreducible_mass == IrreducibleMass::ByNodes
    }

    /// Appends a line that shows how the headers of an irreducible loop share its iterations.
    fn write_header_share(&self, own: BlockShare, around: NestedLoop, out: &mut Vec<u8>) {
        let nest = self.profile.nest();
        let headers = nest.headers(around);
        let name = |&header: &Block| self.ir_text.block_name(header);
        let named: Vec<String> = headers.iter().take(MOST_NAMED).map(name).collect();
        let line = format!(
            "irreducible: {} headers ({}{}) {}: {:.5} for {}.",
            headers.len(),
            named.join(", "),
            if headers.len() > named.len() { ", ..." } else { "" },
            match (self.profile.method(), self.counts_all_nodes(), nest.has_weights(around)) {
                (FrequencyMethod::Exact, ..) => "share each iteration according to the flow into each header",
                (_, false, true) => "share each iteration according to their irr_loop weights",
                (_, false, false) => "share each iteration according to their back-edge mass",
                (_, true, true) =>
                    "and the other blocks share all iterations according to irr_loop weights and the flow from the headers",
                (_, true, false) =>
                    "and the other blocks share all iterations according to the propagated mass of each block",
            },
            own.per_iteration,
            name(&self.block),
        );
        write_reason(out, &line);
    }

    /// Appends the frequency of a block relative to the innermost loop around it.
    fn write_member(&self, own: BlockShare, around: NestedLoop, out: &mut Vec<u8>) {
        let nest = self.profile.nest();
        let (entries, scale) = (nest.entries(around), nest.scale(around));
        let line = format!(
            "in the loop of {}: {:.5} runs per iteration, {scale:.5} iterations per entry, {entries:.5} entries.",
            self.ir_text.block_name(nest.headers(around)[0]),
            own.per_iteration,
        );
        write_reason(out, &line);
    }
}

/// Converts a probability to a [`Scaled`] number, without rounding.
fn share(probability: Probability) -> Scaled {
    Scaled::new(probability.numerator().into(), -31)
}
