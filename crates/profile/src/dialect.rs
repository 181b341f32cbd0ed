//! The differences between LLVM versions, as data: differences in computed numbers and in printed text.

pub use crate::cfg::Nesting;

/// How block frequencies are converted to integers.
///
/// LLVM: `convertFloatingToInteger`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrequencyScaling {
    /// If the largest frequency is less than 1.5 * 2^61 times the smallest frequency, the smallest frequency becomes 8.
    /// Otherwise the largest frequency becomes 2^64.
    SmallestToEight,
    /// The largest frequency becomes 2^54. The upper 10 bits of a 64-bit integer remain free, so that sums and products
    /// of frequencies do not overflow.
    LargestTo54Bits,
}

/// How LLVM distributes the mass that enters an irreducible region among the nodes of the region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IrreducibleMass {
    /// The headers get the whole mass. Edges distribute the mass of the headers to the other nodes, as in a natural
    /// loop.
    ByHeaders,
    /// Every node gets a part of the mass. Power iteration computes how much mass each node gets.
    ByNodes,
}

/// How LLVM's hash tables search for a free bucket. The iteration order of a table determines which edges get rounding
/// errors.
///
/// LLVM: `DenseMapBase::LookupBucketFor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashProbing {
    /// Each step of the search is one bucket longer than the previous step.
    Growing,
    /// The search examines the next bucket in each step.
    Linear,
    /// The table keeps a list of its entries in insertion order. The search therefore does not affect the iteration
    /// order.
    Listed,
}

/// The form in which LLVM prints the name of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockNameStyle {
    /// The bare name. The text is empty if the block has no name.
    Bare,
    /// The name as an operand: `%name`, with quotes if necessary, or `%7` for a block without a name.
    Operand,
}

/// Which metadata nodes are accepted as branch weights.
///
/// LLVM: `getValidBranchWeightMDNode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchWeightNode {
    /// Any `!prof` node with one operand for the name and one operand for each successor. The name is not checked.
    AnyName,
    /// The name must be `branch_weights`.
    Named,
    /// The name must be `branch_weights`. An optional string between the name and the weights gives the origin of the
    /// weights, for example `expected`.
    NamedWithOrigin,
}

/// Which blocks run only during exception handling.
///
/// LLVM: `BranchProbabilityInfo::getInitialEstimatedBlockWeight`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExceptionPaths {
    /// The unwind destinations of `invoke`s.
    UnwindDestinations,
    /// Blocks that begin with an exception-handling pad.
    Pads,
}

/// How operations on constants are folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folding {
    /// LLVM folds constants without the data layout of the module.
    Plain,
    /// LLVM folds constants with the data layout of the module. The data layout allows LLVM to fold more casts between
    /// addresses and integers.
    DataLayout,
}

/// The behaviour of one LLVM version, as far as it affects numbers or text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dialect {
    /// The LLVM version.
    pub version: u32,
    /// Whether branch weights of `callbr` are read. From version 16 on, LLVM reads these weights, because the same C++
    /// function reads the weights of all terminators.
    ///
    /// LLVM: `CallBrInst`.
    pub reads_callbr_weights: bool,
    /// Which metadata nodes are accepted as branch weights. From version 16 on, LLVM checks the name of the node.
    ///
    /// LLVM: `getValidBranchWeightMDNode`.
    pub branch_weight_node: BranchWeightNode,
    /// Which blocks are exceptional: LLVM assumes that they run only during exception handling. Up to version 18, the
    /// unwind destinations of `invoke`s are exceptional. From version 19 on, all blocks that begin with an
    /// exception-handling pad are exceptional.
    ///
    /// LLVM: `BranchProbabilityInfo::getInitialEstimatedBlockWeight`.
    pub exception_paths: ExceptionPaths,
    /// How LLVM folds operations in a loop. These operations start from a phi, and compute an operand of a comparison.
    /// From version 16 on, LLVM uses the data layout.
    ///
    /// LLVM: `ConstantFoldBinaryOpOperands`.
    pub operation_folding: Folding,
    /// How LLVM folds the comparison on which a branch in a loop depends. LLVM uses the data layout from version 19 on.
    ///
    /// LLVM: `ConstantFoldCompareInstOperands`.
    pub comparison_folding: Folding,
    /// Whether comparisons of denormal numbers are folded. Up to version 19, LLVM folds these comparisons. From version
    /// 20 on, LLVM does not fold them, because the function can flush denormals to zero.
    ///
    /// LLVM: `FlushFPConstant`.
    pub compares_denormals: bool,
    /// Whether a library function must have its C prototype to be recognized. From version 24 on, LLVM requires the
    /// prototype. Until version 23, LLVM recognizes library functions by their names alone.
    ///
    /// LLVM: `TargetLibraryInfo::getLibFunc`.
    pub checks_library_prototypes: bool,
    /// Which cycles the analyses use. From version 24 on, LLVM uses every cycle that its cycle analysis finds.
    ///
    /// LLVM: `BranchProbabilityAnalysis`, `BlockFrequencyAnalysis`.
    pub nesting: Nesting,
    /// How LLVM distributes the mass that enters an irreducible region. From version 24 on, every node of the region
    /// gets a part of the mass.
    ///
    /// LLVM: `BlockFrequencyInfoImpl::computeMassInLoop`.
    pub irreducible_mass: IrreducibleMass,
    /// How frequencies are converted to integers. From version 18 on, LLVM scales the largest frequency of a function
    /// to 2^54.
    ///
    /// LLVM: `convertFloatingToInteger`.
    pub frequency_scaling: FrequencyScaling,
    /// How hash tables search for a free bucket. LLVM 23 searches linearly. From version 24 on, the search does not
    /// affect results.
    ///
    /// LLVM: `DenseMapBase::LookupBucketFor`.
    pub hash_probing: HashProbing,
    /// How `print<branch-prob>` names blocks. From version 18 on, LLVM prints each block as an operand.
    /// Blocks without a name are printed as numbers, such as `%3`, so the reader can distinguish unnamed blocks.
    ///
    /// LLVM: `BranchProbabilityInfo::printEdgeProbability`.
    pub probability_block_names: BlockNameStyle,
    /// How `print<block-freq>` names blocks. All LLVM versions print a block's name without `%`.
    ///
    /// LLVM: `getBlockName`.
    pub frequency_block_names: BlockNameStyle,
    /// The text that `print<branch-prob>` prints before the name of the function.
    ///
    /// LLVM: `BranchProbabilityPrinterPass`.
    pub probability_header: &'static str,
    /// The text that `print<block-freq>` prints before the name of the function.
    ///
    /// LLVM: `BlockFrequencyPrinterPass`.
    pub frequency_header: &'static str,
    /// The text that `print<rust-bias>` prints before the name of the function. LLVM has no such printer. The text has
    /// the style of LLVM's printers.
    pub bias_header: &'static str,
}

const LLVM14: Dialect = Dialect {
    version: 14,
    reads_callbr_weights: false,
    branch_weight_node: BranchWeightNode::AnyName,
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

/// One dialect for each of the [supported versions](bpa_schema::LLVM_VERSIONS).
const DIALECTS: &[Dialect] =
    &[LLVM14, LLVM15, LLVM16, LLVM17, LLVM18, LLVM19, LLVM20, LLVM21, LLVM22, LLVM23, LLVM24];

impl Dialect {
    /// The dialect of the newest supported LLVM version.
    pub const NEWEST: &Dialect = &LLVM24;

    /// The dialect of the LLVM version with the major version `version`, or `None` if it is not supported.
    pub fn of_llvm(version: u32) -> Option<&'static Dialect> {
        DIALECTS.iter().find(|dialect| dialect.version == version)
    }

    /// The dialect of the LLVM version `text`, or `None` if the version is not supported. `text` is a major version in
    /// decimal digits, for example `16`.
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
            assert_eq!(Dialect::of_llvm(version).map(|dialect| dialect.version), Some(version));
        }
        assert_eq!(DIALECTS.len(), bpa_schema::LLVM_VERSIONS.count());
        assert_eq!(["13", "99", "", "+16", "016", "16 ", "16.0"].map(Dialect::named), [None; 7]);
        assert_eq!(Dialect::versions(), format!("14 to {}", Dialect::NEWEST.version));
    }
}
