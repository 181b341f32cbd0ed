//! Finds all cycles of a function, and the nesting of the cycles. An irreducible cycle has several entries.
//!
//! A depth-first walk determines the header of an irreducible cycle: the first block of the cycle that the walk visits.
//! The other blocks of the cycle are descendants of the header in this walk. A descendant D of the header belongs to
//! the cycle if a path from D to the header contains only descendants of the header. The inner cycles are the cycles
//! that remain if the header is removed. (Paul Havlak, "Nesting of reducible and irreducible loops", TOPLAS 19(4),
//! 1997.)
//! The walk visits the successors of a block from the last to the first, as in LLVM. LLVM therefore finds the same
//! cycles.
//!
//! A cycle with one entry is a natural loop. However, not every natural loop is a separate cycle. If a natural loop and
//! an irreducible cycle have the same header, the loop is a part of the cycle.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap};

use super::loops::{Discovery, FoundLoop};
use super::scratch::refill;
use super::{table, Block, Graph, Loop, LoopForest, SpanningTree};

/// All cycles of an irreducible function, and the subset of plain cycles.
///
/// Each of the two sets is a [`LoopForest`]. `compute` fills both sets.
///
/// LLVM: `GenericCycleInfo`.
#[derive(Default)]
pub(super) struct CycleForests {
    all: LoopForest,
    plain: LoopForest,
    walk: SpanningTree,
    discovery: Discovery,
    innermost: PrimaryMap<Block, PackedOption<Loop>>,
    other_entries: Vec<(Loop, Block)>,
}

impl CycleForests {
    /// Finds the cycles of `graph`.
    ///
    /// LLVM: `GenericCycleInfo::compute`, `GenericCycleInfoCompute::run`, `GenericCycleInfoCompute::dfs`.
    pub(crate) fn compute(&mut self, graph: &Graph) {
        self.walk.compute_last_first(graph);
        self.discovery.start();
        self.other_entries.clear();
        refill(&mut self.innermost, graph.block_count(), None.into());
        let headers: Vec<Block> = self.walk.back_edge_targets().collect();
        for header in headers {
            self.discovery.find_latches(graph, &self.walk, header, &|_, _| true);
            self.flood(graph, header);
        }
        let CycleForests { all, walk, discovery, innermost, other_entries, .. } = self;
        other_entries.sort_unstable_by_key(|&(cycle, block)| (cycle, walk.number(block)));
        other_entries.dedup();
        all.take_over(graph, &discovery.loops, innermost.values().copied(), other_entries.iter().copied());
        self.keep_plain(graph);
    }

    /// All cycles.
    pub(crate) fn all(&self) -> &LoopForest {
        &self.all
    }

    /// The plain cycles. A cycle is plain if it has a single entry, and if no irreducible cycle around it has the same
    /// entry. LLVM 24 computes frequencies with plain cycles, because plain cycles do not depend on the depth-first
    /// walk.
    ///
    /// LLVM: `BlockFrequencyInfoImpl::initializeLoops`.
    pub(crate) fn plain(&self) -> &LoopForest {
        &self.plain
    }

    /// Finds the blocks of `header`'s cycle. The search starts at the latches and follows edges backwards up to the
    /// header.
    fn flood(&mut self, graph: &Graph, header: Block) {
        let new = self.discovery.loops.push(FoundLoop::new(header));
        while let Some(block) = self.discovery.pending.pop() {
            match self.innermost[block].expand() {
                None => {
                    self.innermost[block] = new.into();
                    if block != header {
                        self.flood_on(graph, new, block);
                    }
                }
                Some(inside) => {
                    let outermost = self.discovery.outermost(inside);
                    if outermost != new {
                        self.discovery.put_into(outermost, new);
                        self.flood_through(graph, new, outermost);
                    }
                }
            }
        }
    }

    /// Continues the search with the predecessors of `inner`'s entries. `inner` is a cycle inside the cycle `new`.
    fn flood_through(&mut self, graph: &Graph, new: Loop, inner: Loop) {
        self.flood_on(graph, new, self.discovery.loops[inner].header);
        // The search for one cycle adds all its entries before the next search starts, so these entries are
        // consecutive.
        let first = self.other_entries.partition_point(|&(cycle, _)| cycle < inner);
        for place in first..self.other_entries.len() {
            let (cycle, entry) = self.other_entries[place];
            if cycle != inner {
                break;
            }
            self.flood_on(graph, new, entry);
        }
    }

    /// Continues the search with the predecessors of `block`. `new` is the cycle that contains `block`. If a
    /// predecessor is outside this cycle, `block` is an entry of the cycle.
    fn flood_on(&mut self, graph: &Graph, new: Loop, block: Block) {
        let header = self.discovery.loops[new].header;
        for &source in graph.predecessors(block).iter().filter(|&&source| self.walk.reaches(source)) {
            if self.walk.is_ancestor(header, source) {
                self.discovery.pending.push(source);
            } else if self.other_entries.last() != Some(&(new, block)) {
                self.other_entries.push((new, block));
            }
        }
    }

    /// Selects the plain cycles. An entry of a cycle can also be the header of an inner cycle.
    fn keep_plain(&mut self, graph: &Graph) {
        let CycleForests { plain, discovery, innermost, other_entries, .. } = self;
        let count = discovery.loops.len();
        let mut is_plain: PrimaryMap<Loop, bool> = table(count, true);
        let mut is_other_entry: PrimaryMap<Block, bool> = table(graph.block_count(), false);
        for &(cycle, entry) in other_entries.iter() {
            is_plain[cycle] = false;
            is_other_entry[entry] = true;
        }
        let mut found: PrimaryMap<Loop, FoundLoop> = PrimaryMap::new();
        // For each cycle, the innermost plain cycle that contains the cycle. A plain cycle contains itself.
        let mut nearest: PrimaryMap<Loop, PackedOption<Loop>> = table(count, None.into());
        for (cycle, node) in discovery.loops.iter() {
            if is_plain[cycle] && !is_other_entry[node.header] {
                nearest[cycle] = found.push(FoundLoop::new(node.header)).into();
            }
        }
        for index in (0..count).rev() {
            let cycle = Loop::new(index);
            let around = discovery.loops[cycle].parent.expand().and_then(|parent| nearest[parent].expand());
            match nearest[cycle].expand() {
                Some(kept) => found[kept].parent = around.into(),
                None => nearest[cycle] = around.into(),
            }
        }
        let around =
            |innermost: PackedOption<Loop>| innermost.expand().and_then(|cycle| nearest[cycle].expand());
        let innermost = innermost.values().map(|&innermost| around(innermost).into());
        plain.take_over(graph, &found, innermost, std::iter::empty());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::test_support::{config, from_picture, pictures};
    use super::super::{Block, LoopForest};

    /// The graph has 100,000 cycles of two blocks. Both blocks have an edge to the next cycle. Recursion would overflow
    /// the stack.
    #[test]
    fn deep_nests_need_no_stack_and_linear_time() {
        let rungs = 100_000;
        let mut picture = String::from("entry -> l0 r0;");
        for rung in 0..rungs {
            let next = rung + 1;
            picture += &format!("l{rung} -> r{rung} l{next}; r{rung} -> l{rung} r{next};");
        }
        let (_, control_flow, block) = from_picture(&(picture + &format!("l{rungs}; r{rungs}")));
        assert_eq!(control_flow.cycles().count(), rungs);
        assert_eq!(
            control_flow.cycles().members(control_flow.cycles().innermost(block("l7")).unwrap()).len(),
            2
        );
    }

    proptest! {
        #![proptest_config(config())]

        /// In a reducible graph the cycles are the natural loops.
        #[test]
        fn the_walk_for_cycles_finds_natural_loops(picture in pictures()) {
            let (graph, control_flow, _) = from_picture(&picture);
            prop_assume!(control_flow.loops().is_reducible());
            let mut forest = super::CycleForests::default();
            forest.compute(&graph);
            for found in [forest.all(), forest.plain()] {
                let heads = |forest: &LoopForest| {
                    let mut heads: Vec<(Block, usize)> =
                        forest.loops().map(|cycle| (forest.header(cycle), forest.members(cycle).len())).collect();
                    heads.sort();
                    heads
                };
                prop_assert_eq!(heads(found), heads(control_flow.loops()));
            }
        }
    }
}
