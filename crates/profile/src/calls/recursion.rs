//! Limits how fast the number of calls in a recursion can grow.
//!
//! Some estimates predict that each call of a recursive function causes at least one further call of the function. The
//! call equations then have no solution. Such estimates occur because the condition that ends a recursion depends on
//! data, and a static estimate does not know the data. The calls of a recursion form *generations*: a call is in
//! generation n if the call chain from the start of the recursion to this call contains n back calls. Each generation
//! must have at most 1/8 as many calls as the previous generation ([`MOST`]). If a generation can have more calls, the
//! weights of all back calls are multiplied by a factor. With this factor, no generation exceeds the limit. The weights
//! of forward calls do not change.
//!
//! A matrix maps the calls of each generation to the calls of the next generation. The number of calls of a generation,
//! divided by the number of calls of the previous generation, converges to the greatest eigenvalue of this matrix. To
//! compute an upper bound of this eigenvalue, multiply the matrix by any positive vector v, and divide each element of
//! the product by the element of v with the same index. The greatest quotient is the upper bound. If v is multiplied by
//! the matrix repeatedly, the bound converges to the eigenvalue. The source is Lothar Collatz, "Einschliessungssatz
//! für die charakteristischen Zahlen von Matrizen", Mathematische Zeitschrift 48, 1942.

use crate::bfi::exact::real::{Real, Short};
use crate::bfi::Scaled;

/// The highest allowed ratio of the calls of a generation to the calls of the previous generation: 1/8. With this
/// bound, all generations together have at most 8/7 times as many calls as the first generation. On the corpus, greater
/// bounds (1/4 to 13/16) make the estimated counts less accurate.
const MOST: Real = Real::power(-3);
/// The maximum number of multiplications of the vector v by the matrix.
const ROUNDS: usize = 40;

/// A call within a component. Caller and callee are indices in the list of the component's functions.
#[derive(Clone, Copy, Debug)]
pub(super) struct InnerCall {
    pub caller: u32,
    pub callee: u32,
    pub weight: Short,
}

impl InnerCall {
    /// Whether the call is a back call: a call from a function to itself or to a function with a lower index.
    pub(crate) fn is_back(&self) -> bool {
        self.callee <= self.caller
    }
}

/// Limits the recursion in a component of the call graph. Each generation of calls has at most 1/8 as many calls as the
/// previous generation.
pub(super) struct Bound {
    /// The factor that multiplies the weights of back calls, or `None` if the factor is 1. The factor has at most 32
    /// bits. If the products of the weights of forward calls overflow, the factor is 0, and the other fields are
    /// meaningless.
    pub factor: Option<Scaled>,
    /// A weight for each function of the component. For each inner call of a function, the weight of the call is
    /// multiplied by the weight of the callee. For a back call, this product is also multiplied by `factor`. The sum of
    /// these products is at most the weight of the function.
    pub weights: Vec<Real>,
    /// For each function, the weight of the function minus the sum of products that the comment of `weights` defines.
    pub slack: Vec<Real>,
}

/// Computes the [`Bound`] of the calls between the functions of a component. `count` is the number of these functions.
/// A chain of calls must lead from each function to a back call. `calls` must be ordered by caller.
pub(super) fn bound(count: usize, calls: &[InnerCall]) -> Bound {
    let mut before = vec![Real::ONE; count];
    let mut next = vec![Real::ZERO; count];
    generation(calls, &before, &mut next);
    let mut greatest = greatest_ratio(&next, &before);
    for _ in 0..ROUNDS {
        if greatest <= MOST {
            break;
        }
        // If all cycles had an even length, v could alternate between several vectors. To prevent this alternation,
        // the loop divides the product (matrix x v) by `greatest`, and then adds the quotient to v.
        let part = Real::ONE / greatest;
        before.iter_mut().zip(&next).for_each(|(weight, &next)| *weight += next * part);
        generation(calls, &before, &mut next);
        greatest = greatest_ratio(&next, &before);
    }
    let factor = (greatest > MOST).then(|| to_32_digits(MOST / greatest));
    let counted = factor.map_or(Real::ONE, Real::from);
    if factor.is_some() {
        let reached: Vec<Real> = before.iter().map(|&weight| weight * counted).collect();
        generation(calls, &reached, &mut next);
    }
    let slack = slack(calls, &before, &next, counted);
    Bound { factor, weights: next, slack }
}

/// Computes the weight of each function in the next generation, and stores it in `next`. `reached` are the weights in
/// the current generation, multiplied by the factor of the recursion. A call to the same function or to an earlier
/// function (a back call) uses the callee's weight in `reached`. Each forward call leads to a later function, so the
/// weights are computed from the last function to the first.
fn generation(calls: &[InnerCall], reached: &[Real], next: &mut [Real]) {
    let mut rest = calls;
    while let Some(&InnerCall { caller, .. }) = rest.last() {
        let mut sum = Real::ZERO;
        while let Some((call, others)) = rest.split_last().filter(|(call, _)| call.caller == caller) {
            let callee = call.callee as usize;
            sum += if call.is_back() { reached[callee] } else { next[callee] } * call.weight;
            rest = others;
        }
        next[caller as usize] = sum;
    }
}

/// The slack of each function: the weight of the function, minus one product for each of its inner calls. The product
/// is the weight of the callee times the weight of the call. `weights` must be the result of
/// [`generation`] for the weights `before`, multiplied by `factor`.
///
/// [`generation`] computes the weight of a function as a sum over its inner calls. For a forward call, this sum uses
/// the callee's weight in `weights`. For a back call, this sum uses the callee's weight in `before`. The slack is
/// therefore a sum over the back calls. Each back call contributes the weight of the call times a difference. The
/// difference is the callee's weight in `before` minus the callee's weight in `weights`. Each element of `weights` is
/// at most an eighth of the element of `before` with the same index, so the subtraction loses no digits. All products
/// for back calls are also multiplied by `factor`.
fn slack(calls: &[InnerCall], before: &[Real], weights: &[Real], factor: Real) -> Vec<Real> {
    let mut slack = vec![Real::ZERO; weights.len()];
    for call in calls.iter().filter(|call| call.is_back()) {
        let callee = call.callee as usize;
        slack[call.caller as usize] += factor * call.weight * before[callee].distance(weights[callee]);
    }
    slack
}

/// The greatest ratio of an element of `next` to the element of `before` with the same index.
fn greatest_ratio(next: &[Real], before: &[Real]) -> Real {
    next.iter().zip(before).fold(Real::ZERO, |greatest, (&next, &before)| {
        // A division takes longer than a multiplication. The product is truncated. Therefore, if the condition is
        // true, the ratio is at most `greatest`.
        if next <= greatest * before {
            greatest
        } else {
            greatest.max(next / before)
        }
    })
}

/// The number truncated to 32 bits. The product of two such numbers fits in 64 bits, and therefore needs no rounding.
fn to_32_digits(number: Real) -> Scaled {
    let rounded = number.to_scaled();
    Scaled::new(rounded.digits() >> 32, rounded.exponent() + 32)
}
