//! The numbers of the rules that look at what a branch compares.

use crate::facts::IntegerPredicate;

/// Weights of a branch's two edges: if the comparison holds, and if it does not.
pub type BranchWeights = [u32; 2];

/// Two pointers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointerWeights {
    /// `eq`
    pub equal: Option<BranchWeights>,
    /// `ne`
    pub unequal: Option<BranchWeights>,
}

/// An integer, by what it is compared with. `x >= 0` stands as `x > -1`, and `x <= 0` as `x < 1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConstantWeights {
    /// 0
    pub zero: PredicateWeights,
    /// 1
    pub one: PredicateWeights,
    /// -1
    pub minus_one: PredicateWeights,
    /// Any other constant.
    pub other: PredicateWeights,
    /// What comparing strings came to, with any constant.
    pub string: PredicateWeights,
    /// One bit of a value, with any constant.
    pub bit: PredicateWeights,
}

/// By how an integer is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PredicateWeights {
    /// `eq`
    pub equal: Option<BranchWeights>,
    /// `ne`
    pub unequal: Option<BranchWeights>,
    /// `slt`
    pub less: Option<BranchWeights>,
    /// `sgt`
    pub greater: Option<BranchWeights>,
    /// Any other way.
    pub other: Option<BranchWeights>,
}

impl PredicateWeights {
    /// The weights for comparing by `predicate`.
    pub fn of(&self, predicate: IntegerPredicate) -> Option<BranchWeights> {
        match predicate {
            IntegerPredicate::Equal => self.equal,
            IntegerPredicate::Unequal => self.unequal,
            IntegerPredicate::SignedLess => self.less,
            IntegerPredicate::SignedGreater => self.greater,
            IntegerPredicate::Other => self.other,
        }
    }
}

/// Two floating point numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FloatWeights {
    /// `oeq`, `one`, `une`
    pub equality_ordered: Option<BranchWeights>,
    /// `ueq`
    pub equality_unordered: Option<BranchWeights>,
    /// `ord`
    pub ordered: Option<BranchWeights>,
    /// `uno`
    pub unordered: Option<BranchWeights>,
    /// Any other way.
    pub other: Option<BranchWeights>,
}
