//! Integer counts for metadata.

use cranelift_entity::PrimaryMap;

use super::estimate::Estimate;
use super::graph::CallNode;
use crate::bfi::Scaled;

/// The approximate number of bits that a block count can have. The sum of a million such counts fits in 64 bits.
const MOST_DIGITS: i32 = 44;
/// Usually, the count of a block is the block's number of executions, multiplied by 2^10. If a count would then need
/// more than [`MOST_DIGITS`] bits, all counts are multiplied by a power of two that is less than 2^10. With the factor
/// 2^10, a block that runs once in a thousand calls has a count above 0.
const ONE_DIGITS: i32 = 10;

/// The counts of functions and blocks as integers. All counts have the same unit.
#[derive(Clone, Debug, Default)]
pub struct IntegerCounts {
    /// The number of calls of each function, or 0 for a declaration.
    pub entries: PrimaryMap<CallNode, u64>,
    /// The counts of the blocks of all functions, in the order of functions.
    pub blocks: Vec<u64>,
    /// The number of blocks of each function.
    pub sizes: PrimaryMap<CallNode, usize>,
    /// The greatest block count of each function.
    pub greatest: PrimaryMap<CallNode, u64>,
}

impl IntegerCounts {
    /// Converts the counts of `estimate` to integers, rounded to nearest. Reachable blocks have a count of at least 1.
    pub fn of(estimate: &Estimate) -> Self {
        let unit = unit(estimate);
        let round = |calls: Scaled, frequency: Scaled| {
            let is_reachable = !calls.is_zero() && !frequency.is_zero();
            nearest_product(calls, frequency, unit).max(is_reachable.into())
        };
        let mut counts = IntegerCounts::default();
        for (node, function) in estimate.module().functions.iter() {
            let calls = estimate.calls(node);
            let before = counts.blocks.len();
            if let Some(body) = &function.body {
                counts.blocks.extend(body.frequencies.values().map(|&frequency| round(calls, frequency)));
            }
            counts.sizes.push(counts.blocks.len() - before);
            counts.greatest.push(counts.blocks[before..].iter().copied().max().unwrap_or(0));
            counts.entries.push(if function.body.is_some() { round(calls, Scaled::ONE) } else { 0 });
        }
        counts
    }
}

/// The product of `one`, `another` and 2^`power`, rounded to nearest, with halves rounded up. Products of more than
/// [`MOST_DIGITS`] + 1 bits become the greatest integer with this number of bits.
fn nearest_product(one: Scaled, another: Scaled, power: i32) -> u64 {
    const MOST: u64 = (2 << MOST_DIGITS) - 1;
    let product = u128::from(one.digits()) * u128::from(another.digits());
    let exponent = i32::from(one.exponent()) + i32::from(another.exponent()) + power;
    if product.checked_ilog2().is_some_and(|digits| digits as i32 + exponent > MOST_DIGITS) {
        return MOST;
    }
    match exponent {
        0.. => (product as u64).checked_shl(exponent as u32).unwrap_or(0),
        _ => (product.checked_shr(exponent.unsigned_abs() - 1).unwrap_or(0) as u64).div_ceil(2).min(MOST),
    }
}

/// The binary logarithm of the integer that represents one call.
fn unit(estimate: &Estimate) -> i32 {
    let greatest = estimate
        .defined()
        .filter_map(|node| {
            let body = estimate.module().functions[node].body.as_ref()?;
            Some(estimate.calls(node) * *body.frequencies.values().max()?)
        })
        .max();
    let digits = greatest.and_then(Scaled::log2_rounded).unwrap_or(0);
    ONE_DIGITS.min(MOST_DIGITS - digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_rounded_to_nearest_and_limited() {
        let product = |one: (u64, i16), another: (u64, i16), power| {
            nearest_product(Scaled::new(one.0, one.1), Scaled::new(another.0, another.1), power)
        };
        assert_eq!(product((3, 0), (5, -1), 0), 8);
        assert_eq!(product((3, 0), (5, -2), 0), 4);
        assert_eq!(product((3, 4), (5, 1), -2), 120);
        assert_eq!(product((1 << 63, -63), (1 << 63, -63), -1), 1);
        assert_eq!(product((1, 0), (1, 0), -2), 0);
        assert_eq!(product((1, -200), (1, -200), 0), 0);
        assert_eq!(product((0, 0), (7, 16383), 0), 0);
        assert_eq!(product((1, 30), (1, 14), 0), 1 << 44);
        assert_eq!(product((1, 30), (1, 15), 0), (1 << 45) - 1);
        assert_eq!(product((u64::MAX, 16383), (u64::MAX, 16383), 0), (1 << 45) - 1);
        assert_eq!(product((u64::MAX, 16383), (1, 0), 44 - 16447), 1 << 44);
    }
}
