//! Every difference between LLVM versions that shows in numbers or text, as data.

/// How block frequencies become integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrequencyScaling {
    /// The smallest frequency becomes 8 as long as the spread between smallest and largest fits 61 bits,
    /// else the largest becomes 2^64.
    SmallestToEight,
    /// The largest frequency becomes 2^54, so that sums and products keep headroom.
    LargestTo54Bits,
}

/// How printers name a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockNameStyle {
    /// The name alone, nothing for a block without one.
    Bare,
    /// As an operand: `%name`, quoted where it must be, `%7` for a block without a name.
    Operand,
}

/// What passes for a `branch_weights` node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchWeightNode {
    /// Any `!prof` node with one operand more than there are successors: the name is not looked at.
    AnyName,
    /// The name must be `branch_weights`.
    Named,
}

/// What a version says and how it says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The LLVM version.
    pub version: u32,
    /// Whether `callbr` may carry branch weights: from 16 on, weights are read by a helper shared by all
    /// terminators.
    pub reads_callbr_weights: bool,
    /// What passes for branch weights: that helper also checks the name.
    pub branch_weight_node: BranchWeightNode,
    /// Whether a probability of at most one half, given with `llvm.expect.with.probability`, makes the expected value
    /// of a phi the unlikely one: before 16, what is expected of a phi counts as likely.
    pub phis_follow_probability: bool,
    /// How frequencies become integers: from 18 on with headroom.
    pub frequency_scaling: FrequencyScaling,
    /// How printers name blocks: from 17 on so that unnamed blocks can be told apart.
    pub block_names: BlockNameStyle,
    /// What `print<branch-prob>` writes before the name of the function.
    pub probability_header: &'static str,
    /// What `print<block-freq>` writes before the name of the function.
    pub frequency_header: &'static str,
    /// The same in the style of the other two for `print<rust-bias>`, which no LLVM has.
    pub bias_header: &'static str,
}

const LLVM14: Dialect = Dialect {
    version: 14,
    reads_callbr_weights: false,
    branch_weight_node: BranchWeightNode::AnyName,
    phis_follow_probability: false,
    frequency_scaling: FrequencyScaling::SmallestToEight,
    block_names: BlockNameStyle::Bare,
    probability_header: "Printing analysis results of BPI for function",
    frequency_header: "Printing analysis results of BFI for function",
    bias_header: "Printing analysis results of block bias for function",
};
const LLVM15: Dialect = Dialect { version: 15, ..LLVM14 };
const LLVM16: Dialect = Dialect {
    version: 16,
    reads_callbr_weights: true,
    branch_weight_node: BranchWeightNode::Named,
    phis_follow_probability: true,
    ..LLVM15
};
const LLVM17: Dialect = Dialect { version: 17, ..LLVM16 };
const LLVM18: Dialect = Dialect {
    version: 18,
    frequency_scaling: FrequencyScaling::LargestTo54Bits,
    block_names: BlockNameStyle::Operand,
    probability_header: "Printing analysis 'Branch Probability Analysis' for function",
    frequency_header: "Printing analysis 'Block Frequency Analysis' for function",
    bias_header: "Printing analysis 'Block Bias Analysis' for function",
    ..LLVM17
};

const DIALECTS: [Dialect; 5] = [LLVM14, LLVM15, LLVM16, LLVM17, LLVM18];

impl Dialect {
    /// The dialect of an LLVM version, if it is a supported one.
    pub fn of(version: u32) -> Option<&'static Dialect> {
        DIALECTS.iter().find(|dialect| dialect.version == version)
    }

    /// The dialect of the LLVM that this library is built for.
    pub fn host() -> &'static Dialect {
        const HOST: &str = env!("BPA_LLVM_MAJOR");
        HOST.parse().ok().and_then(Dialect::of).expect("build.rs picks a supported version")
    }
}
