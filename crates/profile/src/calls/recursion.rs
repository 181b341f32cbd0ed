//! Bounds on recursions.
//!
//! If a function is estimated to call itself at least once for each of its calls, the equations have no solution. The
//! condition that ends a recursion depends on data, which a static estimate does not know. Define a *generation* as the
//! calls between two back calls. If a generation is more than an eighth of the generation before ([`MOST`]), all back
//! calls are multiplied by a factor, so that it is exactly an eighth. Forward calls always count in full.
//!
//! Generations grow by the greatest eigenvalue of the matrix from one generation to the next. For any positive vector v, the
//! greatest ratio of (matrix x v) to v is an upper bound of this eigenvalue (Lothar Collatz, "Einschliessungssatz für die
//! charakteristischen Zahlen von Matrizen", Mathematische Zeitschrift 48, 1942). It converges to the eigenvalue while v is
//! multiplied by the matrix repeatedly.

use crate::bfi::exact::real::Real;
use crate::bfi::Scaled;

/// The greatest ratio of a generation to the generation before. All generations together are then at most 8/7 of the first.
/// Greater ratios, from 1/4 to 13/16, predicted less of the profiled counts on the corpus.
const MOST: Real = Real::power(-3);
/// The greatest number of multiplications of v.
const ROUNDS: usize = 40;

/// A call within a component, by the numbers of its members.
#[derive(Clone, Copy, Debug)]
pub(super) struct InnerCall {
    pub caller: u32,
    pub callee: u32,
    pub weight: Real,
}

impl InnerCall {
    /// Whether it is a back call.
    pub(crate) fn is_back(&self) -> bool {
        self.callee <= self.caller
    }
}

/// The bound on a component.
pub(super) struct Bound {
    /// The factor on back calls, if it is below 1: a number of at most 32 bits. It is 0 if forward calls multiply beyond the
    /// range of numbers; the other fields are meaningless then.
    pub factor: Option<Scaled>,
    /// A weight for each member. With the factor, the calls of a member within the component weigh at most its own weight.
    pub weights: Vec<Real>,
    /// The difference between both.
    pub slack: Vec<Real>,
}

/// Bounds the calls among `count` members, each of which leads to a back call. Calls are ordered by caller.
pub(super) fn bound(count: usize, calls: &[InnerCall]) -> Bound {
    let mut before = vec![Real::ONE; count];
    let mut next = generation(calls, &before, Real::ONE);
    let mut greatest = greatest_ratio(&next, &before);
    for _ in 0..ROUNDS {
        if greatest <= MOST {
            break;
        }
        // A part of v is added to itself, so that v does not alternate if all cycles have even length.
        let part = Real::ONE / greatest;
        before.iter_mut().zip(&next).for_each(|(weight, &next)| *weight += next * part);
        next = generation(calls, &before, Real::ONE);
        greatest = greatest_ratio(&next, &before);
    }
    let factor = (greatest > MOST).then(|| to_32_digits(MOST / greatest));
    let counted = factor.map_or(Real::ONE, |factor| Real::new(factor.digits(), factor.exponent().into()));
    let weights = match factor {
        Some(_) => generation(calls, &before, counted),
        None => next,
    };
    let slack = slack(calls, &before, &weights, counted);
    Bound { factor, weights, slack }
}

/// The weight of the next generation for each member, if back calls have `factor`: x = back + forward x, from the last
/// member to the first.
fn generation(calls: &[InnerCall], weights: &[Real], factor: Real) -> Vec<Real> {
    let mut next = vec![Real::ZERO; weights.len()];
    for call in calls.iter().rev() {
        let callee = call.callee as usize;
        let reached = if call.is_back() { weights[callee] * factor } else { next[callee] };
        next[call.caller as usize] += call.weight * reached;
    }
    next
}

/// The slack of each member in `weights`, which are the generation after `before`.
///
/// The weight of a member is the sum of its forward calls in `weights` and its back calls in `before`. Back calls weigh at
/// most an eighth of that in `weights`, so the difference loses no digits.
fn slack(calls: &[InnerCall], before: &[Real], weights: &[Real], factor: Real) -> Vec<Real> {
    let mut slack = vec![Real::ZERO; weights.len()];
    for call in calls.iter().filter(|call| call.is_back()) {
        let callee = call.callee as usize;
        slack[call.caller as usize] += call.weight * factor * before[callee].distance(weights[callee]);
    }
    slack
}

fn greatest_ratio(next: &[Real], before: &[Real]) -> Real {
    next.iter().zip(before).map(|(&next, &before)| next / before).max().unwrap_or(Real::ZERO)
}

/// The number truncated to 32 bits, so that products with it need no rounding.
fn to_32_digits(number: Real) -> Scaled {
    let rounded = number.to_scaled();
    Scaled::new(rounded.digits() >> 32, rounded.exponent() + 32)
}
