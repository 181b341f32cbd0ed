//! Limits how fast the number of calls in a recursion can grow, and adds up these calls.
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

use cranelift_entity::PrimaryMap;

use super::graph::{CallGraph, CallNode};
use crate::bfi::exact::real::Real;
use crate::bfi::Scaled;

/// The highest allowed ratio of the calls of a generation to the calls of the previous generation: 1/8. With this
/// bound, all generations together have at most 8/7 times as many calls as the first generation. On the corpus, greater
/// bounds (1/4 to 13/16) make the estimated counts less accurate.
const MOST: Real = Real::power(-3);
/// The maximum number of multiplications of the vector v by the matrix.
const ROUNDS: usize = 40;
/// The multiplications end when the greatest quotient exceeds the mean by at most the mean divided by 2 to this power.
/// The mean is the sum of the product, divided by the sum of the vector.
const CLOSE: i32 = 6;
/// Calls of a generation are not followed to their callees if the earlier generations have 2 to this power times as
/// many calls of the same function.
const COUNTED: i32 = 40;

/// A call within a component. Caller and callee are indices in the list of the component's functions.
#[derive(Clone, Copy, Debug)]
struct InnerCall {
    caller: u32,
    callee: u32,
    weight: Real,
}

impl InnerCall {
    /// Whether the call is a back call: a call from a function to itself or to a function with a lower index.
    fn is_back(&self) -> bool {
        self.callee <= self.caller
    }
}

/// The calls between the functions of a component, ordered by caller. The weights of back calls are multiplied by a
/// factor, so that each generation of calls has at most 1/8 as many calls as the previous generation.
pub(super) struct InnerCalls {
    calls: Vec<InnerCall>,
    /// For each function, the index in `calls` at which its calls end.
    ends: Vec<u32>,
    /// The factor that multiplied the weights of back calls. `None` if the factor is 1. If it is 0, back calls are
    /// ignored.
    factor: Option<Scaled>,
}

impl InnerCalls {
    /// Finds the calls between `members`. `numbers` has the index of each member. The result is `None` if there are no
    /// such calls.
    pub(super) fn of(
        graph: &CallGraph,
        numbers: &PrimaryMap<CallNode, u32>,
        members: &[CallNode],
    ) -> Option<Self> {
        let mut inner =
            InnerCalls { calls: Vec::new(), ends: Vec::with_capacity(members.len()), factor: None };
        for (caller, &member) in (0..).zip(members) {
            inner.calls.extend(graph.edges(member).iter().filter_map(|edge| {
                let callee = numbers[edge.callee];
                let weight = Real::from(edge.weight);
                (members.get(callee as usize) == Some(&edge.callee)).then_some(InnerCall {
                    caller,
                    callee,
                    weight,
                })
            }));
            inner.ends.push(inner.calls.len() as u32);
        }
        if inner.calls.is_empty() {
            return None;
        }
        inner.factor = inner.find_factor();
        if let Some(factor) = inner.factor.filter(|factor| !factor.is_zero()) {
            for call in inner.calls.iter_mut().filter(|call| call.is_back()) {
                call.weight = call.weight * Real::from(factor);
            }
        }
        Some(inner)
    }

    /// The factor that multiplies the weights of back calls. The result is `None` if the factor is 1. If the products
    /// of the weights of forward calls overflow, the factor is 0.
    pub(super) fn factor(&self) -> Option<Scaled> {
        self.factor
    }

    /// Computes the factor. A chain of calls must lead from each function to a back call.
    fn find_factor(&self) -> Option<Scaled> {
        let mut before = vec![Real::ONE; self.ends.len()];
        let mut next = vec![Real::ZERO; self.ends.len()];
        let mut greatest = Real::ZERO;
        for _ in 0..ROUNDS {
            self.generation(&before, &mut next);
            greatest = greatest_ratio(&next, &before);
            let mean = sum(&next) / sum(&before);
            if greatest <= MOST || greatest <= mean + mean.shifted(-CLOSE) {
                break;
            }
            // If all cycles had an even length, v could alternate between several vectors. To prevent this alternation,
            // the loop adds a part of v to the product of the matrix and v.
            let part = mean.shifted(-2);
            before.iter_mut().zip(&next).for_each(|(weight, &next)| *weight = *weight * part + next);
        }
        (greatest > MOST).then(|| to_32_digits(MOST / greatest))
    }

    /// Computes the weight of each function in the next generation, and stores it in `next`. `reached` are the weights
    /// in the current generation. A call to the same function or to an earlier function (a back call) uses the callee's
    /// weight in `reached`. Each forward call leads to a later function, so the weights are computed from the last
    /// function to the first.
    fn generation(&self, reached: &[Real], next: &mut [Real]) {
        for caller in (0..next.len()).rev() {
            next[caller] = self.row(caller).iter().fold(Real::ZERO, |sum, call| {
                let callee = call.callee as usize;
                sum + if call.is_back() { reached[callee] } else { next[callee] } * call.weight
            });
        }
    }

    /// Solves the call equations of the component. At first, `counts` has the number of calls of each function from
    /// outside the component.
    ///
    /// The calls of one generation after another are added up. A generation visits the functions in their order, so all
    /// forward calls of a function are known before the function is visited.
    pub(super) fn solve(&self, counts: &mut [Real]) {
        let count = counts.len();
        let mut current = counts.to_vec();
        let mut next = vec![Real::ZERO; count];
        counts.fill(Real::ZERO);
        // The functions that the current generation calls are in this range.
        let (mut first, mut end) = (0, count);
        while first < end {
            let (mut next_first, mut next_end) = (count, 0);
            let mut caller = first;
            while caller < end {
                let times = std::mem::replace(&mut current[caller], Real::ZERO);
                let is_counted = times.shifted(COUNTED) > counts[caller];
                counts[caller] += times;
                for call in if is_counted { self.row(caller) } else { &[] } {
                    let callee = call.callee as usize;
                    if call.is_back() {
                        next[callee] += times * call.weight;
                        (next_first, next_end) = (next_first.min(callee), next_end.max(callee + 1));
                    } else {
                        current[callee] += times * call.weight;
                        end = end.max(callee + 1);
                    }
                }
                caller += 1;
            }
            if self.factor.is_some_and(Scaled::is_zero) {
                break;
            }
            std::mem::swap(&mut current, &mut next);
            (first, end) = (next_first, next_end);
        }
    }

    fn row(&self, caller: usize) -> &[InnerCall] {
        let first = caller.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.calls[first as usize..self.ends[caller] as usize]
    }
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

fn sum(numbers: &[Real]) -> Real {
    numbers.iter().fold(Real::ZERO, |sum, &number| sum + number)
}

/// The number truncated to 32 bits. Numbers below the least number become 0.
fn to_32_digits(number: Real) -> Scaled {
    let rounded = number.to_scaled();
    Scaled::new(rounded.digits() >> 32, rounded.exponent() + 32)
}
