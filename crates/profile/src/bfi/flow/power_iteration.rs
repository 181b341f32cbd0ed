//! Power iteration: computes each node's share of the flow in an irreducible region.
//!
//! The shares converge to a limit that depends only on the edges inside the region, not on its entries. At the
//! start, the flow can therefore be divided among the nodes in any way. Each iteration passes the flow along the edges
//! (Richard von Mises and Hilda Pollaczek-Geiringer, "Praktische Verfahren der Gleichungsauflösung", ZAMM 9, 1929). A
//! part of the flow leaves the region in each iteration. The result of a node is its flow after the last iteration,
//! divided by the sum of the flow of all nodes. If a node has a weight in `irr_loop` metadata, its flow is always this
//! weight.

use crate::bfi::mass::Mass;
use crate::bfi::regions::{Region, Regions};
use crate::bfi::rpo::RpoIndex;
use crate::bfi::scaled::Scaled;

/// The greatest number of iterations. A flow that alternates between two patterns never converges, so a limit is
/// necessary.
const MAX_ITERATIONS: usize = 16;

/// The flow has converged if the sum of all changes is less than 2^-32 times the flow.
const CONVERGED: i16 = -32;

/// The flow in one region. The memory is reused for the next region.
#[derive(Default)]
pub(super) struct PowerIteration {
    /// The region's nodes, in ascending order.
    nodes: Vec<RpoIndex>,
    inside: Vec<FlowEdge<usize>>,
    outside: Vec<FlowEdge<RpoIndex>>,
    /// The target and the weight of each outgoing edge of the current node.
    weighted: Vec<(RpoIndex, u64)>,
    flow: Vec<Scaled>,
    next: Vec<Scaled>,
    is_pinned: Vec<bool>,
}

/// An edge. `part` is the fraction of the flow of node `source` that takes this edge.
struct FlowEdge<T> {
    source: usize,
    target: T,
    part: Scaled,
}

impl PowerIteration {
    /// Collects the nodes of `region`, in ascending order.
    pub(crate) fn start(&mut self, regions: &Regions, region: Region) {
        self.nodes.clear();
        self.nodes.extend(regions.member_places(region).map(|place| regions.member(place)));
        self.nodes.sort_unstable();
        self.inside.clear();
        self.outside.clear();
    }

    /// The number of nodes.
    pub(crate) fn count(&self) -> usize {
        self.nodes.len()
    }

    /// The node with index `place`.
    pub(crate) fn node(&self, place: usize) -> RpoIndex {
        self.nodes[place]
    }

    /// Adds the outgoing edges of the node with index `source`. The function `list` receives a vector, and must append
    /// the outgoing edges of the node to this vector. If the sum of the weights overflows, the sum wraps around, as in
    /// LLVM.
    pub(crate) fn add_edges(&mut self, source: usize, list: impl FnOnce(&mut Vec<(RpoIndex, u64)>)) {
        self.weighted.clear();
        list(&mut self.weighted);
        let total = self.weighted.iter().fold(0u64, |sum, &(_, weight)| sum.wrapping_add(weight));
        if total == 0 {
            return;
        }
        let unit = Scaled::new(total, 0).inverse();
        for &(target, weight) in &self.weighted {
            let part = Scaled::new(weight, 0) * unit;
            match self.nodes.binary_search(&target) {
                Ok(target) => self.inside.push(FlowEdge { source, target, part }),
                Err(_) => self.outside.push(FlowEdge { source, target, part }),
            }
        }
    }

    /// Sets the initial flow of each node, and returns the sum over all nodes. Nodes with a weight start with this
    /// weight and keep it. If no node has a weight, all nodes start with the same flow.
    pub(crate) fn pin(&mut self, weight: impl Fn(RpoIndex) -> Option<u64>) -> Scaled {
        let count = self.nodes.len();
        self.flow.clear();
        self.is_pinned.clear();
        for &node in &self.nodes {
            let weight = weight(node);
            self.flow.push(Scaled::new(weight.unwrap_or(0), 0));
            self.is_pinned.push(weight.is_some());
        }
        let sum = total(&self.flow);
        if !sum.is_zero() {
            return sum;
        }
        self.is_pinned.fill(false);
        self.flow.fill(Scaled::new(count as u64, 0).inverse());
        total(&self.flow)
    }

    /// Passes the flow along the edges until the flow converges, or for `MAX_ITERATIONS` iterations. `sum` is the total
    /// flow of all nodes.
    pub(crate) fn run(&mut self, sum: &mut Scaled) {
        for _ in 0..MAX_ITERATIONS {
            self.next.clear();
            self.next.resize(self.nodes.len(), Scaled::ZERO);
            for edge in &self.inside {
                self.next[edge.target] = self.next[edge.target].plus(self.flow[edge.source] * edge.part);
            }
            let kept = self.next.iter_mut().zip(&self.flow).zip(&self.is_pinned);
            kept.filter(|&(_, &is_pinned)| is_pinned).for_each(|((next, &flow), _)| *next = flow);
            let left = total(&self.next);
            if left.is_zero() {
                return;
            }
            let shrunk = left / *sum;
            let change = |(&next, &flow): (&Scaled, &Scaled)| next.distance(shrunk * flow);
            let changed = self.next.iter().zip(&self.flow).map(change).fold(Scaled::ZERO, Scaled::plus);
            std::mem::swap(&mut self.flow, &mut self.next);
            *sum = left;
            if changed < left * Scaled::new(1, CONVERGED) {
                return;
            }
        }
    }

    /// Sets the mass of the nodes of `region`. Records the mass that leaves the region and the mass that returns to it.
    pub(crate) fn hand_over(&mut self, regions: &mut Regions, region: Region, sum: Scaled) {
        for (&node, flow) in self.nodes.iter().zip(&mut self.flow) {
            if !sum.is_zero() {
                *flow = *flow / sum;
            }
            regions.set_mass(node, Mass::of_part(*flow));
        }
        let mut left = Mass::EMPTY;
        for &FlowEdge { source, target, part } in &self.outside {
            let mass = Mass::of_part(self.flow[source] * part);
            regions.record_exit(region, target, mass);
            left = left.plus(mass);
        }
        regions.record_back_mass(region, Mass::FULL.minus(left));
    }
}

fn total(numbers: &[Scaled]) -> Scaled {
    numbers.iter().copied().fold(Scaled::ZERO, Scaled::plus)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::bfi::test_function::TestFunction;
    use crate::cfg::test_support::{config, pictures};
    use crate::cfg::{parse_graph, Block};

    /// The frequencies of the named blocks, scaled so that the frequency of the first block is `unit`.
    fn ratios(text: &str, names: &str, unit: u64) -> Vec<u64> {
        let (function, block) = TestFunction::new(text);
        ratios_of(&function.llvm24(), &block, names, unit)
    }

    fn ratios_of(function: &TestFunction, block: &dyn Fn(&str) -> Block, names: &str, unit: u64) -> Vec<u64> {
        let frequencies = function.frequencies();
        let first = names.split_whitespace().next().expect("a name");
        let whole = u128::from(frequencies.integer(block(first)));
        let rounded = |name: &str| {
            let part = u128::from(frequencies.integer(block(name))) * u128::from(unit);
            ((2 * part + whole) / (2 * whole)) as u64
        };
        names.split_whitespace().map(rounded).collect()
    }

    /// All nodes have edges to the same targets with the same weights. The shares are therefore 5:3:2 after one
    /// iteration.
    #[test]
    fn nodes_with_equal_edges_converge_in_one_iteration() {
        let text =
            "entry -> a b c; a -> a b c x : 5 3 2 1; b -> a b c x : 5 3 2 1; c -> a b c x : 5 3 2 1; x";
        assert_eq!(ratios(text, "a b c", 5), [5, 3, 2]);
    }

    /// Without the leaving flow, the equations are f(a) = f(a) / 2 + f(b) + f(c) and f(b) = f(c) = f(a) / 4. Each
    /// iteration halves the error.
    #[test]
    fn shares_follow_from_the_edges_inside_the_region() {
        let text = "entry -> a b c; a -> a b c : 2 1 1; b -> a x : 999 1; c -> a x : 999 1; x";
        assert_eq!(ratios(text, "a b c", 100), [100, 25, 25]);
    }

    /// The flow alternates between `a` and `b`. The solver stops after 16 iterations.
    #[test]
    fn alternating_flow_terminates() {
        let (function, block) = TestFunction::new("entry -> a b : 3 1; a -> b; b -> a x : 3 1; x");
        let frequencies = function.llvm24().frequencies();
        assert!(frequencies.integer(block("a")) > 0 && frequencies.integer(block("b")) > 0);
        assert_eq!(format!("{:.3}", frequencies.scaled(block("x"))), "1.0");
    }

    /// In the metadata, `a` has the weight 10, and `b` has the weight 30. Half of the flow of `a` goes to `c`.
    #[test]
    fn nodes_keep_their_metadata_weights() {
        let (function, block) = TestFunction::new("entry -> a b; a -> b c; b -> a; c -> b x : 3 1; x");
        let mut function = function.llvm24();
        function.header_weights = vec![(block("a"), 10), (block("b"), 30)];
        assert_eq!(ratios_of(&function, &block, "a b c", 10), [10, 30, 5]);
        // Weights of 0 are ignored.
        function.header_weights = vec![(block("a"), 0), (block("b"), 0)];
        let without = ratios_of(&function, &block, "a b c", 1000);
        function.header_weights.clear();
        assert_eq!(ratios_of(&function, &block, "a b c", 1000), without);
    }

    /// A region without exits gets 4096 iterations, like any infinite loop.
    #[test]
    fn a_region_without_exit_is_infinite() {
        let (function, block) = TestFunction::new("entry -> a b; a -> b; b -> a");
        let nest = function.llvm24().nest();
        let region = nest.innermost(block("a")).expect("a region");
        assert!(nest.is_infinite(region) && nest.is_irreducible(region));
        assert_eq!(format!("{:.5}", nest.scale(region)), "4096.0");
    }

    /// Each of the two entries has an edge to itself. Both entries get the same share.
    #[test]
    fn entries_with_equal_edges_get_equal_shares() {
        let text = "entry -> a b; a -> a b x : 2 2 1; b -> b a x : 2 2 1; x";
        assert_eq!(ratios(text, "a b", 1000), [1000, 1000]);
    }

    proptest! {
        #![proptest_config(config())]

        /// In a reducible graph, LLVM 14 and LLVM 24 compute equal frequencies.
        #[test]
        fn natural_loops_do_not_depend_on_the_version(picture in pictures()) {
            let (graph, _) = parse_graph(&picture).unwrap();
            let weights = vec![1; graph.edge_count()];
            let function = TestFunction::weighted(graph, &weights);
            prop_assume!(function.graph.loops().is_reducible());
            let before = function.frequencies();
            let llvm24 = function.llvm24();
            let after = llvm24.frequencies();
            for block in llvm24.graph.blocks() {
                prop_assert_eq!(before.scaled(block), after.scaled(block), "frequency of {}", block);
            }
        }

        /// If all blocks reach an exit, the sum of the exits' frequencies is the frequency of the entry.
        #[test]
        fn the_frequencies_of_the_exits_add_up_to_1(picture in pictures()) {
            let (graph, _) = parse_graph(&picture).unwrap();
            let ends = |block: Block| graph.successors(block).is_empty();
            let reaches_end = |block: Block| crate::cfg::naive::reached(&graph, block, None).into_iter().any(ends);
            let all = crate::cfg::naive::reached(&graph, graph.entry(), None);
            prop_assume!(all.iter().all(|&block| reaches_end(block)));
            let weights = vec![1; graph.edge_count()];
            let llvm24 = TestFunction::weighted(graph.clone(), &weights).llvm24();
            let frequencies = llvm24.frequencies();
            let ended = all.iter().filter(|&&block| ends(block)).map(|&block| frequencies.scaled(block));
            let sum = format!("{:.4}", super::total(&ended.collect::<Vec<_>>()));
            prop_assert!(["1.0", "0.9999", "1.0001"].contains(&sum.as_str()), "{}", sum);
        }
    }
}
