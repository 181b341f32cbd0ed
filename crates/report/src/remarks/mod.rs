//! Creates the remarks of option `remarks`. A compiler prints these remarks with source positions. The parts of a
//! remark form a sentence. docs/src/reference/remarks.md describes the remarks.

mod branches;
mod frequencies;

pub use branches::branch_remarks;
pub use frequencies::frequency_remarks;

use cranelift_entity::PrimaryMap;

use super::places::near;
use super::Names;
use bpa_profile::bpi::Probability;
use bpa_profile::cfg::Block;
use bpa_profile::profile::Profile;
use bpa_profile::source::{FunctionSource, Position};

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
