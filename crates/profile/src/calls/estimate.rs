//! Static profile of a module: the estimated number of calls of each function, and the reasons for the calls.

use cranelift_entity::{EntityRef, PrimaryMap};

use super::entries::{EntryCounts, Recursion, RecursionFacts};
use super::graph::{CallGraph, CallNode};
use super::module::{Basis, Body, ModuleFacts, Target};
use super::pointers::Pools;
use super::returning;
use super::starts::{self, starts};
use crate::bfi::Scaled;
use crate::cfg::Block;
use bpa_schema::Start;

/// The estimated number of calls of each function of a module.
#[derive(Debug)]
pub struct Estimate {
    module: ModuleFacts,
    starts: PrimaryMap<CallNode, Option<Start>>,
    /// The functions that never return.
    never_return: PrimaryMap<CallNode, bool>,
    /// All calls, including calls to functions that never return.
    calls: Vec<(CallNode, CallNode, Scaled)>,
    pools: Pools,
    counts: EntryCounts,
    /// The number of functions in each recursion, not counting the nodes that represent calls through pointers.
    recursing: PrimaryMap<Recursion, usize>,
}

impl Estimate {
    /// Estimates how often each function of `module` is called.
    pub fn of(module: ModuleFacts) -> Self {
        let pools = Pools::of(&module);
        let calls = calls(&module, &pools);
        let starts: PrimaryMap<CallNode, Option<Start>> = starts(&module).collect();
        let never_return = returning::never_return(&module);
        let counts = solve(&starts, &calls, &never_return, pools.pools.len());
        let is_function = |member: &&CallNode| module.functions.is_valid(**member);
        let functions = |facts: &RecursionFacts| facts.members.iter().filter(is_function).count();
        let recursing = counts.recursions().map(functions).collect();
        Estimate { module, starts, never_return, calls, pools, counts, recursing }
    }

    /// The module whose calls are estimated.
    pub fn module(&self) -> &ModuleFacts {
        &self.module
    }

    /// The defined functions, in the order of the module.
    pub fn defined(&self) -> impl Iterator<Item = CallNode> + '_ {
        self.module.functions.iter().filter(|(_, function)| function.body.is_some()).map(|(node, _)| node)
    }

    /// The number of calls of `function`, if `main` is called once.
    pub fn calls(&self, function: CallNode) -> Scaled {
        self.counts.of(function)
    }

    /// The number of instructions that `function` executes, not counting instructions of its callees.
    pub fn time(&self, function: CallNode) -> Scaled {
        let body = self.module.functions[function].body.as_ref();
        body.map_or(Scaled::ZERO, |body| self.calls(function) * body.time())
    }

    /// The reason why code outside the module calls `function`.
    pub fn start(&self, function: CallNode) -> Option<Start> {
        self.starts[function]
    }

    /// Whether `function` never returns. Such a function is called at most once.
    pub fn never_returns(&self, function: CallNode) -> bool {
        self.never_return[function]
    }

    /// The solution of the call equations.
    pub fn counts(&self) -> &EntryCounts {
        &self.counts
    }

    /// The recursion that contains `function`, and the number of functions in this recursion. The result is `None` if
    /// `function` is not recursive.
    pub fn recursion(&self, function: CallNode) -> Option<(&RecursionFacts, usize)> {
        let (recursion, facts) = self.counts.recursion(function)?;
        Some((facts, self.recursing[recursion]))
    }

    /// All calls, each as a tuple: the caller, the callee, and the estimated number of executions. The callee of a call
    /// through a pointer is a node that represents all functions of the pointer's type. The nodes of functions come
    /// first, then the nodes of pointer types.
    pub fn made(&self) -> impl Iterator<Item = (CallNode, CallNode, Scaled)> + '_ {
        self.calls.iter().map(|&(caller, callee, weight)| {
            let counted = weight * self.counts.factor(caller, callee);
            (caller, callee, self.counts.of(caller) * counted)
        })
    }

    /// The possible callees of the calls that `node` represents, or `None` if `node` is a function. A node that is not
    /// a function represents calls through pointers of one type.
    pub fn behind_pointer(&self, node: CallNode) -> Option<&[CallNode]> {
        let place = node.index().checked_sub(self.module.functions.len())?;
        Some(&self.pools.pools.get(place)?.functions)
    }
}

/// All calls with their weights. For a direct call, the list contains the caller, the callee and the weight. For
/// calls through a pointer, one node represents all possible callees. The list contains calls of this node, and a call
/// from this node to each possible callee.
fn calls(module: &ModuleFacts, pools: &Pools) -> Vec<(CallNode, CallNode, Scaled)> {
    let mut calls = Vec::new();
    for (caller, function) in module.functions.iter() {
        let Some(body) = &function.body else { continue };
        for site in &body.calls {
            let weight = weight(body, site.block);
            let (callee, times) = match site.target {
                Target::Function(callee) | Target::Invoked(callee) => (callee, 1),
                Target::Callback(callee, times) => (callee, times),
                Target::Pointer(signature) => (pools.node(signature), 1),
            };
            calls.push((caller, callee, weight * Scaled::new(times.into(), 0)));
        }
    }
    for pool in &pools.pools {
        let share = Scaled::new(pool.functions.len() as u64, 0).inverse();
        calls.extend(pool.functions.iter().map(|&function| (pool.node, function, share)));
    }
    calls
}

/// The weight of a call in `block`: the estimated number of executions of the call for each call of the function that
/// contains `block`. If the frequency of the block is profiled, the weight is this frequency.
///
/// If the frequency is estimated, the weight is the square root of the frequency. Estimated frequencies are too
/// extreme, mainly in loops, and their errors multiply along chains of calls. On the corpus, square roots of
/// frequencies predict the profiled counts better than the frequencies themselves. A model predicts rare blocks better
/// than the rules do. If a model predicts a frequency below 1, the weight is therefore the frequency to the power 3/4.
fn weight(body: &Body, block: Block) -> Scaled {
    let frequency = body.frequencies[block];
    let root = frequency.square_root();
    match body.basis {
        Basis::Measured => frequency,
        Basis::Model if frequency < Scaled::ONE => root * root.square_root(),
        Basis::Model | Basis::Rules => root,
    }
}

/// The greatest number of rounds in [`solve`]. Let a caller and its callee be functions that never return. The count of
/// the callee then becomes correct one round later than the count of the caller.
const ROUNDS: usize = 16;

/// Solves the call equations. A function that never returns runs at most once. The equations therefore do not include
/// calls to such functions. Instead, the calls to such a function from this module and from outside the module are
/// added up. The sum is limited to 1, and then replaces the number of calls to the function from outside the module.
fn solve(
    starts: &PrimaryMap<CallNode, Option<Start>>,
    calls: &[(CallNode, CallNode, Scaled)],
    never_return: &PrimaryMap<CallNode, bool>,
    pools: usize,
) -> EntryCounts {
    let is_last = |node: CallNode| never_return.get(node).is_some_and(|&never| never);
    let (last, others): (Vec<_>, Vec<_>) = calls.iter().copied().partition(|&(_, callee, _)| is_last(callee));
    let behind = std::iter::repeat_n(Scaled::ZERO, pools);
    let outside: PrimaryMap<CallNode, Scaled> =
        starts.values().map(|&start| starts::count(start)).chain(behind).collect();
    let mut counts = outside.clone();
    let mut solution = EntryCounts::solve(&CallGraph::new(counts.clone(), &others));
    for _ in 0..ROUNDS {
        let mut next = outside.clone();
        for &(caller, callee, weight) in &last {
            next[callee] = (next[callee] + solution.of(caller) * weight).min(Scaled::ONE);
        }
        if next == counts {
            break;
        }
        counts = next;
        solution = EntryCounts::solve(&CallGraph::new(counts.clone(), &others));
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weight_is_nearer_to_the_frequency_with_better_evidence() {
        let weights = |basis| {
            [(1, -4), (1, 4)].map(|(digits, exponent)| {
                let frequencies = [Scaled::new(digits, exponent)].into_iter().collect();
                weight(&Body { frequencies, basis, ..Body::default() }, Block::new(0))
            })
        };
        let powers = |rare, often| [rare, often].map(|power| Scaled::new(1, power));
        assert_eq!(weights(Basis::Rules), powers(-2, 2));
        assert_eq!(weights(Basis::Model), powers(-3, 2));
        assert_eq!(weights(Basis::Measured), powers(-4, 4));
    }
}
