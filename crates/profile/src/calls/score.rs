//! Comparison of estimated counts with profiled counts.
//!
//! The score has four kinds of items: functions (ranked by calls), functions (ranked by time), blocks, and call sites.
//! For each kind, the score takes the n% of items with the highest estimates. The score is the profiled weight of these
//! items, divided by the profiled weight of the n% of items with the highest profiled weights. If several items have
//! equal estimates, the score is the mean over all orders of these items.

use cranelift_entity::PrimaryMap;

use super::estimate::Estimate;
use super::graph::CallNode;
use super::module::{Body, ModuleFacts};
use crate::bfi::Scaled;
use crate::cfg::Block;

/// A kind of item that the score compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Functions, ranked by the number of calls.
    Calls,
    /// Functions, ranked by the number of executed instructions.
    Time,
    /// Blocks, ranked by the number of executions.
    Blocks,
    /// Call sites, ranked by the number of executions.
    CallSites,
}

impl Counted {
    /// All kinds.
    pub const ALL: [Counted; 4] = [Counted::Calls, Counted::Time, Counted::Blocks, Counted::CallSites];

    /// The name of the kind in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Counted::Calls => "functions by calls",
            Counted::Time => "functions by time",
            Counted::Blocks => "blocks",
            Counted::CallSites => "call sites",
        }
    }
}

/// A method that estimates counts. The estimated counts are compared with the profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    /// The estimate.
    Estimate,
    /// A baseline: every function is called once.
    Alike,
    /// A baseline: every function is called once, and the frequency of a block is 1 plus its loop depth.
    LoopDepth,
}

impl Guess {
    /// All methods.
    pub const ALL: [Guess; 3] = [Guess::Estimate, Guess::Alike, Guess::LoopDepth];

    /// The name of the method in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Guess::Estimate => "estimate",
            Guess::Alike => "alike",
            Guess::LoopDepth => "loop depth",
        }
    }

    /// The number of calls of a function.
    fn calls(self, estimate: &Estimate, function: CallNode) -> Scaled {
        match self {
            Guess::Estimate => estimate.calls(function),
            Guess::Alike | Guess::LoopDepth => Scaled::ONE,
        }
    }

    /// The number of instructions that a function executes. `body` is the body of the function.
    fn time(self, estimate: &Estimate, function: CallNode, body: &Body) -> Scaled {
        match self {
            Guess::Estimate => estimate.time(function),
            Guess::Alike | Guess::LoopDepth => {
                body.time_at(&body.graph.blocks().map(|block| self.frequency(body, block)).collect())
            }
        }
    }

    /// The number of executions of a block of `body` per call of the function.
    fn frequency(self, body: &Body, block: Block) -> Scaled {
        match self {
            Guess::Estimate | Guess::Alike => body.frequencies[block],
            Guess::LoopDepth => Scaled::new(u64::from(body.depths[block]) + 1, 0),
        }
    }

    /// Whether reports contain the score of this guess for items of the kind `counted`. For [`Counted::Calls`], reports
    /// omit the score of [`Guess::LoopDepth`], because [`Guess::Alike`] has an equal score.
    pub fn applies_to(self, counted: Counted) -> bool {
        self != Guess::LoopDepth || counted != Counted::Calls
    }
}

/// The profile of a module: the number of calls of each function, and the frequency of each block.
#[derive(Debug, Default)]
pub struct Measured {
    /// The module, with block frequencies from the profile.
    pub module: ModuleFacts,
    /// The profiled calls of each function, or `None` without a profile.
    pub calls: PrimaryMap<CallNode, Option<u64>>,
}

impl Measured {
    /// The profiled number of instructions that `function` executes, not counting instructions of its callees. The
    /// result is `None` without a profile.
    pub fn time(&self, function: CallNode) -> Option<Scaled> {
        Some(Scaled::new(self.calls[function]?, 0) * self.module.functions[function].time())
    }
}

/// An item with its estimated and its profiled count.
#[derive(Clone, Copy, Debug)]
struct Thing {
    guessed: Scaled,
    measured: Scaled,
}

/// Selects the top `percent`% of the items by `guess`, and the top `percent`% of the items by profile. Returns the
/// profiled weight of the first selection, divided by the profiled weight of the second selection. The result is `None`
/// if no item is executed.
pub fn found(
    counted: Counted,
    guess: Guess,
    estimate: &Estimate,
    measured: &Measured,
    percent: usize,
) -> Option<Scaled> {
    let mut things = Vec::new();
    for node in estimate.defined() {
        let (Some(calls), Some(own), Some(real)) = (
            measured.calls[node],
            &estimate.module().functions[node].body,
            &measured.module.functions[node].body,
        ) else {
            continue;
        };
        let (guessed, calls) = (guess.calls(estimate, node), Scaled::new(calls, 0));
        let in_block = |block: Block| Thing {
            guessed: guessed * guess.frequency(own, block),
            measured: calls * real.frequencies[block],
        };
        match counted {
            Counted::Calls => things.push(Thing { guessed, measured: calls }),
            Counted::Time => {
                things
                    .push(Thing { guessed: guess.time(estimate, node, own), measured: calls * real.time() });
            }
            Counted::Blocks => things.extend(own.graph.blocks().map(in_block)),
            Counted::CallSites => things.extend(own.calls.iter().map(|site| in_block(site.block))),
        }
    }
    found_among(&mut things, percent)
}

fn found_among(things: &mut [Thing], percent: usize) -> Option<Scaled> {
    let most = (things.len() * percent).div_ceil(100);
    let sum = |things: &[Thing]| things.iter().fold(Scaled::ZERO, |sum, thing| sum + thing.measured);
    things.sort_by_key(|thing| std::cmp::Reverse(thing.measured));
    let best = sum(&things[..most]);
    if best.is_zero() {
        return None;
    }
    things.sort_by_key(|thing| std::cmp::Reverse(thing.guessed));
    let last = things[most - 1].guessed;
    let surely = things.partition_point(|thing| thing.guessed > last);
    let perhaps = things.partition_point(|thing| thing.guessed >= last);
    let part = Scaled::new((most - surely) as u64, 0) / Scaled::new((perhaps - surely) as u64, 0);
    let taken = sum(&things[..surely]) + sum(&things[surely..perhaps]) * part;
    Some(taken / best)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn things(pairs: &[(u64, u64)]) -> Vec<Thing> {
        let number = |number| Scaled::new(number, 0);
        let thing = |&(guessed, measured)| Thing { guessed: number(guessed), measured: number(measured) };
        pairs.iter().map(thing).collect()
    }

    #[test]
    fn perfect_estimates_have_the_score_1() {
        let mut good = things(&[(9, 100), (8, 50), (1, 3), (0, 0)]);
        assert_eq!(found_among(&mut good, 50), Some(Scaled::ONE));
        let mut bad = things(&[(0, 100), (8, 50), (9, 0), (0, 0)]);
        assert_eq!(found_among(&mut bad, 25), Some(Scaled::ZERO));
        assert_eq!(found_among(&mut bad, 50), Some(Scaled::ONE / Scaled::new(3, 0)));
    }

    #[test]
    fn items_with_equal_estimates_count_by_probability() {
        let mut alike = things(&[(1, 100), (1, 50), (1, 50), (1, 0)]);
        assert_eq!(found_among(&mut alike, 25), Some(Scaled::new(1, -1)));
        assert_eq!(found_among(&mut things(&[(1, 0), (2, 0)]), 50), None);
        assert_eq!(found_among(&mut [], 50), None);
    }
}
