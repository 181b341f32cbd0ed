//! A control-flow graph, and the structures that are computed from it when they are first used.

use std::fmt;
use std::ops::Deref;
use std::thread::LocalKey;

use super::cycles::CycleForests;
use super::{Dominators, Graph, LoopForest, PostDominators, Sccs, SpanningTree};
use crate::scratch::{self, ScratchSlot};
use crate::Lazy;

/// A control-flow graph with its depth-first tree, dominators, post-dominators, loops, cycles and strongly connected
/// components.
///
/// Each structure is computed at its first use, together with the structures on which it depends. For example,
/// dominators only need the depth-first tree.
///
/// ```
/// use bpa_cfg::{parse_graph, ControlFlow};
///
/// let (graph, block) = parse_graph("entry -> loop; loop -> loop exit; exit").unwrap();
/// let control_flow = ControlFlow::new(graph);
/// assert!(control_flow.dominators().dominates(block("loop"), block("exit")));
/// assert_eq!(control_flow.loops().count(), 1);
/// ```
///
/// # Panics
///
/// The methods that compute a structure panic if the graph has no block.
pub struct ControlFlow {
    graph: Graph,
    nesting: Nesting,
    // The structures are boxed, so moving a `ControlFlow` is cheap.
    tree: Lazy<Box<SpanningTree>>,
    dominators: Lazy<Box<Dominators>>,
    post_dominators: Lazy<Box<PostDominators>>,
    loops: Lazy<Box<LoopForest>>,
    sccs: Lazy<Box<Sccs>>,
    cycles: Lazy<Box<CycleForests>>,
}

// The slots keep the memory of dropped structures for the next function on the same thread.
thread_local! {
    static TREE: ScratchSlot<Box<SpanningTree>> = const { ScratchSlot::new(Vec::new()) };
    static DOMINATORS: ScratchSlot<Box<Dominators>> = const { ScratchSlot::new(Vec::new()) };
    static POST_DOMINATORS: ScratchSlot<Box<PostDominators>> = const { ScratchSlot::new(Vec::new()) };
    static LOOPS: ScratchSlot<Box<LoopForest>> = const { ScratchSlot::new(Vec::new()) };
    static SCCS: ScratchSlot<Box<Sccs>> = const { ScratchSlot::new(Vec::new()) };
    static CYCLES: ScratchSlot<Box<CycleForests>> = const { ScratchSlot::new(Vec::new()) };
}

impl ControlFlow {
    /// Creates the control flow of `graph`. No structure is computed yet.
    pub fn new(graph: Graph) -> Self {
        ControlFlow {
            graph,
            nesting: Nesting::default(),
            tree: Lazy::new(),
            dominators: Lazy::new(),
            post_dominators: Lazy::new(),
            loops: Lazy::new(),
            sccs: Lazy::new(),
            cycles: Lazy::new(),
        }
    }

    /// The kind of cycles that the analyses of probabilities and frequencies use.
    pub fn nesting(&self) -> Nesting {
        self.nesting
    }

    /// Sets the kind of cycles that the analyses of probabilities and frequencies use. By default, the analyses use
    /// natural loops and strongly connected components.
    pub fn set_nesting(&mut self, nesting: Nesting) {
        self.nesting = nesting;
    }

    /// The blocks and edges of the function.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The depth-first walk from the entry.
    pub fn tree(&self) -> &SpanningTree {
        self.tree.get_or_init(|| self.new_tree())
    }

    /// The dominators of the reachable blocks.
    pub fn dominators(&self) -> &Dominators {
        computed(&self.dominators, &DOMINATORS, |dominators| dominators.compute(&self.graph, self.tree()))
    }

    /// The post-dominators of all blocks.
    pub fn post_dominators(&self) -> &PostDominators {
        computed(&self.post_dominators, &POST_DOMINATORS, |post_dominators| {
            post_dominators.compute(&self.graph)
        })
    }

    /// The natural loops.
    pub fn loops(&self) -> &LoopForest {
        self.loops.get_or_init(|| self.new_loops())
    }

    /// The strongly connected components that have at least two reachable blocks.
    pub fn sccs(&self) -> &Sccs {
        computed(&self.sccs, &SCCS, |sccs| sccs.compute(&self.graph))
    }

    /// All cycles and how they nest. In a reducible graph, the cycles are the natural loops.
    ///
    /// LLVM: `CycleAnalysis`.
    pub fn cycles(&self) -> &LoopForest {
        match self.loops() {
            loops if loops.is_reducible() => loops,
            _ => self.cycle_forest().all(),
        }
    }

    /// The plain cycles. A cycle is plain if it has a single entry, and if no irreducible cycle around it has the same
    /// entry. The order of a depth-first walk does not affect the set of plain cycles. The order affects the headers of
    /// irreducible cycles.
    pub fn plain_cycles(&self) -> &LoopForest {
        match self.loops() {
            loops if loops.is_reducible() => loops,
            _ => self.cycle_forest().plain(),
        }
    }

    /// Computes the depth-first tree and the loops, which all analyses of a function need. Exclusive access avoids the
    /// cost of synchronization; see [`Lazy`].
    pub fn compute_loops(&mut self) {
        if self.tree.get().is_none() {
            self.tree.insert(self.new_tree());
        }
        if self.loops.get().is_none() {
            self.loops.insert(self.new_loops());
        }
    }

    fn new_tree(&self) -> Box<SpanningTree> {
        with_memory_from(&TREE, |tree| tree.compute(&self.graph))
    }

    fn new_loops(&self) -> Box<LoopForest> {
        with_memory_from(&LOOPS, |loops| loops.compute(&self.graph, self.tree(), || self.dominators()))
    }

    fn cycle_forest(&self) -> &CycleForests {
        computed(&self.cycles, &CYCLES, |cycles| cycles.compute(&self.graph))
    }

    /// The graph, without its structures.
    pub fn into_graph(mut self) -> Graph {
        std::mem::take(&mut self.graph)
    }

    /// Drops all structures, but keeps the graph. A dropped structure is computed again at its next use. The next
    /// function on this thread reuses the memory of the dropped structures.
    pub fn forget_structure(&mut self) {
        let ControlFlow { tree, dominators, post_dominators, loops, sccs, cycles, .. } = self;
        put_back(&TREE, tree);
        put_back(&DOMINATORS, dominators);
        put_back(&POST_DOMINATORS, post_dominators);
        put_back(&LOOPS, loops);
        put_back(&SCCS, sccs);
        put_back(&CYCLES, cycles);
    }
}

/// Returns the structure that `cell` stores. If the cell is empty, computes the structure with memory from `slot`.
fn computed<'a, T: Default>(
    cell: &'a Lazy<Box<T>>,
    slot: &'static LocalKey<ScratchSlot<Box<T>>>,
    compute: impl FnOnce(&mut T),
) -> &'a T {
    cell.get_or_init(|| with_memory_from(slot, compute))
}

/// Computes a structure, and reuses the memory of the old structure in `slot`.
fn with_memory_from<T: Default>(
    slot: &'static LocalKey<ScratchSlot<Box<T>>>,
    compute: impl FnOnce(&mut T),
) -> Box<T> {
    let mut structure = scratch::take(slot);
    compute(&mut structure);
    structure
}

/// Moves a computed structure into a scratch slot. The next function reuses the memory of the structure.
fn put_back<T>(place: &'static LocalKey<ScratchSlot<Box<T>>>, computed: &mut Lazy<Box<T>>) {
    if let Some(computed) = computed.take() {
        scratch::put_back(place, computed);
    }
}

impl Drop for ControlFlow {
    fn drop(&mut self) {
        // If dominators, loops or cycles have been computed, the depth-first tree has also been computed.
        if self.tree.get().is_some() || self.post_dominators.get().is_some() || self.sccs.get().is_some() {
            self.forget_structure();
        }
    }
}

impl Deref for ControlFlow {
    type Target = Graph;

    fn deref(&self) -> &Graph {
        &self.graph
    }
}

impl From<Graph> for ControlFlow {
    fn from(graph: Graph) -> Self {
        ControlFlow::new(graph)
    }
}

impl Clone for ControlFlow {
    /// Copies only the graph, not the computed structures.
    fn clone(&self) -> Self {
        let mut same = ControlFlow::new(self.graph.clone());
        same.nesting = self.nesting;
        same
    }
}

impl fmt::Debug for ControlFlow {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        self.graph.fmt(out)
    }
}

/// The cycles that branch probabilities and block frequencies use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nesting {
    /// As in LLVM 14 to 23: natural loops, and strongly connected components for blocks outside all natural loops.
    #[default]
    LoopsAndComponents,
    /// As in LLVM 24: nested cycles, including cycles with several entries.
    Cycles,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::test_support::{config, pictures};
    use super::super::{naive, parse_graph, Adjacency, Block};
    use super::*;

    #[test]
    fn dominators_compute_no_loops() {
        let (graph, block) = parse_graph("a -> b c; b -> a; c").unwrap();
        let control_flow = ControlFlow::new(graph);
        assert!(control_flow.tree.get().is_none());
        assert!(control_flow.dominators().dominates(block("a"), block("c")));
        let ControlFlow { tree, post_dominators, loops, sccs, .. } = &control_flow;
        assert!(tree.get().is_some());
        assert!(post_dominators.get().is_none() && loops.get().is_none() && sccs.get().is_none());
    }

    proptest! {
        #![proptest_config(config())]

        /// Two graphs, because the second analysis reuses the memory of the first.
        #[test]
        fn structures_match_their_definitions(first in pictures(), second in pictures()) {
            for picture in [first, second] {
                let (graph, _) = parse_graph(&picture).unwrap();
                let control_flow = ControlFlow::new(graph);
                naive::check_all(&control_flow);
                naive::cycles::check_cycles(&control_flow);
            }
        }
    }

    /// A ring of 200,000 blocks: recursion would overflow the stack, and quadratic algorithms would not finish.
    #[test]
    #[cfg_attr(miri, ignore = "too large for the interpreter")]
    fn large_rings_need_no_stack_and_linear_time() {
        let count = 200_000;
        let mut rows = Adjacency::with_capacity(count, count);
        for block in 0..count as u32 {
            rows.push(Block::from_u32((block + 1) % count as u32));
            rows.end_row();
        }
        let ring = ControlFlow::new(Graph::from_successors(rows));
        let last = Block::from_u32(count as u32 - 1);
        assert!(ring.dominators().dominates(ring.entry(), last));
        assert!(ring.post_dominators().post_dominates(last, ring.entry()));
        assert_eq!(ring.loops().members(ring.loops().innermost(last).unwrap()).len(), count);
        assert_eq!(ring.sccs().members(ring.sccs().of(last).unwrap()).len(), count);
    }
}
