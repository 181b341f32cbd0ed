//! The exact solution of the equations of flow, as fractions.
//!
//! It is worked out digit by digit in base of a prime, from the low end (John Dixon, "Exact solution of linear equations
//! using p-adic expansions", Numerische Mathematik 40, 1982), made into fractions, and put into the equations: so what
//! is answered is right, however it was found.

use num_bigint::{BigInt, Sign};

use super::function::Function;
use super::modular::{Modulus, PRIMES};

/// A fraction above 0.
pub type Fraction = (BigInt, BigInt);

/// How often each block runs; none for those that are not reached.
///
/// The unknown of a block is its frequency over the sum of its weights:
///
/// ```text
/// sum of own weights * x  -  sum over edges to it of (weight * x of their source)  =  1 at the entry, else 0
/// ```
pub fn solve(function: &Function) -> Vec<Option<Fraction>> {
    let blocks: Vec<usize> = function.reached.iter().copied().collect();
    let mut places = vec![usize::MAX; function.edges.len()];
    blocks.iter().enumerate().for_each(|(place, &block)| places[block] = place);
    let sums: Vec<i128> = blocks.iter().map(|&block| sum_of_weights(function, block)).collect();
    // For each equation the places and coefficients of its unknowns.
    let mut equations: Vec<Vec<(usize, i128)>> =
        sums.iter().enumerate().map(|(place, &sum)| vec![(place, sum)]).collect();
    for (place, &block) in blocks.iter().enumerate() {
        for &(target, weight) in &function.flow[block] {
            equations[places[target]].push((place, -i128::from(weight)));
        }
    }
    let entry = places[0];
    let count = digits_needed(&sums);
    let expanded =
        PRIMES.iter().find_map(|&prime| Some((prime, expand(&equations, entry, count, Modulus(prime))?)));
    let (prime, digits) = expanded.expect("a matrix that has an inverse modulo one of the primes");
    let (numerators, denominator) = fractions(&digits, prime);
    check(&equations, entry, &numerators, &denominator);
    let mut solution = vec![None; function.edges.len()];
    for (place, &block) in blocks.iter().enumerate() {
        solution[block] = Some((&numerators[place] * sums[place], denominator.clone()));
    }
    solution
}

fn sum_of_weights(function: &Function, block: usize) -> i128 {
    let sum: i128 = function.edges[block].iter().map(|edge| i128::from(edge.1) * 4096).sum();
    sum.max(1)
}

/// Cramer's rule makes numerators and denominators determinants, which are at most the product of the sums of their
/// columns; of a column that is at most twice the sum of the block's weights.
fn digits_needed(sums: &[i128]) -> usize {
    let bits: u32 = sums.iter().map(|sum| 130 - sum.leading_zeros()).sum();
    (2 * bits as usize + 64) / 60 + 1
}

/// The first digits of each unknown, lowest first.
fn expand(
    equations: &[Vec<(usize, i128)>],
    entry: usize,
    count: usize,
    modulus: Modulus,
) -> Option<Vec<Vec<u64>>> {
    let prime = i128::from(modulus.0);
    let mut rows = vec![vec![0u64; equations.len()]; equations.len()];
    for (row, equation) in rows.iter_mut().zip(equations) {
        for &(place, coefficient) in equation {
            row[place] = modulus.remainder(i128::from(row[place]) + coefficient);
        }
    }
    let inverse = modulus.inverse(rows)?;
    let mut rest = vec![0i128; equations.len()];
    rest[entry] = 1;
    let mut digits = vec![Vec::with_capacity(count); equations.len()];
    for _ in 0..count {
        let remainders: Vec<u64> = rest.iter().map(|&rest| modulus.remainder(rest)).collect();
        let step: Vec<u64> = inverse.iter().map(|row| modulus.dot(row, &remainders)).collect();
        for (rest, equation) in rest.iter_mut().zip(equations) {
            for &(place, coefficient) in equation {
                *rest -= coefficient * i128::from(step[place]);
            }
            debug_assert_eq!(*rest % prime, 0);
            *rest /= prime;
        }
        digits.iter_mut().zip(step).for_each(|(digits, digit)| digits.push(digit));
    }
    Some(digits)
}

/// The fractions that have these digits, over one denominator.
fn fractions(digits: &[Vec<u64>], prime: u64) -> (Vec<BigInt>, BigInt) {
    let modulus = BigInt::from(prime).pow(digits[0].len() as u32);
    let bound = modulus.sqrt();
    let values: Vec<BigInt> = digits.iter().map(|digits| joined(digits, prime)).collect();
    let mut denominator = BigInt::from(1);
    for value in &values {
        // What the denominator so far makes whole stays small.
        let scaled = symmetric(value * &denominator, &modulus);
        if scaled.magnitude() > bound.magnitude() {
            denominator *= missing_denominator(scaled, &modulus, &bound);
        }
    }
    (values.iter().map(|value| symmetric(value * &denominator, &modulus)).collect(), denominator)
}

/// The number of these digits, by halves.
fn joined(digits: &[u64], prime: u64) -> BigInt {
    if let [digit] = digits {
        return (*digit).into();
    }
    let (low, high) = digits.split_at(digits.len() / 2);
    joined(low, prime) + joined(high, prime) * BigInt::from(prime).pow(low.len() as u32)
}

/// The remainder that is nearest to 0.
fn symmetric(number: BigInt, modulus: &BigInt) -> BigInt {
    let remainder = ((number % modulus) + modulus) % modulus;
    if &remainder * 2 > *modulus {
        remainder - modulus
    } else {
        remainder
    }
}

/// The denominator of the fraction with small numerator and denominator that leaves the remainder `value`, by Euclid's
/// algorithm.
fn missing_denominator(value: BigInt, modulus: &BigInt, bound: &BigInt) -> BigInt {
    let mut rows =
        [(modulus.clone(), BigInt::from(0)), ((value % modulus + modulus) % modulus, BigInt::from(1))];
    while rows[1].0 > *bound {
        let quotient = &rows[0].0 / &rows[1].0;
        let next = (&rows[0].0 - &quotient * &rows[1].0, &rows[0].1 - &quotient * &rows[1].1);
        let [_, last] = rows;
        rows = [last, next];
    }
    BigInt::from_biguint(Sign::Plus, rows[1].1.magnitude().clone())
}

/// Asserts that the fractions solve the equations.
fn check(equations: &[Vec<(usize, i128)>], entry: usize, numerators: &[BigInt], denominator: &BigInt) {
    for (place, equation) in equations.iter().enumerate() {
        let sum: BigInt =
            equation.iter().map(|&(unknown, coefficient)| &numerators[unknown] * coefficient).sum();
        let right = if place == entry { denominator.clone() } else { BigInt::from(0) };
        assert_eq!(sum, right, "an equation that does not hold");
    }
}
