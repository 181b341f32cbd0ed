//! Explains the frequency of each block.

use std::cmp::Reverse;
use std::ops::Add;

use cranelift_entity::PrimaryMap;

use super::{is_unclear, write_reason};
use crate::printers::{write_block, write_title};
use bpa_profile::bfi::nest::{BlockShare, NestedLoop};
use bpa_profile::bfi::{FrequencyMethod, Scaled};
use bpa_profile::cfg::{table, Block};
use bpa_profile::dialect::IrreducibleMass;
use bpa_profile::facts::IrText;
use bpa_profile::profile::Profile;

/// The maximum number of predecessors of a block, or of headers of a loop, in an explanation.
const MOST_NAMED: usize = 6;

/// The explanation mentions that the edges of a block do not add up to the block's frequency if the relative difference
/// exceeds 2^-14. Smaller differences are invisible in numbers of five digits.
const TOLERATED_POWER: i16 = 14;

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
    let has_exit = &profile.nest().loops_with_exits(profile.graph());
    for block in profile.graph().blocks() {
        write_block(block, profile, &write_name, out);
        if is_unclear(block, &write_name, ir_text) {
            write_reason(out, &format!("({})", ir_text.block_name(block)));
        }
        BlockExplanation { profile, ir_text, has_exit, block }.write(&sources[block], out);
        if let Some(first) = ir_text.source(block).and_then(|source| source.first.as_ref()) {
            write_reason(out, &format!("source: at {first}."));
        }
    }
    out.push(b'\n');
}

/// A predecessor of a block, and the total weight of the edges from the predecessor to the block, over 2^31.
type Source = (Block, u64);

/// The reachable predecessors of each block, without duplicates.
fn sources(profile: &Profile) -> PrimaryMap<Block, Vec<Source>> {
    let graph = profile.graph();
    let probabilities = profile.branch_probabilities().probabilities();
    let mut sources: PrimaryMap<Block, Vec<Source>> = table(graph.block_count(), Vec::new());
    for block in graph.blocks().filter(|&block| profile.nest().share(block).is_some()) {
        for (&target, probability) in graph.successors(block).iter().zip(&probabilities[graph.edges(block)]) {
            // As in LLVM, an edge of probability 0 has the weight 1.
            let weight = u64::from(probability.numerator().max(1));
            match sources[target].last_mut() {
                Some((source, total)) if *source == block => *total += weight,
                _ => sources[target].push((block, weight)),
            }
        }
    }
    sources
}

/// The part of the executions of `source` that continue to a block.
fn passed(profile: &Profile, (source, weight): Source) -> Scaled {
    profile.block_frequencies().scaled(source) * Scaled::new(weight, -31)
}

/// Formats a weight over 2^31 in percent, with two decimal digits or, near 0, with five significant digits.
fn percent(weight: u64) -> String {
    let percent = Scaled::new(weight * 100, -31);
    match percent < Scaled::ONE / Scaled::new(100, 0) {
        true => factor(percent),
        false => format!("{:.2}", percent.to_f64()),
    }
}

/// Formats a factor of a frequency. LLVM's format of frequencies has too few digits for tiny numbers: `7.0473e-19` would
/// be `0.0000000000000000007`.
fn factor(number: Scaled) -> String {
    let value = number.to_f64();
    match value > 0.0 && value < 1e-9 {
        true => format!("{value:.4e}"),
        false => format!("{number:.5}"),
    }
}

/// Writes the explanation of one block.
struct BlockExplanation<'a, P> {
    profile: &'a Profile,
    ir_text: &'a P,
    /// Whether edges leave each loop.
    has_exit: &'a PrimaryMap<NestedLoop, bool>,
    block: Block,
}

impl<P: IrText> BlockExplanation<'_, P> {
    fn write(&self, sources: &[Source], out: &mut Vec<u8>) {
        let profile = self.profile;
        let Some(own) = profile.nest().share(self.block) else {
            return write_reason(out, "not reached: no path from the entry leads here.");
        };
        if self.block == profile.graph().entry() {
            write_reason(out, "entry: every call of the function starts here.");
        }
        self.write_sources(sources, out);
        self.write_loops(own, out);
        if let (Some(entries), Some(count)) = (profile.facts().measured_entries(), profile.count(self.block))
        {
            let (integer, of_entry) = (profile.integer_frequency(self.block), profile.entry_frequency());
            let how = if count == u64::MAX { "limited to 64 bits" } else { "rounded" };
            let line =
                format!("count: {count} = {entries} measured entries x {integer} / {of_entry}, {how}.");
            write_reason(out, &line);
        }
    }

    /// Appends a line for each predecessor, with the frequency of the edges from the predecessor to the block. The
    /// lines are in descending order of frequency. If the frequencies of the edges do not add up to the frequency of
    /// the block, appends a line with the reason.
    fn write_sources(&self, sources: &[Source], out: &mut Vec<u8>) {
        let profile = self.profile;
        let frequency = |block| profile.block_frequencies().scaled(block);
        let mut sorted: Vec<Source> = sources.to_vec();
        sorted.sort_by_key(|&source| Reverse(passed(profile, source)));
        for &source in sorted.iter().take(MOST_NAMED) {
            let line = format!(
                "{} from {}: {}% of {}.",
                factor(passed(profile, source)),
                self.ir_text.block_name(source.0),
                percent(source.1),
                factor(frequency(source.0)),
            );
            write_reason(out, &line);
        }
        let sum = |sources: &[Source]| {
            sources.iter().map(|&source| passed(profile, source)).fold(Scaled::ZERO, Add::add)
        };
        if let Some(rest @ [most, ..]) = sorted.get(MOST_NAMED..) {
            write_reason(
                out,
                &format!(
                    "{} from {} more predecessors; each contributes at most {}.",
                    factor(sum(rest)),
                    rest.len(),
                    factor(passed(profile, *most))
                ),
            );
        }
        let is_entry = self.block == profile.graph().entry();
        let total = if is_entry { Scaled::ONE + sum(&sorted) } else { sum(&sorted) };
        let own = frequency(self.block);
        if total.abs_difference(own) > own * Scaled::new(1, -TOLERATED_POWER) {
            write_reason(
                out,
                &format!("the edges add up to {}; {}.", factor(total), self.why_not_the_sum(sources)),
            );
        }
    }

    /// The reason why the frequency of the block differs from the sum of the frequencies of its edges.
    fn why_not_the_sum(&self, sources: &[Source]) -> String {
        let nest = self.profile.nest();
        let is_exact = self.profile.method() == FrequencyMethod::Exact;
        let headed = nest.around(self.block).take_while(|&nested| nest.headers(nested).contains(&self.block));
        if headed.into_iter().any(|nested| nest.is_infinite(nested)) {
            return match is_exact {
                true => "1/4096 of the flow that returns to the infinite loop is lost".to_string(),
                false => "LLVM replaces the sum by its assumption about infinite loops".to_string(),
            };
        }
        let irreducible = |block| nest.around(block).find(|&nested| nest.is_irreducible(nested));
        let near =
            [self.block].into_iter().chain(sources.iter().map(|source| source.0)).find_map(irreducible);
        match near.filter(|_| !is_exact) {
            Some(nested) => format!("LLVM approximates the flow in {}", self.loop_name(nested)),
            None => "the difference is a rounding error".to_string(),
        }
    }

    /// Appends the iterations of the loop of which the block is a header, and of the loops whose headers include the
    /// first header of this loop. For any other block, appends its frequency relative to the innermost loop.
    fn write_loops(&self, own: BlockShare, out: &mut Vec<u8>) {
        let nest = self.profile.nest();
        let (mut share, mut inner, mut around) = (own, None, nest.innermost(self.block));
        while let Some(nested) = around {
            if !share.is_header {
                if inner.is_none() {
                    self.write_member(own, nested, out);
                }
                return;
            }
            self.write_header(share, inner, nested, out);
            (share, inner, around) = (nest.loop_share(nested), around, nest.parent(nested));
        }
    }

    /// Appends lines with the number of iterations of `around`. The header is the block, or the loop `inner` of the
    /// block, and has the share `share` of the iterations.
    fn write_header(
        &self,
        share: BlockShare,
        inner: Option<NestedLoop>,
        around: NestedLoop,
        out: &mut Vec<u8>,
    ) {
        let nest = self.profile.nest();
        let (entries, scale, leaving) =
            (factor(nest.entries(around)), nest.scale(around), factor(nest.leaving(around)));
        let is_irreducible = nest.is_irreducible(around);
        if is_irreducible {
            self.write_header_share(share, inner, around, out);
        }
        let kind = if is_irreducible { "irreducible loop" } else { "loop header" };
        let is_exact = self.profile.method() == FrequencyMethod::Exact;
        let line = if nest.is_infinite(around) {
            let why = match self.has_exit[around] {
                true => "LLVM rounds the probability of leaving the loop to 0",
                false => "no edge leaves the loop",
            };
            let assumed = match is_exact {
                true => "1/4096 of the returning flow is lost, which makes",
                false => "LLVM assumes",
            };
            format!("{kind}: {why}; {assumed} {scale:.5} iterations per entry.")
        } else {
            let counted = match is_irreducible && self.counts_all_nodes() {
                true => "each run of a block or inner loop is an iteration; ",
                false => "",
            };
            format!(
                "{kind}: {counted}probability {leaving} of leaving the loop, which makes {scale:.5} iterations \
                 per entry."
            )
        };
        write_reason(out, &line);
        let per_iteration = factor(nest.loop_share(around).per_iteration);
        let parent = nest.parent(around).map_or(String::new(), |parent| {
            format!(", {per_iteration} times per iteration of {}", self.loop_name(parent))
        });
        write_reason(out, &format!("entered {entries} times per call of the function{parent}."));
    }

    /// Whether every execution of a node of an irreducible loop counts as an iteration. If false, only executions of
    /// headers count as iterations.
    fn counts_all_nodes(&self) -> bool {
        self.profile.method() == FrequencyMethod::Llvm
            && self.profile.dialect().irreducible_mass == IrreducibleMass::ByNodes
    }

    /// Appends a line that shows how the headers of an irreducible loop share its iterations.
    fn write_header_share(
        &self,
        share: BlockShare,
        inner: Option<NestedLoop>,
        around: NestedLoop,
        out: &mut Vec<u8>,
    ) {
        let nest = self.profile.nest();
        let headers = nest.headers(around);
        let name = |&header: &Block| self.ir_text.block_name(header);
        let named: Vec<String> = headers.iter().take(MOST_NAMED).map(name).collect();
        let line = format!(
            "irreducible: {} headers ({}{}) {}: {} for {}.",
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
            factor(share.per_iteration),
            inner.map_or_else(|| name(&self.block), |inner| self.loop_name(inner)),
        );
        write_reason(out, &line);
    }

    /// Appends the frequency of a block relative to the innermost loop around it.
    fn write_member(&self, own: BlockShare, around: NestedLoop, out: &mut Vec<u8>) {
        let nest = self.profile.nest();
        let (entries, scale) = (factor(nest.entries(around)), nest.scale(around));
        let line = format!(
            "in {}: {} runs per iteration, {scale:.5} iterations per entry, {entries} entries.",
            self.loop_name(around),
            factor(own.per_iteration),
        );
        write_reason(out, &line);
    }

    /// The name of a loop. Natural loops have different headers, and irreducible loops have different first headers.
    fn loop_name(&self, nested: NestedLoop) -> String {
        let nest = self.profile.nest();
        let kind = if nest.is_irreducible(nested) { "irreducible loop" } else { "loop" };
        format!("the {kind} of {}", self.ir_text.block_name(nest.headers(nested)[0]))
    }
}
