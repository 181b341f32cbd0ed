//! Static profile of a module: the estimated number of calls of each function, and the reasons for the calls.

use cranelift_entity::{EntityRef, PrimaryMap};

use super::entries::{EntryCounts, Equations, Recursion, RecursionFacts};
use super::graph::{CallGraph, CallNode};
use super::module::{Body, CallSite, FunctionAttributes, ModuleFacts, Target};
use super::pointers::Pools;
use super::returning;
use super::starts::{self, starts};
use crate::bfi::Scaled;
use crate::cfg::Block;
use bpa_schema::{Basis, Start};

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
    /// The calls of each function that a model estimates.
    learned_calls: Option<PrimaryMap<CallNode, Scaled>>,
    /// The instructions that a model estimates for each function, not counting instructions of its callees.
    learned_times: Option<PrimaryMap<CallNode, Scaled>>,
}

impl Estimate {
    /// Estimates how often each function of `module` is called.
    pub fn of(module: ModuleFacts) -> Self {
        let pools = Pools::of(&module);
        let calls = calls(&module, &pools);
        let starts = starts(&module, &pools);
        let never_return = returning::never_return(&module);
        let outside = starts.iter().map(|(node, &start)| starts::count(start, &module.functions[node]));
        let counts = solve(outside, &calls, &never_return, pools.pools.len());
        let is_function = |member: &&CallNode| module.functions.is_valid(**member);
        let functions = |facts: &RecursionFacts| facts.members.iter().filter(is_function).count();
        let recursing = counts.recursions().map(functions).collect();
        let (learned_calls, learned_times) = (None, None);
        Estimate {
            module,
            starts,
            never_return,
            calls,
            pools,
            counts,
            recursing,
            learned_calls,
            learned_times,
        }
    }

    /// The module whose calls are estimated.
    pub fn module(&self) -> &ModuleFacts {
        &self.module
    }

    /// The defined functions, in the order of the module.
    pub fn defined(&self) -> impl Iterator<Item = CallNode> + '_ {
        self.module.functions.iter().filter(|(_, function)| function.body.is_some()).map(|(node, _)| node)
    }

    /// Replaces the solution of the call equations by the estimates of a model. `calls` and `times` have a number for
    /// each defined function, in the order of the module. The numbers are relative: the sums of all calls and of all
    /// times do not change. The solution of the equations remains the estimate for functions that are never called,
    /// that run once, or that never return.
    ///
    /// # Panics
    ///
    /// Panics if `calls` or `times` do not have a number for each defined function.
    pub fn with_learned(mut self, calls: &[Scaled], times: Option<&[Scaled]>) -> Self {
        let is_called = |node: CallNode| !self.counts.of(node).is_zero();
        let is_open = |node: CallNode| {
            is_called(node)
                && !self.never_return[node]
                && !matches!(self.starts[node], Some(Start::Main | Start::Once))
        };
        self.learned_calls = Some(self.scaled(calls, is_open, |node| self.counts.of(node)));
        // Without learned times, a time is the product of the calls and the instructions per call.
        self.learned_times = times.map(|times| self.scaled(times, is_called, |node| self.time(node)));
        self
    }

    /// For each function, its number in `relative`, multiplied by a common factor. The factor keeps the sum of
    /// `known`. If `is_open` is false for a function, its number is the number in `known`.
    fn scaled(
        &self,
        relative: &[Scaled],
        is_open: impl Fn(CallNode) -> bool,
        known: impl Fn(CallNode) -> Scaled,
    ) -> PrimaryMap<CallNode, Scaled> {
        let mut numbers: PrimaryMap<CallNode, Scaled> = self.module.functions.keys().map(&known).collect();
        assert_eq!(self.defined().count(), relative.len(), "one number for each defined function");
        let open = || self.defined().zip(relative).filter(|&(node, _)| is_open(node));
        let (before, after) = open()
            .fold((Scaled::ZERO, Scaled::ZERO), |(before, after), (node, &number)| {
                (before + numbers[node], after + number)
            });
        let factor = before / after;
        open().for_each(|(node, &number)| numbers[node] = number * factor);
        numbers
    }

    /// The estimated number of calls of a function, or of the calls through pointers that a node represents. The unit
    /// is one call of `main`. Without [learned](Estimate::with_learned) numbers, the estimate is the solution of the
    /// call equations.
    pub fn calls(&self, node: CallNode) -> Scaled {
        let learned = self.learned_calls.as_ref().and_then(|calls| calls.get(node));
        learned.copied().unwrap_or_else(|| self.counts.of(node))
    }

    /// The estimated number of instructions that `function` executes, not counting instructions of its callees.
    pub fn time(&self, function: CallNode) -> Scaled {
        match &self.learned_times {
            Some(times) => times[function],
            None => self.calls(function) * self.module.functions[function].time(),
        }
    }

    /// Whether the estimate has [learned](Estimate::with_learned) numbers.
    pub fn is_learned(&self) -> bool {
        self.learned_calls.is_some()
    }

    /// The reason why code outside the module calls `function`.
    pub fn start(&self, function: CallNode) -> Option<Start> {
        self.starts[function]
    }

    /// Whether only other modules can call `function`: no call of this module reaches it, but it is visible. If a
    /// module contains `main`, the estimate assumes that other modules do not call its functions.
    pub fn is_unknown(&self, function: CallNode) -> bool {
        let facts = &self.module.functions[function];
        self.calls(function).is_zero() && facts.attributes.has(FunctionAttributes::VISIBLE)
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
    /// first, then the nodes of pointer types. Learned numbers change the executions of all calls of a function by the
    /// same factor as the calls of this function.
    pub fn made(&self) -> impl Iterator<Item = (CallNode, CallNode, Scaled)> + '_ {
        self.calls.iter().map(|&(caller, callee, weight)| {
            let counted = weight * self.counts.factor(caller, callee);
            let (times, all) = (self.counts.of(caller) * counted, self.counts.of(callee));
            let is_scaled = self.is_learned() && !all.is_zero();
            (caller, callee, if is_scaled { times * (self.calls(callee) / all) } else { times })
        })
    }

    /// The node that a call site calls: a function, or a node that represents calls through pointers of one type.
    pub fn callee(&self, site: &CallSite) -> CallNode {
        self.pools.callee(site.target)
    }

    /// The nodes that represent calls through pointers, each with the possible callees.
    pub fn pointers(&self) -> impl Iterator<Item = (CallNode, &[CallNode])> {
        self.pools.pools.iter().map(|pool| (pool.node, &pool.functions[..]))
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
            let times = if let Target::Callback { times, .. } = site.target { times } else { 1 };
            calls.push((caller, pools.callee(site.target), weight * Scaled::new(times.into(), 0)));
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
    starts: impl Iterator<Item = Scaled>,
    calls: &[(CallNode, CallNode, Scaled)],
    never_return: &PrimaryMap<CallNode, bool>,
    pools: usize,
) -> EntryCounts {
    let is_last = |node: CallNode| never_return.get(node).is_some_and(|&never| never);
    let (last, others): (Vec<_>, Vec<_>) = calls.iter().copied().partition(|&(_, callee, _)| is_last(callee));
    let behind = std::iter::repeat_n(Scaled::ZERO, pools);
    let outside: PrimaryMap<CallNode, Scaled> = starts.chain(behind).collect();
    let mut equations = Equations::new(CallGraph::new(outside.clone(), &others));
    let mut counts = equations.solve();
    for _ in 0..ROUNDS {
        let mut next = outside.clone();
        for &(caller, callee, weight) in &last {
            next[callee] = (next[callee] + counts[caller] * weight).min(Scaled::ONE);
        }
        if !equations.restart(next) {
            break;
        }
        counts = equations.solve();
    }
    equations.with_counts(counts)
}

#[cfg(test)]
mod tests {
    use super::super::module::ModuleFunction;
    use super::*;
    use crate::cfg::Graph;

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

    /// The estimate of a module whose functions have one block. Each function has a list of callees.
    fn estimate(functions: &[(&str, &[u32])]) -> Estimate {
        let body = |calls: &[u32]| Body {
            graph: Graph::from_successor_lists([None::<Block>]).expect("one block"),
            frequencies: [Scaled::ONE].into_iter().collect(),
            depths: [0].into_iter().collect(),
            sizes: [10].into_iter().collect(),
            returns: [true].into_iter().collect(),
            calls: calls
                .iter()
                .map(|&callee| CallSite {
                    block: Block::new(0),
                    target: Target::Function(CallNode::from_u32(callee)),
                })
                .collect(),
            ..Body::default()
        };
        let function = |&(name, calls): &(&str, &[u32])| ModuleFunction {
            name: name.into(),
            body: Some(body(calls)),
            ..ModuleFunction::default()
        };
        Estimate::of(ModuleFacts { functions: functions.iter().map(function).collect() })
    }

    /// Learned numbers keep the sums, and do not change functions that are never called or run once.
    #[test]
    fn learned_numbers_keep_the_sums() {
        let estimate = estimate(&[("main", &[1, 2, 2]), ("f", &[]), ("g", &[]), ("unused", &[1])]);
        let number = |number| Scaled::new(number, 0);
        let all = |read: &dyn Fn(CallNode) -> Scaled| -> Vec<Scaled> {
            (0..4).map(CallNode::from_u32).map(read).collect()
        };
        assert_eq!(all(&|node| estimate.calls(node)), [1, 1, 2, 0].map(number));
        assert!(!estimate.is_learned());
        let estimate = estimate.with_learned(&[7, 4, 2, 5].map(number), Some(&[1, 1, 2, 9].map(number)));
        assert_eq!(all(&|node| estimate.calls(node)), [1, 2, 1, 0].map(number));
        assert_eq!(all(&|node| estimate.time(node)), [10, 10, 20, 0].map(number));
        let made: Vec<_> = estimate.made().map(|(_, callee, times)| (callee.as_u32(), times)).collect();
        assert_eq!(made, [(1, number(2)), (2, Scaled::new(1, -1)), (2, Scaled::new(1, -1)), (1, number(0))]);
    }
}
