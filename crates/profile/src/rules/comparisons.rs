//! Weights of the rules about comparisons.

use serde::Deserialize;

use super::numbers::{table, weights};
use crate::facts::Predicate;

/// The weights of a branch on a comparison: the weight of the true edge, and the weight of the false edge.
pub(crate) type BranchWeights = [u32; 2];

/// The weights for a comparison of two pointers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct PointerWeights {
    /// `eq`
    #[serde(deserialize_with = "weights")]
    pub equal: Option<BranchWeights>,
    /// `ne`
    #[serde(deserialize_with = "weights")]
    pub unequal: Option<BranchWeights>,
}

/// The weights for a comparison of an integer, for each kind of constant. LLVM canonicalises `x >= 0` to `x > -1`, and
/// `x <= 0` to `x < 1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ConstantWeights {
    /// 0
    #[serde(deserialize_with = "table")]
    pub zero: PredicateWeights,
    /// 1
    #[serde(deserialize_with = "table")]
    pub one: PredicateWeights,
    /// -1
    #[serde(deserialize_with = "table")]
    pub minus_one: PredicateWeights,
    /// Any other constant.
    #[serde(deserialize_with = "table")]
    pub other: PredicateWeights,
    /// A comparison of a constant with the result of a string function such as `strcmp`.
    #[serde(deserialize_with = "table")]
    pub string: PredicateWeights,
    /// A comparison of a single bit of a value with any constant.
    #[serde(deserialize_with = "table")]
    pub bit: PredicateWeights,
}

/// The weights for comparisons of integers. Each predicate has separate weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(
    default,
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a table with weights for kinds of comparisons"
)]
pub(crate) struct PredicateWeights {
    /// `eq`
    #[serde(deserialize_with = "weights")]
    pub equal: Option<BranchWeights>,
    /// `ne`
    #[serde(deserialize_with = "weights")]
    pub unequal: Option<BranchWeights>,
    /// `slt`
    #[serde(deserialize_with = "weights")]
    pub less: Option<BranchWeights>,
    /// `sgt`
    #[serde(deserialize_with = "weights")]
    pub greater: Option<BranchWeights>,
    /// Any other predicate.
    #[serde(deserialize_with = "weights")]
    pub other: Option<BranchWeights>,
}

impl PredicateWeights {
    /// The weights for `predicate`.
    pub(crate) fn of(&self, predicate: Predicate) -> Option<BranchWeights> {
        match predicate {
            Predicate::Equal => self.equal,
            Predicate::Unequal => self.unequal,
            Predicate::Less => self.less,
            Predicate::Greater => self.greater,
            _ => self.other,
        }
    }
}

/// The weights for a comparison of two floating-point numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct FloatWeights {
    /// `oeq`, `one`, `une`
    #[serde(deserialize_with = "weights")]
    pub equality_ordered: Option<BranchWeights>,
    /// `ueq`
    #[serde(deserialize_with = "weights")]
    pub equality_unordered: Option<BranchWeights>,
    /// `ord`
    #[serde(deserialize_with = "weights")]
    pub ordered: Option<BranchWeights>,
    /// `uno`
    #[serde(deserialize_with = "weights")]
    pub unordered: Option<BranchWeights>,
    /// Any other predicate.
    #[serde(deserialize_with = "weights")]
    pub other: Option<BranchWeights>,
}
