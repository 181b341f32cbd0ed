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
        let round = |count: Scaled| match count.is_zero() {
            true => 0,
            false => count.shifted(unit).to_nearest_u64().max(1),
        };
        let mut counts = IntegerCounts::default();
        for (node, function) in estimate.module().functions.iter() {
            let calls = estimate.calls(node);
            let before = counts.blocks.len();
            if let Some(body) = &function.body {
                counts.blocks.extend(body.frequencies.values().map(|&frequency| round(calls * frequency)));
            }
            counts.sizes.push(counts.blocks.len() - before);
            counts.greatest.push(counts.blocks[before..].iter().copied().max().unwrap_or(0));
            counts.entries.push(if function.body.is_some() { round(calls) } else { 0 });
        }
        counts
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
