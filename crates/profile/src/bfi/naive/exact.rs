//! The expected number of executions of each block, as the exact solution of linear equations.

use std::collections::BTreeMap;

use num_bigint::BigInt;

use super::check_integers;
use crate::bfi::{BlockFrequencies, FrequencyInput};
use crate::cfg::naive::{self, Blocks, NaturalLoop};
use crate::cfg::Block;

/// The expected number of executions of each block, as an exact rational number.
///
/// An entry of a region is a block with a predecessor outside the region. If a region has no exit, each edge from a
/// block of the region to an entry loses 1/4096 of its flow. Other edges of the region lose no flow. The unknown y
/// of a block is its number of executions divided by the sum of its edge weights. Each block has one equation:
///
/// ```text
/// sum of edge weights * y  -  sum over edges into the block of (weight * y of the source)  =  1 at the entry, else 0
/// ```
///
/// Bareiss elimination solves these equations. All coefficients stay integers.
pub(crate) fn visits(input: &FrequencyInput) -> BTreeMap<Block, (BigInt, BigInt)> {
    let graph = input.graph;
    let blocks: Vec<Block> = naive::Walk::of(graph).preorder;
    let count = blocks.len();
    let reached: Vec<Blocks> = blocks.iter().map(|&block| naive::reached(graph, block, None)).collect();
    let place = |block: Block| blocks.iter().position(|&other| other == block).expect("reached");
    let returns =
        |from: Block, to: Block| reached[place(from)].contains(&to) && reached[place(to)].contains(&from);
    // A block B is in an infinite loop if every block that B reaches also reaches B.
    let is_infinite = |block: Block| reached[place(block)].iter().all(|&other| returns(block, other));
    let is_entered = |block: Block| {
        let outside = |&source: &Block| !returns(source, block);
        block == graph.entry()
            || blocks
                .iter()
                .filter(|&source| outside(source))
                .any(|&source| graph.successors(source).contains(&block))
    };
    let loops = naive::loops(graph);
    let is_inside = |natural: &&NaturalLoop| natural.body != reached[place(natural.header)];
    let inner: Vec<&NaturalLoop> = loops.iter().filter(is_inside).collect();
    let iterations = |from: Block, to: Block| {
        inner.iter().any(|natural| natural.header == to && natural.body.contains(&from))
    };
    let ends = |from: Block, to: Block| {
        is_infinite(to) && is_entered(to) && returns(from, to) && !iterations(from, to)
    };
    let plain = |edge: usize| BigInt::from(input.probabilities[edge].numerator().max(1)) * 4096;
    let weight = |source: Block, edge: usize, target: Block| match ends(source, target) {
        true => plain(edge) / 4096 * 4095,
        false => plain(edge),
    };
    let sums: Vec<BigInt> =
        blocks.iter().map(|&block| graph.edges(block).map(plain).sum::<BigInt>().max(1.into())).collect();
    let mut rows = vec![vec![BigInt::from(0); count + 1]; count];
    rows[0][count] = 1.into();
    for (source, &block) in blocks.iter().enumerate() {
        rows[source][source] += &sums[source];
        for (edge, &target) in graph.edges(block).zip(graph.successors(block)) {
            rows[place(target)][source] -= weight(block, edge, target);
        }
    }
    let mut divisor = BigInt::from(1);
    for step in 0..count {
        let pivot = (step..count).find(|&row| rows[row][step] != 0.into()).expect("one solution");
        rows.swap(step, pivot);
        let own = rows[step].clone();
        for row in (0..count).filter(|&row| row != step) {
            let factor = rows[row][step].clone();
            for (number, across) in rows[row].iter_mut().zip(&own) {
                *number = (&*number * &own[step] - &factor * across) / &divisor;
            }
        }
        divisor = own[step].clone();
    }
    let solved = (0..count).map(|step| {
        let (numerator, denominator) = (&rows[step][count] * &sums[step], rows[step][step].clone());
        (
            blocks[step],
            if denominator < 0.into() { (-numerator, -denominator) } else { (numerator, denominator) },
        )
    });
    solved.collect()
}

/// Checks that exact frequencies are correct to 62 bits. Also checks that integer frequencies are rounded to the
/// nearest integer.
pub(crate) fn check_exact(input: &FrequencyInput, result: &BlockFrequencies) {
    let visits = visits(input);
    for block in input.graph.blocks() {
        let frequency = result.scaled(block);
        let Some((numerator, denominator)) = visits.get(&block) else {
            assert!(frequency.is_zero() && result.integer(block) == 0);
            continue;
        };
        let up = |exponent: i32| exponent.max(0) as u32;
        let exponent = i32::from(frequency.exponent());
        let found = (BigInt::from(frequency.digits()) << up(exponent)) * denominator;
        let exact = numerator << up(-exponent);
        let off: BigInt = found - &exact;
        assert!(
            off.magnitude() << 62u32 <= *exact.magnitude(),
            "{block}: {frequency:?} is not {numerator}/{denominator}"
        );
    }
    check_integers(input, result);
}
