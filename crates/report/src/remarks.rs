//! Creates the remarks of option `remarks`. A compiler prints these remarks with source positions. The parts of a
//! remark form a sentence. docs/src/reference/remarks.md describes the remarks.

use std::cmp::Reverse;

use bpa_profile::bfi::nest::NestedLoop;
use bpa_profile::bpi::{Probability, Rule};
use bpa_profile::cfg::Block;
use bpa_profile::profile::Profile;
use bpa_profile::source::{FunctionSource, Position};
use bpa_schema::words::{Explained, IrWords};
use bpa_schema::Reason;
use cranelift_entity::{EntityRef, PrimaryMap};

use super::names::near;
use super::Names;
use crate::successors::{Successor, Successors};

/// A remark about a branch or loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The kind of remark.
    pub name: &'static str,
    /// The subject of the remark.
    pub about: RemarkPlace,
    /// The parts of the text, in order.
    pub parts: Vec<RemarkPart>,
}

/// The subject of a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemarkPlace {
    /// The branch that ends a block.
    Branch(Block),
    /// A loop.
    Loop {
        /// The first header of the loop.
        header: Block,
        /// The latches of the loop, which are blocks with a back edge to the header.
        latches: Vec<Block>,
    },
}

/// A part of a remark's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemarkPart {
    /// The name of the argument whose value this part contains. If the part is plain text between two values, the name
    /// is `None`.
    pub key: Option<&'static str>,
    /// The text of the part.
    pub text: String,
    /// The remark attaches the source position of this block to the part.
    pub begins: Option<Block>,
}

/// Selects which remarks are emitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RemarkLimits {
    /// A remark about a branch is only emitted if the likeliest successor of the branch has at least this probability.
    pub at_least: Probability,
    /// The maximum number of remarks. The remarks about the most frequent branches and loops are kept.
    pub most: Option<usize>,
}

/// The function that is the subject of remarks.
pub struct RemarkedFunction<'a> {
    /// The names of the function and its blocks.
    pub names: &'a Names<'a>,
    /// The source positions of the function and its blocks.
    pub source: &'a FunctionSource,
    /// The profile of the function.
    pub profile: &'a Profile,
}

impl RemarkPlace {
    /// The block of the branch, or the header of the loop.
    pub fn block(&self) -> Block {
        match *self {
            RemarkPlace::Branch(block) | RemarkPlace::Loop { header: block, .. } => block,
        }
    }
}

impl RemarkPart {
    fn plain(text: &str) -> Self {
        RemarkPart { key: None, text: text.to_string(), begins: None }
    }

    fn named(key: &'static str, text: impl ToString) -> Self {
        RemarkPart { key: Some(key), text: text.to_string(), begins: None }
    }
}

impl RemarkLimits {
    /// The remarks about the most frequent branches and loops, in their original order.
    fn most_frequent(self, profile: &Profile, remarks: Vec<Remark>) -> Vec<Remark> {
        let Some(most) = self.most.filter(|&most| most < remarks.len()) else { return remarks };
        let frequency = |remark: &Remark| profile.block_frequencies().scaled(remark.about.block());
        let mut wanted: Vec<_> = remarks.into_iter().enumerate().collect();
        wanted.sort_by_key(|(_, remark)| std::cmp::Reverse(frequency(remark)));
        wanted.truncate(most);
        wanted.sort_by_key(|&(place, _)| place);
        wanted.into_iter().map(|(_, remark)| remark).collect()
    }
}

/// Short texts for the source positions of blocks. If a block is in the same file as `branch`, the text contains the
/// line of the block, but no file name. If two blocks are on the same line, or if a block is on the line of the branch,
/// each text also contains a column. For a block without a position, the text is the block's name.
fn beginnings(function: &RemarkedFunction, branch: Block, blocks: &[Block]) -> Vec<String> {
    let here = function.source.branch(branch);
    let positions: Vec<_> = blocks.iter().map(|&block| function.source.first(block)).collect();
    let lines = positions.iter().flatten().chain(&here).map(|position| position.frame.line);
    let mut lines: Vec<u32> = lines.collect();
    lines.sort_unstable();
    let with_column = lines.windows(2).any(|pair| pair[0] == pair[1]);
    let names: &PrimaryMap<Block, String> = &function.names.blocks;
    let word = |(&block, position): (&Block, &Option<&Position>)| match position {
        None => names[block].clone(),
        Some(there) => near(here, there, with_column),
    };
    blocks.iter().zip(&positions).map(word).collect()
}

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
