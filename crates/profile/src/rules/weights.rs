//! The weights of the rules, and how they are read from rule files.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde::Deserialize;
use toml::Spanned;

use crate::facts::Predicate;

/// The numbers that a rules file gives for LLVM's estimated weights. Only the ratios of these numbers matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EstimateWeights {
    /// The weight of a block that ends in `unreachable`. A block with weight 0 never completes. The probability of an
    /// edge to the block is at most 2^-31, even if the branch has branch weights.
    #[serde(deserialize_with = "number")]
    pub unreachable: u32,
    /// The weight of a block that ends in `unreachable` after a call that does not return.
    #[serde(deserialize_with = "number")]
    pub noreturn: u32,
    /// The weight of a block that runs only during exception handling.
    #[serde(deserialize_with = "number")]
    pub unwind: u32,
    /// The weight of a block with a `cold` call.
    #[serde(deserialize_with = "number")]
    pub cold: u32,
    /// The weight of a block to which no other weight applies.
    #[serde(deserialize_with = "positive")]
    pub default: u32,
    /// The pair `[inside, leaves]`: the weight of an edge inside a loop, and the weight of an edge that leaves the
    /// loop. The estimated weight of an edge that leaves the loop is multiplied by `leaves / inside`.
    #[serde(rename = "loop", deserialize_with = "ratio")]
    pub around_loop: [u32; 2],
    /// The pair `[usual, unlikely]`: the weight of a usual successor, and the weight of an unlikely successor. The
    /// estimated weight of an edge to an unlikely successor is multiplied by `unlikely / usual`. A successor is
    /// unlikely if the branch cannot go to this successor in two successive iterations.
    #[serde(deserialize_with = "ratio")]
    pub unlikely: [u32; 2],
}

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

/// The greatest number that is allowed in a rule file. The sum of two such numbers and a rounding error must fit in 32
/// bits.
const GREATEST: u32 = (1 << 31) - 1;

/// Reads a table. Rejects a list, although `serde` would accept a list of the fields in order.
pub(super) fn table<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    struct Tables<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Tables<T> {
        type Value = T;

        fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
            out.write_str("a table")
        }

        fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(entries))
        }
    }

    from.deserialize_map(Tables(PhantomData))
}

/// Reads a table and its position in the text.
pub(super) fn spanned_table<'de, D, T>(from: D) -> Result<Option<Spanned<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    #[derive(serde::Deserialize)]
    #[serde(transparent, bound = "T: Deserialize<'de>")]
    struct Table<T>(#[serde(deserialize_with = "table")] T);

    let table = Spanned::<Table<T>>::deserialize(from)?;
    Ok(Some(Spanned::new(table.span(), table.into_inner().0)))
}

/// Reads a number.
pub(super) fn number<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    whole(from, 0)
}

/// Reads a number above 0.
pub(super) fn positive<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    whole(from, 1)
}

fn whole<'de, D: Deserializer<'de>>(from: D, least: u32) -> Result<u32, D::Error> {
    let number = u32::deserialize(from).ok().filter(|number| (least..=GREATEST).contains(number));
    number.ok_or_else(|| D::Error::custom(format!("expected a whole number from {least} to {GREATEST}")))
}

/// Reads a ratio of two numbers. The second number must not be greater than the first number.
pub(super) fn ratio<'de, D: Deserializer<'de>>(from: D) -> Result<[u32; 2], D::Error> {
    pair(from)
        .filter(|&[more, less]| (1..=GREATEST).contains(&more) && (1..=more).contains(&less))
        .ok_or_else(|| {
            D::Error::custom(format!(
                "expected two whole numbers from 1 to {GREATEST}; the second number must not be greater than the first"
            ))
        })
}

/// Reads the weights of a comparison.
pub(super) fn weights<'de, D: Deserializer<'de>>(from: D) -> Result<Option<[u32; 2]>, D::Error> {
    let weights =
        pair(from).filter(|weights| weights.iter().all(|weight| *weight <= GREATEST) && *weights != [0, 0]);
    let expected = || format!("expected two whole numbers from 0 to {GREATEST}, not both 0");
    weights.map(Some).ok_or_else(|| D::Error::custom(expected()))
}

fn pair<'de, D: Deserializer<'de>>(from: D) -> Option<[u32; 2]> {
    // The type is not an array, because deserializing an array would silently ignore the third number of a list.
    Vec::<u32>::deserialize(from).ok()?.try_into().ok()
}
