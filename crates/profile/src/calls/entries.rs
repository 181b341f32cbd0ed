//! Entry counts: the number of calls of each function, from the solution of the call equations.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{entity_impl, PrimaryMap};

use super::components::Components;
use super::graph::{CallGraph, CallNode};
use super::recursion::{self, InnerCall};
use crate::bfi::exact::elimination::Elimination;
use crate::bfi::exact::real::Real;
use crate::bfi::Scaled;
use crate::cfg::table;

/// A recursion: a strongly connected component of the call graph, that is, functions that call each other, or one
/// function that calls itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Recursion(u32);
entity_impl!(Recursion, "recursion");

/// The nodes of one strongly connected component of the call graph, and the factor that reduces the weights of
/// recursive calls.
#[derive(Clone, Debug)]
pub struct RecursionFacts {
    /// The nodes of the component. A call to a later node is a forward call. A call from a node to itself or to an
    /// earlier node is a back call.
    pub members: Vec<CallNode>,
    /// The factor that multiplies the weights of back calls, or `None` if the recursion converges fast enough without a
    /// factor.
    pub factor: Option<Scaled>,
}

/// The number of calls of each node of a call graph.
#[derive(Clone, Debug)]
pub struct EntryCounts {
    counts: PrimaryMap<CallNode, Scaled>,
    recursions: PrimaryMap<Recursion, RecursionFacts>,
    recursion_of: PrimaryMap<CallNode, PackedOption<Recursion>>,
    /// The index of each node in the list of its component's nodes.
    numbers: PrimaryMap<CallNode, u32>,
}

impl EntryCounts {
    /// Solves the equations of `graph`:
    ///
    /// > calls(f) = starts(f) + the sum of calls(g) x weight over the calls g -> f
    ///
    /// In a recursion, the weight of each call from a node to itself or to an earlier node is multiplied by the factor
    /// of the recursion.
    pub(crate) fn solve(graph: &CallGraph) -> Self {
        let mut solution = Solution::new(graph);
        for members in Components::of(graph).iter() {
            let calls = solution.inner_calls(members);
            if !calls.is_empty() {
                solution.solve_recursion(members, &calls);
            }
            solution.pass_on(members);
        }
        let Solution { counts, recursions, recursion_of, numbers, .. } = solution;
        let counts = counts.values().map(|count| count.to_scaled()).collect();
        EntryCounts { counts, recursions, recursion_of, numbers }
    }

    /// The number of nodes.
    pub fn node_count(&self) -> usize {
        self.counts.len()
    }

    /// The number of calls of `node`.
    pub fn of(&self, node: CallNode) -> Scaled {
        self.counts[node]
    }

    /// The recursion that contains `node`.
    pub(crate) fn recursion(&self, node: CallNode) -> Option<(Recursion, &RecursionFacts)> {
        let recursion = self.recursion_of[node].expand()?;
        Some((recursion, &self.recursions[recursion]))
    }

    /// All recursions, callers first.
    pub(crate) fn recursions(&self) -> impl Iterator<Item = &RecursionFacts> {
        self.recursions.values()
    }

    /// The factor that multiplies the weight of a call from `caller` to `callee`. The factor can be less than
    /// 1 only if `callee` is `caller`, or an earlier node of the same recursion.
    pub(crate) fn factor(&self, caller: CallNode, callee: CallNode) -> Scaled {
        match self.recursion(caller) {
            Some((one, facts)) if self.is_back(one, caller, callee) => facts.factor.unwrap_or(Scaled::ONE),
            _ => Scaled::ONE,
        }
    }

    fn is_back(&self, recursion: Recursion, caller: CallNode, callee: CallNode) -> bool {
        self.recursion_of[callee] == recursion.into() && self.numbers[callee] <= self.numbers[caller]
    }
}

/// The state of the solver of the call equations.
struct Solution<'a> {
    graph: &'a CallGraph,
    /// The number of calls to each node. Only calls from outside the module and from solved components are counted.
    counts: PrimaryMap<CallNode, Real>,
    recursions: PrimaryMap<Recursion, RecursionFacts>,
    recursion_of: PrimaryMap<CallNode, PackedOption<Recursion>>,
    /// The index of each node in the list of its component's nodes. The index is set when the component is solved.
    numbers: PrimaryMap<CallNode, u32>,
    region: Elimination,
}

impl<'a> Solution<'a> {
    fn new(graph: &'a CallGraph) -> Self {
        let count = graph.node_count();
        Solution {
            graph,
            counts: graph.nodes().map(|node| real(graph.start(node))).collect(),
            recursions: PrimaryMap::new(),
            recursion_of: table(count, None.into()),
            numbers: table(count, u32::MAX),
            region: Elimination::default(),
        }
    }

    /// The calls among `members`.
    fn inner_calls(&mut self, members: &[CallNode]) -> Vec<InnerCall> {
        for (number, &member) in (0..).zip(members) {
            self.numbers[member] = number;
        }
        let number = |node: CallNode| {
            let number = self.numbers[node];
            (members.get(number as usize) == Some(&node)).then_some(number)
        };
        let mut calls = Vec::new();
        for (caller, &member) in (0..).zip(members) {
            calls.extend(self.graph.edges(member).iter().filter_map(|edge| {
                let callee = number(edge.callee)?;
                Some(InnerCall { caller, callee, weight: real(edge.weight) })
            }));
        }
        calls
    }

    /// Computes the counts of the mutually recursive nodes `members`. `calls` contains the calls between members.
    ///
    /// The solver needs equations in which the outgoing weights of each node add up to 1. The weights of the calls are
    /// therefore multiplied by factors that follow from `bound.weights`. After this multiplication, the weights of the
    /// inner calls of each node add up to at most 1. If the sum is less than 1, the solver treats the difference (the
    /// slack) as flow that leaves the component.
    fn solve_recursion(&mut self, members: &[CallNode], calls: &[InnerCall]) {
        let bound = recursion::bound(members.len(), calls);
        let facts = RecursionFacts { members: members.to_vec(), factor: bound.factor };
        let recursion = self.recursions.push(facts);
        members.iter().for_each(|&member| self.recursion_of[member] = recursion.into());
        if bound.factor.is_some_and(Scaled::is_zero) {
            return self.pass_forwards(members, calls);
        }
        let factor = bound.factor.map_or(Real::ONE, real);
        let weights = &bound.weights;
        let mut is_called = false;
        let region = &mut self.region;
        region.start(members.len());
        for call in calls.iter().filter(|call| call.caller != call.callee) {
            let counted = if call.is_back() { call.weight * factor } else { call.weight };
            let [caller, callee] = [call.caller, call.callee].map(|number| weights[number as usize]);
            region.add_edge(call.caller, call.callee, counted * callee / caller);
        }
        for (number, &member) in (0..).zip(members) {
            let weight = weights[number as usize];
            region.add_inflow(number, self.counts[member] * weight);
            region.add_leaving(number, bound.slack[number as usize] / weight);
            is_called |= !self.counts[member].is_zero();
        }
        if !is_called {
            // If no function of the component is called from outside, all counts are 0, and the solver cannot be used.
            return;
        }
        self.region.solve();
        for ((&member, &solved), &weight) in members.iter().zip(self.region.solution()).zip(weights) {
            self.counts[member] = solved / weight;
        }
    }

    /// Computes the counts of `members` from the forward calls only: a call from a node to itself or to an earlier node
    /// is ignored. `calls` must be ordered by caller.
    fn pass_forwards(&mut self, members: &[CallNode], calls: &[InnerCall]) {
        for call in calls.iter().filter(|call| !call.is_back()) {
            let [caller, callee] = [call.caller, call.callee].map(|number| members[number as usize]);
            let passed = self.counts[caller] * call.weight;
            self.counts[callee] += passed;
        }
    }

    /// Adds the calls from `members` to callees outside the component.
    fn pass_on(&mut self, members: &[CallNode]) {
        for &caller in members {
            let count = self.counts[caller];
            let own = self.recursion_of[caller];
            for edge in self.graph.edges(caller) {
                if own.is_none() || self.recursion_of[edge.callee] != own {
                    self.counts[edge.callee] += count * real(edge.weight);
                }
            }
        }
    }
}

fn real(number: Scaled) -> Real {
    Real::new(number.digits(), number.exponent().into())
}
