//! The remarks of option `remarks`: a compiler prints them at lines of the source. They have named parts that together
//! read as sentences. docs/src/reference/remarks.md describes them.

mod branches;
mod frequencies;

pub use branches::branch_remarks;
pub use frequencies::frequency_remarks;

use cranelift_entity::PrimaryMap;

use super::Names;
use bpa_profile::bpi::Probability;
use bpa_profile::cfg::Block;
use bpa_profile::profile::Profile;
use bpa_profile::source::{FunctionSource, SourcePosition};

/// A remark about a branch or loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The kind of remark.
    pub name: &'static str,
    /// The subject of the remark.
    pub about: RemarkPlace,
    /// The text, part by part.
    pub parts: Vec<RemarkPart>,
}

/// The subject of a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemarkPlace {
    /// The branch that ends a block.
    Branch(Block),
    /// A loop.
    Loop {
        /// The first header.
        header: Block,
        /// The latches: the blocks with a back edge to the header.
        latches: Vec<Block>,
    },
}

/// A part of a remark's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemarkPart {
    /// The name of the value in this part. `None` if the part only connects other parts.
    pub key: Option<&'static str>,
    /// Its text.
    pub text: String,
    /// The block with the beginning that the part describes.
    pub begins: Option<Block>,
}

/// Limits on which remarks are emitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RemarkLimits {
    /// Only branches with a likeliest successor of at least this probability.
    pub at_least: Probability,
    /// The maximum number of remarks. The remarks with the highest frequencies are kept.
    pub most: Option<usize>,
}

/// The function that remarks are about.
pub struct RemarkedFunction<'a> {
    /// The names of the function and its blocks.
    pub names: &'a Names<'a>,
    /// The source positions of the function and its blocks.
    pub source: &'a FunctionSource,
    /// The profile of the function.
    pub profile: &'a Profile,
}

impl RemarkPlace {
    /// The block with the frequency of the subject.
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
    /// The remarks with the highest frequencies, in their original order.
    fn most_frequent(self, profile: &Profile, remarks: Vec<Remark>) -> Vec<Remark> {
        let Some(most) = self.most.filter(|&most| most < remarks.len()) else { return remarks };
        let frequency = |place: usize| profile.block_frequencies().scaled(remarks[place].about.block());
        let mut places: Vec<usize> = (0..remarks.len()).collect();
        places.sort_by_key(|&place| std::cmp::Reverse(frequency(place)));
        let mut is_wanted = vec![false; remarks.len()];
        places[..most].iter().for_each(|&place| is_wanted[place] = true);
        let wanted = remarks.into_iter().zip(is_wanted).filter(|(_, is_wanted)| *is_wanted);
        wanted.map(|(remark, _)| remark).collect()
    }
}

/// Short texts for the beginnings of blocks, relative to the branch at `branch`: the line if the file is the same, with
/// the column if lines are not distinct, and the name for a block without a position.
fn beginnings(function: &RemarkedFunction, branch: Block, blocks: &[Block]) -> Vec<String> {
    let here = function.source.branch(branch);
    let positions: Vec<_> = blocks.iter().map(|&block| function.source.first(block)).collect();
    let lines = positions.iter().flatten().chain(&here).map(|position| position.innermost().line);
    let mut lines: Vec<u32> = lines.collect();
    lines.sort_unstable();
    let with_column = lines.windows(2).any(|pair| pair[0] == pair[1]);
    let names: &PrimaryMap<Block, String> = &function.names.blocks;
    let word = |(&block, position): (&Block, &Option<&SourcePosition>)| match position {
        None => names[block].clone(),
        Some(there) => {
            let there = there.innermost();
            match here.map(SourcePosition::innermost).filter(|here| here.file == there.file) {
                Some(_) if with_column && there.column > 0 => format!("line {}:{}", there.line, there.column),
                Some(_) => format!("line {}", there.line),
                None => there.to_string(),
            }
        }
    };
    blocks.iter().zip(&positions).map(word).collect()
}
