//! By how much the printed frequencies miss their equations: for functions of any size.

use num_bigint::BigInt;

use super::function::{log2, Function, Printed};

/// Bits behind the point: as many as the least frequency that can be printed needs, and more.
const FRACTION: i64 = 16_600;
/// The greatest exponent that is printed.
const MOST: i64 = 16_383;

/// The worst residual, relative to the frequency that it is of.
pub fn line(function: &Function) -> String {
    let mut sums: Vec<BigInt> = vec![BigInt::from(0); function.edges.len()];
    sums[0] = BigInt::from(1) << FRACTION;
    for &block in &function.reached {
        let total: u64 = function.edges[block].iter().map(|edge| edge.1).sum();
        let frequency = wide(function.printed[block]);
        for &(target, weight) in &function.flow[block] {
            sums[target] += &frequency * weight / (u128::from(total) * 4096);
        }
    }
    let mut worst = f64::NEG_INFINITY;
    let mut saturated = 0;
    for &block in &function.reached {
        let printed = function.printed[block];
        if printed.exponent >= MOST || (printed.digits == 1 && printed.exponent < -16_000) {
            saturated += 1;
            continue;
        }
        let frequency = wide(printed);
        worst = worst.max(log2(&(&sums[block] - &frequency)) - log2(&frequency));
    }
    format!("{} {} {worst:.2} {saturated}", function.name, function.reached.len())
}

fn wide(number: Printed) -> BigInt {
    BigInt::from(number.digits) << (number.exponent + FRACTION)
}
