//! Entry counts: the number of calls of each function, from the solution of the call equations.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{entity_impl, PrimaryMap};

use super::graph::Components;
use super::graph::{CallGraph, CallNode};
use super::recursion::InnerCalls;
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

/// The call equations of a graph:
///
/// > calls(f) = starts(f) + the sum of calls(g) x weight over the calls g -> f
///
/// In a recursion, the weight of each call from a node to itself or to an earlier node is multiplied by the factor of
/// the recursion.
pub(crate) struct Equations {
    graph: CallGraph,
    components: Components,
    inner: PrimaryMap<Recursion, InnerCalls>,
    recursions: PrimaryMap<Recursion, RecursionFacts>,
    recursion_of: PrimaryMap<CallNode, PackedOption<Recursion>>,
    /// The index of each node in the list of its component's nodes.
    numbers: PrimaryMap<CallNode, u32>,
}

impl Equations {
    pub(crate) fn new(graph: CallGraph) -> Self {
        let count = graph.node_count();
        let mut equations = Equations {
            components: Components::of(&graph),
            graph,
            inner: PrimaryMap::new(),
            recursions: PrimaryMap::new(),
            recursion_of: table(count, None.into()),
            numbers: table(count, u32::MAX),
        };
        equations.find_recursions();
        equations
    }

    /// Replaces the number of calls of each node from outside the module. Returns whether a number changes.
    pub(crate) fn restart(&mut self, starts: PrimaryMap<CallNode, Scaled>) -> bool {
        if self.graph.starts() == &starts {
            return false;
        }
        // The search for components begins with the nodes that are called from outside.
        let is_same = |node: CallNode| starts[node].is_zero() == self.graph.start(node).is_zero();
        let has_same_order = self.graph.nodes().all(is_same);
        self.graph.set_starts(starts);
        if !has_same_order {
            *self = Equations::new(std::mem::take(&mut self.graph));
        }
        true
    }

    /// The number of calls of each node.
    pub(crate) fn solve(&self) -> PrimaryMap<CallNode, Scaled> {
        // Until a component is solved, the numbers of its nodes count only calls from outside the module and from
        // solved components.
        let mut counts: PrimaryMap<CallNode, Real> =
            self.graph.nodes().map(|node| self.graph.start(node).into()).collect();
        let mut inner = Vec::new();
        for members in self.components.iter() {
            if let Some(recursion) = self.recursion_of[members[0]].expand() {
                inner.clear();
                inner.extend(members.iter().map(|&member| counts[member]));
                self.inner[recursion].solve(&mut inner);
                members.iter().zip(&inner).for_each(|(&member, &count)| counts[member] = count);
            }
            self.pass_on(members, &mut counts);
        }
        counts.values().map(|count| count.to_scaled()).collect()
    }

    /// Keeps the recursions, together with the solution `counts`.
    pub(crate) fn with_counts(self, counts: PrimaryMap<CallNode, Scaled>) -> EntryCounts {
        let Equations { recursions, recursion_of, numbers, .. } = self;
        EntryCounts { counts, recursions, recursion_of, numbers }
    }

    fn find_recursions(&mut self) {
        for members in self.components.iter() {
            for (number, &member) in (0..).zip(members) {
                self.numbers[member] = number;
            }
            let Some(calls) = InnerCalls::of(&self.graph, &self.numbers, members) else { continue };
            let recursion =
                self.recursions.push(RecursionFacts { members: members.to_vec(), factor: calls.factor() });
            self.inner.push(calls);
            members.iter().for_each(|&member| self.recursion_of[member] = recursion.into());
        }
    }

    /// Adds the calls from `members` to callees outside the component.
    fn pass_on(&self, members: &[CallNode], counts: &mut PrimaryMap<CallNode, Real>) {
        for &caller in members {
            let count = counts[caller];
            let own = self.recursion_of[caller];
            for edge in self.graph.edges(caller) {
                if own.is_none() || self.recursion_of[edge.callee] != own {
                    counts[edge.callee] += count * Real::from(edge.weight);
                }
            }
        }
    }
}
