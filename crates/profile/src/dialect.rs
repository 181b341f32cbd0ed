//! Every difference between LLVM versions that shows in numbers or text, as data.

pub use crate::cfg::Nesting;

/// How block frequencies become integers.
///
/// LLVM: `convertFloatingToInteger`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrequencyScaling {
    /// The smallest frequency becomes 8 as long as the spread between smallest and largest fits 61 bits,
    /// else the largest becomes 2^64.
    SmallestToEight,
    /// The largest frequency becomes 2^54, so that sums and products keep headroom.
    LargestTo54Bits,
}

/// How mass is shared in a region with several entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IrreducibleMass {
    /// Among the headers, and from there on as in a loop.
    ByHeaders,
    /// Among all nodes, by turns that settle.
    ByNodes,
}

/// How a hash table of LLVM's goes on where a bucket is taken. The order of a table decides where rounding errors go.
///
/// LLVM: `DenseMapBase::LookupBucketFor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashProbing {
    /// By one bucket more each time.
    Growing,
    /// To the next bucket.
    Linear,
    /// However it does: what is in the table stands in a list besides, in the order in which it came.
    Listed,
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
///
/// LLVM: `getValidBranchWeightMDNode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchWeightNode {
    /// Any `!prof` node with one operand more than there are successors: the name is not looked at.
    AnyName,
    /// The name must be `branch_weights`.
    Named,
    /// The same, and a string may stand between the name and the weights, which says where they come from.
    NamedWithOrigin,
}

/// Which blocks count as run only while an exception is on its way.
///
/// LLVM: `BranchProbabilityInfo::getInitialEstimatedBlockWeight`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExceptionPaths {
    /// Those that an `invoke` unwinds to.
    UnwindDestinations,
    /// Those that begin with an instruction that handles exceptions.
    Pads,
}

/// How an operation on constants is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folding {
    /// From the constants alone.
    Plain,
    /// With the data layout of the module, which knows more of addresses and of casts between them and integers.
    DataLayout,
}

/// What a version says and how it says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dialect {
    /// The LLVM version.
    pub version: u32,
    /// Whether `callbr` may carry branch weights: from 16 on, weights are read by a helper shared by all
    /// terminators.
    ///
    /// LLVM: `CallBrInst`.
    pub reads_callbr_weights: bool,
    /// What passes for branch weights: that helper also checks the name.
    ///
    /// LLVM: `getValidBranchWeightMDNode`.
    pub branch_weight_node: BranchWeightNode,
    /// Whether a probability of at most one half, given with `llvm.expect.with.probability`, makes the expected value
    /// of a phi the unlikely one: before 16, what is expected of a phi counts as likely.
    ///
    /// LLVM: `handlePhiDef`.
    pub phis_follow_probability: bool,
    /// Whether weights that come from `llvm.expect` say so: from 19 on.
    ///
    /// LLVM: `MDBuilder::createBranchWeights`.
    pub lowered_weights_tell_origin: bool,
    /// Which blocks count as exceptional: from 19 on pads do, also those that only other pads lead to.
    ///
    /// LLVM: `BranchProbabilityInfo::getInitialEstimatedBlockWeight`.
    pub exception_paths: ExceptionPaths,
    /// How the operations between a phi and the comparison of a loop's branch are folded: from 16 on, when constant
    /// expressions began to go, by the folder of the analyses.
    ///
    /// LLVM: `ConstantFoldBinaryOpOperands`.
    pub operation_folding: Folding,
    /// How that comparison is folded: the last one to change over.
    ///
    /// LLVM: `ConstantFoldCompareInstOperands`.
    pub comparison_folding: Folding,
    /// Whether comparisons of denormal numbers fold: from 20 on not, as the folder is not told the function, which may
    /// flush them to zero.
    ///
    /// LLVM: `FlushFPConstant`.
    pub compares_denormals: bool,
    /// Whether a library function is one only with the prototype that it has in C: from 24 on, through 23 its name
    /// will do.
    ///
    /// LLVM: `TargetLibraryInfo::getLibFunc`.
    pub checks_library_prototypes: bool,
    /// Which cycles there are: from 24 on all that LLVM's analysis of cycles finds.
    ///
    /// LLVM: `BranchProbabilityAnalysis`, `BlockFrequencyAnalysis`.
    pub nesting: Nesting,
    /// How mass is shared in a region with several entries: from 24 on by solving for it.
    ///
    /// LLVM: `BlockFrequencyInfoImpl::computeMassInLoop`.
    pub irreducible_mass: IrreducibleMass,
    /// How frequencies become integers: from 18 on with headroom.
    ///
    /// LLVM: `convertFloatingToInteger`.
    pub frequency_scaling: FrequencyScaling,
    /// How hash tables look for a free bucket: from 23 on, which deletes without leaving marks, one after
    /// another; from 24 on their order does not show.
    ///
    /// LLVM: `DenseMapBase::LookupBucketFor`.
    pub hash_probing: HashProbing,
    /// How `print<branch-prob>` names blocks: from 18 on so that unnamed blocks can be told apart.
    ///
    /// LLVM: `BranchProbabilityInfo::printEdgeProbability`.
    pub probability_block_names: BlockNameStyle,
    /// How `print<block-freq>` does: there they never could.
    ///
    /// LLVM: `getBlockName`.
    pub frequency_block_names: BlockNameStyle,
    /// What `print<branch-prob>` writes before the name of the function.
    ///
    /// LLVM: `BranchProbabilityPrinterPass`.
    pub probability_header: &'static str,
    /// What `print<block-freq>` writes before the name of the function.
    ///
    /// LLVM: `BlockFrequencyPrinterPass`.
    pub frequency_header: &'static str,
    /// The same in the style of that for `print<rust-bias>`, which no LLVM has.
    pub bias_header: &'static str,
}

const LLVM14: Dialect = Dialect {
    version: 14,
    reads_callbr_weights: false,
    branch_weight_node: BranchWeightNode::AnyName,
    phis_follow_probability: false,
    lowered_weights_tell_origin: false,
    exception_paths: ExceptionPaths::UnwindDestinations,
    operation_folding: Folding::Plain,
    comparison_folding: Folding::Plain,
    compares_denormals: true,
    checks_library_prototypes: false,
    nesting: Nesting::LoopsAndComponents,
    irreducible_mass: IrreducibleMass::ByHeaders,
    frequency_scaling: FrequencyScaling::SmallestToEight,
    hash_probing: HashProbing::Growing,
    probability_block_names: BlockNameStyle::Bare,
    frequency_block_names: BlockNameStyle::Bare,
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
    operation_folding: Folding::DataLayout,
    ..LLVM15
};
const LLVM17: Dialect = Dialect { version: 17, ..LLVM16 };
const LLVM18: Dialect = Dialect {
    version: 18,
    frequency_scaling: FrequencyScaling::LargestTo54Bits,
    probability_block_names: BlockNameStyle::Operand,
    probability_header: "Printing analysis 'Branch Probability Analysis' for function",
    ..LLVM17
};

const LLVM19: Dialect = Dialect {
    version: 19,
    branch_weight_node: BranchWeightNode::NamedWithOrigin,
    lowered_weights_tell_origin: true,
    exception_paths: ExceptionPaths::Pads,
    comparison_folding: Folding::DataLayout,
    ..LLVM18
};
const LLVM20: Dialect = Dialect { version: 20, compares_denormals: false, ..LLVM19 };
const LLVM21: Dialect = Dialect { version: 21, ..LLVM20 };
const LLVM22: Dialect = Dialect { version: 22, ..LLVM21 };
const LLVM23: Dialect = Dialect { version: 23, hash_probing: HashProbing::Linear, ..LLVM22 };

const LLVM24: Dialect = Dialect {
    version: 24,
    nesting: Nesting::Cycles,
    checks_library_prototypes: true,
    irreducible_mass: IrreducibleMass::ByNodes,
    hash_probing: HashProbing::Listed,
    ..LLVM23
};

/// A row for each of the [versions](bpa_schema::LLVM_VERSIONS).
const DIALECTS: &[Dialect] =
    &[LLVM14, LLVM15, LLVM16, LLVM17, LLVM18, LLVM19, LLVM20, LLVM21, LLVM22, LLVM23, LLVM24];

impl Dialect {
    /// The dialect of the LLVM version that `text` names, if it is a supported one.
    pub fn named(text: &str) -> Option<&'static Dialect> {
        DIALECTS.iter().find(|dialect| dialect.version.to_string() == text)
    }

    /// Which versions there are, in words.
    pub fn versions() -> String {
        format!("{} to {}", DIALECTS[0].version, DIALECTS[DIALECTS.len() - 1].version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_supported_version_has_its_dialect() {
        for version in bpa_schema::LLVM_VERSIONS {
            assert_eq!(Dialect::named(&version.to_string()).map(|dialect| dialect.version), Some(version));
        }
        assert_eq!(DIALECTS.len(), bpa_schema::LLVM_VERSIONS.count());
        assert_eq!(["13", "99", "", "+16", "016", "16 ", "16.0"].map(Dialect::named), [None; 7]);
        assert!(Dialect::versions().starts_with("14 to "));
    }
}
