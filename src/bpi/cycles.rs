//! Which edges enter and leave cycles.

use crate::cfg::{Block, Graph, Loop, LoopForest, Scc, Sccs};

/// The innermost cycle around a block, as the estimated weights see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cycle {
    /// The block runs at most once.
    None,
    /// A natural loop.
    Natural(Loop),
    /// An irreducible cycle, for blocks that no natural loop holds.
    Irreducible(Scc),
}

/// Cycles of all blocks.
#[derive(Clone, Copy)]
pub(super) struct Cycles<'a> {
    pub graph: &'a Graph,
    pub loops: &'a LoopForest,
    pub sccs: &'a Sccs,
}

impl Cycles<'_> {
    /// The cycle of `block`.
    pub fn of(&self, block: Block) -> Cycle {
        match (self.loops.innermost(block), self.sccs.of(block)) {
            (Some(natural), _) => Cycle::Natural(natural),
            (None, Some(scc)) => Cycle::Irreducible(scc),
            (None, None) => Cycle::None,
        }
    }

    /// Whether an edge from a block of `source` to a block of `target` enters `target`.
    ///
    /// Irreducible cycles do not nest: coming from any other cycle is entering.
    pub fn enters(&self, source: Cycle, target: Cycle) -> bool {
        match (source, target) {
            (_, Cycle::None) => false,
            (Cycle::Natural(source), Cycle::Natural(target)) => !self.loops.contains(target, source),
            (_, Cycle::Natural(_)) => true,
            (source, Cycle::Irreducible(_)) => source != target,
        }
    }

    /// Whether an edge from a block of `source` to a block of `target` leaves `source`.
    pub fn exits(&self, source: Cycle, target: Cycle) -> bool {
        self.enters(target, source)
    }

    /// The blocks of `cycle`, those of cycles inside it included.
    pub fn members(&self, cycle: Cycle) -> &[Block] {
        match cycle {
            Cycle::None => &[],
            Cycle::Natural(natural) => self.loops.members(natural),
            Cycle::Irreducible(scc) => self.sccs.members(scc),
        }
    }

    /// Whether `block` is among the members of `cycle`.
    pub fn is_member(&self, cycle: Cycle, block: Block) -> bool {
        match cycle {
            Cycle::None => false,
            Cycle::Natural(natural) => self.loops.contains_block(natural, block),
            Cycle::Irreducible(scc) => self.sccs.of(block) == Some(scc),
        }
    }

    /// Calls `visit` with each block whose weight may follow from that of `cycle`.
    ///
    /// For a natural loop these are the header's predecessors. For an irreducible cycle LLVM takes the
    /// blocks entered rather than those that enter; the same is done here.
    pub fn for_each_entry(&self, cycle: Cycle, mut visit: impl FnMut(Block)) {
        match cycle {
            Cycle::None => {}
            Cycle::Natural(natural) => {
                self.graph.predecessors(self.loops.header(natural)).iter().copied().for_each(visit)
            }
            Cycle::Irreducible(scc) => {
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
