//! The weights of outgoing edges of blocks and cycles.

use super::cycles::{Cycle, Cycles};
use super::estimated_weights::{PerWeighed, Weighed};
use crate::cfg::Block;

/// For each block and cycle: the number of outgoing edges, the number of outgoing edges with a weight, and the highest
/// weight of an outgoing edge.
///
/// If an edge gets a weight, the values for its source and for every cycle that the edge leaves are updated. A new
/// weight therefore does not require a scan of all cases of a switch or all exits of a loop.
#[derive(Default)]
pub(super) struct OutEdges(PerWeighed<EdgeCounts>);

#[derive(Clone, Copy, Default)]
struct EdgeCounts {
    count: u32,
    known: u32,
    /// The highest weight so far, or 0 if no edge has a weight.
    highest: u32,
}

impl OutEdges {
    /// Prepares the edge counts for the analysis of another function, in which no edge has a weight yet.
    ///
    /// LLVM: `SccInfo::getSccExitBlocks`, `BranchProbabilityInfo::getLoopExitBlocks`.
    pub(crate) fn start(&mut self, cycles: &Cycles) {
        self.0.refill(cycles, EdgeCounts::default());
        for block in cycles.graph.blocks() {
            let targets = cycles.graph.successors(block);
            self.entry(Weighed::Block(block)).count = targets.len() as u32;
            if cycles.of(block) != Cycle::None {
                for &target in targets {
                    cycles.for_each_left(block, target, |cycle| self.entry(Weighed::Cycle(cycle)).count += 1);
                }
            }
        }
    }

    fn entry(&mut self, weighed: Weighed) -> &mut EdgeCounts {
        self.0.get_mut(weighed).expect("every block and every cycle has edge counts")
    }

    /// Adds the edge from `source` to `target`, which has the given weight. If all exits of a cycle now have weights,
    /// calls `complete` with the cycle.
    pub(crate) fn add(
        &mut self,
        cycles: &Cycles,
        (source, target): (Block, Block),
        weight: u32,
        mut complete: impl FnMut(Cycle),
    ) {
        self.entry(Weighed::Block(source)).add(weight);
        cycles.for_each_left(source, target, |cycle| {
            let edges = self.entry(Weighed::Cycle(cycle));
            edges.add(weight);
            if edges.all_known() {
                complete(cycle);
            }
        });
    }

    /// The highest weight of the outgoing edges of a block or cycle. The result is `None` if there is no outgoing edge,
    /// or if an outgoing edge has no weight.
    ///
    /// LLVM: `BranchProbabilityInfo::getMaxEstimatedEdgeWeight`.
    pub(crate) fn highest(&self, weighed: Weighed) -> Option<u32> {
        self.0.get(weighed).filter(|edges| edges.known > 0 && edges.all_known()).map(|edges| edges.highest)
    }

    /// The number of outgoing edges of a block or cycle.
    pub(crate) fn count(&self, weighed: Weighed) -> usize {
        self.0.get(weighed).map_or(0, |edges| edges.count as usize)
    }
}

impl EdgeCounts {
    fn add(&mut self, weight: u32) {
        self.known += 1;
        self.highest = self.highest.max(weight);
    }

    fn all_known(&self) -> bool {
        self.known == self.count
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::cycles::Cycle;
    use super::super::test_support::{parse_function, pictures};
    use super::{OutEdges, Weighed};
    use crate::cfg::test_support::config;

    proptest! {
        #![proptest_config(config())]

        /// The exits of a cycle are the edges from its blocks to blocks outside the cycle.
        #[test]
        fn exits_are_counted(picture in pictures()) {
            let parsed = parse_function(&picture);
            let cycles = parsed.cycles();
            let mut edges = OutEdges::default();
            edges.start(&cycles);
            for block in cycles.graph.blocks() {
                let cycle = cycles.of(block);
                let members = match cycle {
                    Cycle::None => continue,
                    Cycle::Nested(natural) => cycles.loops.members(natural),
                    Cycle::Component(scc) => cycles.sccs.members(scc),
                };
                let targets = members.iter().flat_map(|&member| cycles.graph.successors(member));
                let exits = targets.filter(|target| !members.contains(target)).count();
                prop_assert_eq!(edges.count(Weighed::Cycle(cycle)), exits, "exits of the cycle around {}", block);
            }
        }
    }
}
