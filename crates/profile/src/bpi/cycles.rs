//! The innermost cycle of each block, the edges that enter and leave cycles, and the exits of natural loops.

use cranelift_entity::{EntityRef, PrimaryMap};

use crate::cfg::{table, Block, ControlFlow, Loop, LoopForest, Scc, Sccs};
use crate::dialect::Nesting;

/// The innermost cycle around a block, for the estimation of weights.
///
/// LLVM: `BranchProbabilityInfo::LoopBlock`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cycle {
    /// The block is in no cycle.
    None,
    /// A natural loop. From LLVM 24 on, all cycles nest, and this variant also represents irreducible cycles.
    Nested(Loop),
    /// A strongly connected component, for a block that is in no natural loop. From LLVM 24 on, this variant does not
    /// occur.
    Component(Scc),
}

/// The innermost cycles of all blocks.
#[derive(Clone, Copy)]
pub(super) struct Cycles<'a> {
    pub graph: &'a ControlFlow,
    pub loops: &'a LoopForest,
    pub sccs: &'a Sccs,
    nesting: Nesting,
}

impl<'a> Cycles<'a> {
    /// Creates a view of the cycles in `graph`.
    pub(crate) fn new(graph: &'a ControlFlow) -> Self {
        let nesting = graph.nesting();
        let (loops, sccs) = match nesting {
            // Every component is a natural loop.
            Nesting::LoopsAndComponents if graph.loops().is_reducible() => (graph.loops(), Sccs::none()),
            Nesting::LoopsAndComponents => (graph.loops(), graph.sccs()),
            Nesting::Cycles => (graph.cycles(), Sccs::none()),
        };
        Cycles { graph, loops, sccs, nesting }
    }
}

impl Cycles<'_> {
    /// The cycle of `block`.
    ///
    /// LLVM: `BranchProbabilityInfo::getLoopBlock`.
    pub(crate) fn of(&self, block: Block) -> Cycle {
        match (self.loops.innermost(block), self.sccs.of(block)) {
            (Some(natural), _) => Cycle::Nested(natural),
            (None, Some(scc)) => Cycle::Component(scc),
            (None, None) => Cycle::None,
        }
    }

    /// The index of `cycle` in tables that have one element for each cycle. [`Cycle::None`] has an index too.
    pub(crate) fn index(&self, cycle: Cycle) -> usize {
        match cycle {
            Cycle::None => 0,
            Cycle::Nested(natural) => 1 + natural.index(),
            Cycle::Component(scc) => 1 + self.loops.count() + scc.index(),
        }
    }

    /// The greatest [`Cycles::index`] plus one.
    pub(crate) fn count(&self) -> usize {
        1 + self.loops.count() + self.sccs.count()
    }

    /// Whether an edge from a block of the cycle `source` to a block of the cycle `target` enters the cycle `target`.
    ///
    /// If `target` is a strongly connected component, every edge from another cycle enters the component. This is also
    /// true for an edge from a natural loop inside the component.
    ///
    /// LLVM: `BranchProbabilityInfo::isLoopEnteringEdge`.
    pub(crate) fn enters(&self, source: Cycle, target: Cycle) -> bool {
        match (source, target) {
            (_, Cycle::None) => false,
            (Cycle::Nested(source), Cycle::Nested(target)) => !self.loops.contains(target, source),
            (_, Cycle::Nested(_)) => true,
            (source, Cycle::Component(_)) => source != target,
        }
    }

    /// Whether an edge from a block of the cycle `source` to a block of the cycle `target` leaves the cycle `source`.
    ///
    /// LLVM: `BranchProbabilityInfo::isLoopExitingEdge`.
    pub(crate) fn exits(&self, source: Cycle, target: Cycle) -> bool {
        self.enters(target, source)
    }

    /// Calls `visit` with each cycle that the edge from `source` to `target` leaves, inner cycles first.
    pub(crate) fn for_each_left(&self, source: Block, target: Block, mut visit: impl FnMut(Cycle)) {
        let mut around = self.loops.innermost(source);
        while let Some(natural) = around.filter(|&natural| !self.loops.contains_block(natural, target)) {
            visit(Cycle::Nested(natural));
            around = self.loops.parent(natural);
        }
        if let Some(scc) = self.sccs.of(source).filter(|&scc| self.sccs.of(target) != Some(scc)) {
            visit(Cycle::Component(scc));
        }
    }

    /// If the edge from `source` to `target` leaves all cycles around `source`, returns the outermost of these cycles.
    /// Returns [`Cycle::None`] if `source` is in no cycle.
    pub(crate) fn component_left(&self, source: Block, target: Block) -> Option<Cycle> {
        let mut left = Cycle::None;
        self.for_each_left(source, target, |cycle| left = cycle);
        let leaves_all = match left {
            Cycle::None => self.of(source) == Cycle::None,
            Cycle::Nested(natural) => self.loops.parent(natural).is_none() && self.sccs.of(source).is_none(),
            Cycle::Component(_) => true,
        };
        leaves_all.then_some(left)
    }

    /// The blocks of `cycle` that can be the target of an edge into the cycle. An edge into a natural loop always leads
    /// to the header. An edge into an irreducible cycle can lead to each block outside the inner loops.
    pub(crate) fn heads(&self, cycle: Cycle) -> impl Iterator<Item = Block> + '_ {
        let (header, members) = match cycle {
            Cycle::None => (None, &[][..]),
            Cycle::Nested(natural) if self.loops.has_one_entry(natural) => {
                (Some(self.loops.header(natural)), &[][..])
            }
            Cycle::Nested(irreducible) => (None, self.loops.own_members(irreducible)),
            Cycle::Component(scc) => (None, self.sccs.members(scc)),
        };
        header.into_iter().chain(members.iter().copied().filter(move |&block| self.of(block) == cycle))
    }

    /// Calls `visit` with each block whose weight can be computed from the weight of `cycle`:
    ///
    /// - With [`Nesting::Cycles`]: the blocks outside the cycle that have an edge to an entry of the cycle.
    /// - With [`Nesting::LoopsAndComponents`], for a natural loop: all predecessors of the loop's header.
    /// - With [`Nesting::LoopsAndComponents`], for a strongly connected component: the entries of the component. LLVM
    ///   does not use the predecessors of these entries.
    ///
    /// LLVM: `SccInfo::getSccEnterBlocks`, `SccInfo::calculateSccBlockType`,
    /// `BranchProbabilityInfo::getLoopEnterBlocks`.
    pub(crate) fn for_each_entry(&self, cycle: Cycle, mut visit: impl FnMut(Block)) {
        match cycle {
            Cycle::None => {}
            Cycle::Nested(cycle) if self.nesting == Nesting::Cycles => {
                let sources = self.loops.entries(cycle).flat_map(|entry| self.graph.predecessors(entry));
                sources.copied().filter(|&source| !self.loops.contains_block(cycle, source)).for_each(visit)
            }
            Cycle::Nested(natural) => {
                self.graph.predecessors(self.loops.header(natural)).iter().copied().for_each(visit)
            }
            Cycle::Component(scc) => {
                for &block in self.sccs.members(scc) {
                    let entered = |p: &Block| self.sccs.of(*p) != Some(scc);
                    if self.graph.predecessors(block).iter().any(entered) {
                        visit(block);
                    }
                }
            }
        }
    }
}

/// The destinations of each natural loop's exits, without duplicates.
///
/// There are two kinds of exits of a loop: edges from a block whose innermost loop is this loop, and exits of an inner
/// loop that also leave this loop. The constructor processes inner loops first. The constructor therefore visits an
/// edge once for every loop that the edge leaves, instead of once for every loop around the source of the edge.
pub(super) struct LoopExits {
    targets: PrimaryMap<Loop, Vec<Block>>,
}

impl LoopExits {
    /// Finds the exits of all loops.
    pub(crate) fn new(cycles: &Cycles) -> Self {
        let loops = cycles.loops;
        let mut targets: PrimaryMap<Loop, Vec<Block>> = table(loops.count(), Vec::new());
        let mut seen: PrimaryMap<Block, Option<Loop>> = table(cycles.graph.block_count(), None);
        for natural in loops.loops().rev() {
            // If an exit of an inner loop also leaves the loop `natural`, the exit is already in the list.
            let mut exits = std::mem::take(&mut targets[natural]);
            let own = loops.own_members(natural).iter().flat_map(|&block| cycles.graph.successors(block));
            exits.extend(own.filter(|&&target| !loops.contains_block(natural, target)));
            exits.retain(|&target| seen[target].replace(natural) != Some(natural));
            if let Some(parent) = loops.parent(natural) {
                let leaves_both = |target: &&Block| !loops.contains_block(parent, **target);
                targets[parent].extend(exits.iter().filter(leaves_both));
            }
            targets[natural] = exits;
        }
        LoopExits { targets }
    }

    /// The destinations of the exits of a natural loop.
    pub(crate) fn of(&self, natural: Loop) -> &[Block] {
        &self.targets[natural]
    }
}
