//! LLVM's rules and weights.

use std::borrow::Cow;

use super::weights::{
    BranchWeights, ConstantWeights, EstimateWeights, FloatWeights, PointerWeights, PredicateWeights,
};
use super::{Rule, RuleSet};

/// The weights of a comparison that is probably true. The weights 20 and 12 are a probability of 62.50%.
///
/// LLVM: `PH_TAKEN_WEIGHT`, `PH_NONTAKEN_WEIGHT`, `ZH_TAKEN_WEIGHT`, `ZH_NONTAKEN_WEIGHT`,
/// `FPH_TAKEN_WEIGHT`, `FPH_NONTAKEN_WEIGHT`.
const LIKELY: Option<BranchWeights> = Some([20, 12]);
/// The weights of a comparison that is probably false: 12 : 20, so the comparison is true with probability 37.50%.
///
/// LLVM: `PH_TAKEN_WEIGHT`, `PH_NONTAKEN_WEIGHT`, `ZH_TAKEN_WEIGHT`, `ZH_NONTAKEN_WEIGHT`,
/// `FPH_TAKEN_WEIGHT`, `FPH_NONTAKEN_WEIGHT`.
const UNLIKELY: Option<BranchWeights> = Some([12, 20]);
/// The weight of a comparison without a NaN operand. LLVM assumes that one in 2^20 comparisons has a NaN operand.
///
/// LLVM: `FPH_ORD_WEIGHT`.
const NUMBER: u32 = (1 << 20) - 1;
/// LLVM: `FPH_UNO_WEIGHT`.
const NAN: u32 = 1;

/// A block that ends in `unreachable` after a call that does not return can run once. As in LLVM, the weight of this
/// block is therefore higher than the weight of other blocks that end in `unreachable`.
///
/// LLVM: `BlockExecWeight::UNREACHABLE`, `BlockExecWeight::NORETURN`, `BlockExecWeight::UNWIND`,
/// `BlockExecWeight::COLD`, `BlockExecWeight::DEFAULT`, `LBH_TAKEN_WEIGHT`, `LBH_NONTAKEN_WEIGHT`.
const ESTIMATES: EstimateWeights = EstimateWeights {
    unreachable: 0,
    noreturn: 1,
    unwind: 1,
    cold: 0xFFFF,
    default: 0xF_FFFF,
    // An edge inside a loop is 31 times as likely as an exit of the loop.
    around_loop: [124, 4],
    unlikely: [2, 1],
};

/// LLVM: `PointerTable`.
const POINTER: PointerWeights = PointerWeights { equal: UNLIKELY, unequal: LIKELY };

const NONE: PredicateWeights =
    PredicateWeights { equal: None, unequal: None, less: None, greater: None, other: None };
const EQUALITY: PredicateWeights = PredicateWeights { equal: UNLIKELY, unequal: LIKELY, ..NONE };

/// Zero and negative numbers are usually error codes or end markers. Functions such as `strcmp` return zero for equal
/// strings, and an unspecified number otherwise. The result therefore probably differs from any given constant. LLVM
/// does not predict a test of a single bit.
///
/// LLVM: `ICmpWithZeroTable`, `ICmpWithMinusOneTable`, `ICmpWithOneTable`, `ICmpWithLibCallTable`.
const CONSTANT: ConstantWeights = ConstantWeights {
    zero: PredicateWeights { less: UNLIKELY, greater: LIKELY, ..EQUALITY },
    one: PredicateWeights { less: UNLIKELY, ..NONE },
    minus_one: PredicateWeights { greater: LIKELY, ..EQUALITY },
    other: NONE,
    string: EQUALITY,
    bit: NONE,
};

/// LLVM predicts that `ueq` is false, because `ueq` is true for all identical operands, including NaNs. LLVM predicts
/// that the equality tests `oeq`, `one` and `une` are true.
///
/// LLVM: `FCmpTable`.
const FLOATING_POINT: FloatWeights = FloatWeights {
    equality_ordered: LIKELY,
    equality_unordered: UNLIKELY,
    ordered: Some([NUMBER, NAN]),
    unordered: Some([NAN, NUMBER]),
    other: None,
};

/// LLVM: `BranchProbabilityInfo::calculate`.
static LLVM: RuleSet = RuleSet {
    name: Cow::Borrowed("llvm"),
    rules: Cow::Borrowed(&[
        Rule::Metadata,
        Rule::EstimatedWeights,
        Rule::Pointer,
        Rule::Constant,
        Rule::FloatingPoint,
    ]),
    estimates: ESTIMATES,
    pointer: POINTER,
    constant: CONSTANT,
    floating_point: FLOATING_POINT,
};

impl RuleSet {
    /// LLVM's rules and weights.
    pub fn llvm() -> &'static RuleSet {
        &LLVM
    }
}
