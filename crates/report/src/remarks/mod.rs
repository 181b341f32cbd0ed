//! What `remarks` has a compiler say at the lines of the source: remarks with named parts, which read as sentences.
//! docs/src/reference/remarks.md describes them.

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

/// A remark about one place of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Which kind of remark it is.
    pub name: &'static str,
    /// What it is about.
    pub about: RemarkPlace,
    /// What it says, part by part.
    pub parts: Vec<RemarkPart>,
}

/// What a remark is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemarkPlace {
    /// The branch that ends a block.
    Branch(Block),
    /// A loop.
    Loop {
        /// Its first header.
        header: Block,
        /// The blocks that go back to the header.
        latches: Vec<Block>,
    },
}

/// A part of what a remark says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemarkPart {
    /// What the part tells; none if it only makes a sentence of the others.
    pub key: Option<&'static str>,
    /// Its text.
    pub text: String,
    /// The block whose beginning it is about.
    pub begins: Option<Block>,
}

/// Which remarks are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RemarkLimits {
    /// Branches alone that are so sure to go one way.
    pub at_least: Probability,
    /// At most so many: those about what runs most often.
    pub most: Option<usize>,
}

/// What remarks are made from.
pub struct RemarkedFunction<'a> {
    /// What it and its blocks are called.
    pub names: &'a Names<'a>,
    /// Where it and its blocks stand.
    pub source: &'a FunctionSource,
    /// What is said of it.
    pub profile: &'a Profile,
}

impl RemarkPlace {
    /// The block that runs as often as what the remark is about.
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
    /// Those of `remarks` that are about what runs most often, in the order they have.
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

/// The beginnings of blocks in a few words, as seen from a branch at `branch`: by line where the file and the calls around are
/// the same, and by column where a line is not enough; of what has no place the name.
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
