//! Every difference between LLVM versions that is visible in numbers or text, as data.

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

/// How mass is shared in an irreducible region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IrreducibleMass {
    /// Among the headers, and from there as in a natural loop.
    ByHeaders,
    /// Among all nodes, by power iteration.
    ByNodes,
}

/// How LLVM's hash tables search for a free bucket. Rounding errors are distributed in the order of a table.
///
/// LLVM: `DenseMapBase::LookupBucketFor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashProbing {
    /// In steps that grow by one bucket.
    Growing,
    /// To the next bucket.
    Linear,
    /// In any way: the table also keeps a list of its entries in insertion order.
    Listed,
}

/// How printers name a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockNameStyle {
    /// The bare name, empty for a block without a name.
    Bare,
    /// As an operand: `%name`, quoted if necessary, `%7` for a block without a name.
    Operand,
}

/// Which metadata nodes are accepted as branch weights.
///
/// LLVM: `getValidBranchWeightMDNode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchWeightNode {
    /// Any `!prof` node with one operand more than there are successors, whatever its name.
    AnyName,
    /// The name must be `branch_weights`.
    Named,
    /// The same. A string between the name and the weights may state the origin of the weights.
    NamedWithOrigin,
}

/// Which blocks count as executed only while an exception unwinds the stack.
///
/// LLVM: `BranchProbabilityInfo::getInitialEstimatedBlockWeight`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExceptionPaths {
    /// The unwind destinations of `invoke`s.
    UnwindDestinations,
    /// Blocks that begin with an exception handling pad.
    Pads,
}

/// How operations on constants are folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folding {
    /// Without the data layout.
    Plain,
    /// With the data layout of the module, which folds more casts between addresses and integers.
    DataLayout,
}

/// The numbers and the text of one LLVM version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dialect {
    /// The LLVM version.
    pub version: u32,
    /// Whether branch weights of `callbr` are read: from 16 on, one helper reads the weights of all terminators.
    ///
    /// LLVM: `CallBrInst`.
    pub reads_callbr_weights: bool,
    /// Which metadata nodes are accepted as branch weights: from 16 on, that helper also checks the name.
    ///
    /// LLVM: `getValidBranchWeightMDNode`.
    pub branch_weight_node: BranchWeightNode,
    /// Whether a probability of at most one half in `llvm.expect.with.probability` makes the expected value of a phi
    /// unlikely. Before 16, the expected value of a phi is always likely.
    ///
    /// LLVM: `handlePhiDef`.
    pub phis_follow_probability: bool,
    /// Whether weights from `llvm.expect` state their origin: from 19 on.
    ///
    /// LLVM: `MDBuilder::createBranchWeights`.
    pub lowered_weights_tell_origin: bool,
    /// Which blocks count as exceptional: from 19 on pads do, including pads that only other pads lead to.
    ///
    /// LLVM: `BranchProbabilityInfo::getInitialEstimatedBlockWeight`.
    pub exception_paths: ExceptionPaths,
    /// How the operations between a phi and the comparison of a loop's branch are folded: from 16 on with the data layout.
    ///
    /// LLVM: `ConstantFoldBinaryOpOperands`.
    pub operation_folding: Folding,
    /// How that comparison is folded: from 19 on with the data layout.
    ///
    /// LLVM: `ConstantFoldCompareInstOperands`.
    pub comparison_folding: Folding,
    /// Whether comparisons of denormal numbers fold: until 19. Later folders do not know the function, which may flush
    /// denormals to zero.
    ///
    /// LLVM: `FlushFPConstant`.
    pub compares_denormals: bool,
    /// Whether a library function needs its prototype from C: from 24 on. Until 23, the name suffices.
    ///
    /// LLVM: `TargetLibraryInfo::getLibFunc`.
    pub checks_library_prototypes: bool,
    /// Which cycles the analyses use: from 24 on, all cycles that LLVM's cycle analysis finds.
    ///
    /// LLVM: `BranchProbabilityAnalysis`, `BlockFrequencyAnalysis`.
    pub nesting: Nesting,
    /// How mass is shared in an irreducible region: from 24 on among all nodes.
    ///
    /// LLVM: `BlockFrequencyInfoImpl::computeMassInLoop`.
    pub irreducible_mass: IrreducibleMass,
    /// How frequencies become integers: from 18 on with headroom.
    ///
    /// LLVM: `convertFloatingToInteger`.
    pub frequency_scaling: FrequencyScaling,
    /// How hash tables search for a free bucket: linearly in 23. From 24 on, the results do not depend on it.
    ///
    /// LLVM: `DenseMapBase::LookupBucketFor`.
    pub hash_probing: HashProbing,
    /// How `print<branch-prob>` names blocks: from 18 on as operands, which distinguishes unnamed blocks.
    ///
    /// LLVM: `BranchProbabilityInfo::printEdgeProbability`.
    pub probability_block_names: BlockNameStyle,
    /// How `print<block-freq>` names blocks: with bare names in all versions.
    ///
    /// LLVM: `getBlockName`.
    pub frequency_block_names: BlockNameStyle,
    /// The header of `print<branch-prob>`, before the name of the function.
    ///
    /// LLVM: `BranchProbabilityPrinterPass`.
    pub probability_header: &'static str,
    /// The header of `print<block-freq>`, before the name of the function.
    ///
    /// LLVM: `BlockFrequencyPrinterPass`.
    pub frequency_header: &'static str,
    /// The header of `print<rust-bias>`, which LLVM does not have, in the same style.
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
    /// The dialect of the LLVM version `text`; none if the version is not supported.
    pub fn named(text: &str) -> Option<&'static Dialect> {
        DIALECTS.iter().find(|dialect| dialect.version.to_string() == text)
    }

    /// The supported versions, as text.
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
