//! How often functions call each other in a circle, kept within bounds.
//!
//! A function that is estimated to call itself once or more for each time that it is called would run for ever: the
//! equations have no solution. What ends a recursion is in the data, which nobody sees. So where the calls that close a
//! circle come back to as much as there was, or nearly, these calls count less, all in the same proportion, until each
//! generation has at most an eighth of the one before ([`MOST`]). A generation is what a call back leads to
//! before the next call back; calls that lead on always count in full.
//!
//! Generations grow by the greatest eigenvalue of the matrix that leads from one to the next. For any positive vector v
//! the greatest ratio of (matrix x v) to v is not below it (Lothar Collatz, "Einschliessungssatz für die
//! charakteristischen Zahlen von Matrizen", Mathematische Zeitschrift 48, 1942), and comes down to it while v is multiplied
//! by the matrix again and again.

use crate::bfi::exact::real::Real;
use crate::bfi::Scaled;

/// What a generation has at most of the one before. So all generations together have at most 8/7 of what the first has.
/// More, from a quarter to 13/16, found less of what was measured on the corpus.
const MOST: Real = Real::power(-3);
/// How often v is multiplied.
const ROUNDS: usize = 40;

/// A call within a component, by the numbers of its members.
#[derive(Clone, Copy, Debug)]
pub(super) struct InnerCall {
    pub caller: u32,
    pub callee: u32,
    pub weight: Real,
}

impl InnerCall {
    /// Whether it closes a circle.
    pub fn is_back(&self) -> bool {
        self.callee <= self.caller
    }
}

/// What has been found of a component.
pub(super) struct Bound {
    /// What calls back count, if that is less than they should: a number of 32 digits at most. It is 0 where calls that
    /// lead on multiply beyond all numbers; there is nothing else to know then.
    pub factor: Option<Scaled>,
    /// A weight for each member. With the factor, what a member calls within the component weighs no more than itself.
    pub weights: Vec<Real>,
    /// By how much it weighs less.
    pub slack: Vec<Real>,
}

/// Bounds the calls among `count` members, each of which leads to a call back. Calls are ordered by caller.
pub(super) fn bound(count: usize, calls: &[InnerCall]) -> Bound {
    let mut before = vec![Real::ONE; count];
    let mut next = generation(calls, &before, Real::ONE);
    let mut greatest = greatest_ratio(&next, &before);
    for _ in 0..ROUNDS {
        if greatest <= MOST {
            break;
        }
        // With a part of itself, v does not swing where all circles are even.
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

/// What each member leads to in the next generation, in the weights that its members have, if calls back count `factor`:
/// x = back + on x, from the last member to the first.
fn generation(calls: &[InnerCall], weights: &[Real], factor: Real) -> Vec<Real> {
    let mut next = vec![Real::ZERO; weights.len()];
    for call in calls.iter().rev() {
        let callee = call.callee as usize;
        let reached = if call.is_back() { weights[callee] * factor } else { next[callee] };
        next[call.caller as usize] += call.weight * reached;
    }
    next
}

/// By how much what each member calls weighs less than itself in `weights`, which are the generation after `before`.
///
/// A member weighs what it calls on, as that weighs, and what it calls back, as that weighed `before`. That it weighs no
/// more than an eighth of that now makes the difference, and no digits are lost.
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

/// The number, cut off after its 32nd digit, so that everybody can multiply by it without rounding.
fn to_32_digits(number: Real) -> Scaled {
    let rounded = number.to_scaled();
    Scaled::new(rounded.digits() >> 32, rounded.exponent() + 32)
}
