//! Finds natural loops and their nesting.
//!
//! A block that dominates one of its predecessors is a loop header, and this predecessor is a latch. The loop is the
//! set of blocks that reach a latch without passing the header. Inner headers have higher preorder numbers than outer
//! headers. If headers are visited in descending order of preorder numbers, inner loops are found first. An outer loop
//! then absorbs each inner loop as a whole (Robert Tarjan, "Testing flow graph reducibility", JCSS 9, 1974). No header
//! dominates the latches of an irreducible cycle, so [`LoopForest::compute`] does not find such cycles. The module
//! [`cycles`](super::cycles) finds irreducible cycles.
//!
//! The loops of most functions are found without dominators. The search starts at the sources of the retreating edges
//! to a header and follows edges backwards. If all blocks that the search finds are descendants of the header in the
//! depth-first walk, the header dominates these blocks. Otherwise, the function has an irreducible cycle (Tarjan, and
//! Matthew Hecht and Jeffrey Ullman, "Characterizations of reducible flow graphs", JACM 21(3), 1974).

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{entity_impl, EntityRef, PrimaryMap};
use rustc_hash::FxHashSet;

use super::scratch::{refill, refill_with};
use super::{Block, Dominators, Graph, SpanningTree};

/// A natural loop in a [`LoopForest`] of natural loops, or a cycle in a [`LoopForest`] of cycles. An outer loop has a
/// lower number than the loops inside it.
///
/// LLVM: `LoopBase`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Loop(u32);
entity_impl!(Loop, "loop");

/// All natural loops or all cycles of a function, and how they nest.
///
/// Cycles nest like natural loops, so one type represents both. A cycle can have several entries.
///
/// # Panics
///
/// Methods panic if an argument is a block that the graph does not have or a loop that the forest does not have.
///
/// LLVM: `LoopInfoBase`.
#[derive(Default)]
pub struct LoopForest {
    loops: PrimaryMap<Loop, LoopNode>,
    innermost: PrimaryMap<Block, PackedOption<Loop>>,
    /// The blocks of all loops. The blocks of each loop are consecutive: first the blocks outside all inner loops, then
    /// the blocks of the inner loops.
    members: Vec<Block>,
    /// For each irreducible cycle, its entry blocks except the header; sorted by cycle.
    other_entries: Vec<(Loop, Block)>,
    irreducible: bool,
    discovery: Discovery,
    renumbering: Renumbering,
}

/// Scratch memory for renumbering loops. The keys of the tables are the loop numbers before renumbering.
#[derive(Default)]
struct Renumbering {
    sizes: PrimaryMap<Loop, u32>,
    places: PrimaryMap<Loop, u32>,
    free: PrimaryMap<Loop, u32>,
}

#[derive(Clone)]
struct LoopNode {
    header: Block,
    parent: PackedOption<Loop>,
    /// The highest-numbered loop inside this loop, or this loop if it has no inner loop. If this loop has the number n,
    /// the loops inside it have the numbers n + 1, n + 2 and so on, up to the number of `last_inside`.
    last_inside: Loop,
    first_member: u32,
    end_member: u32,
}

impl LoopForest {
    /// Finds the natural loops of `graph`, whose depth-first walk is `walk`. If the graph has an irreducible cycle,
    /// calls `dominators`, which returns the dominators of `graph`.
    ///
    /// LLVM: `LoopInfoBase::analyze`.
    pub(crate) fn compute<'a>(
        &mut self,
        graph: &Graph,
        walk: &SpanningTree,
        dominators: impl FnOnce() -> &'a Dominators,
    ) {
        self.irreducible = !self.discover(graph, walk, |_, _| true);
        if self.irreducible {
            let dominators = dominators();
            self.discover(graph, walk, |header, latch| dominators.dominates(header, latch));
        }
        if !self.discovery.loops.is_empty() {
            let found = std::mem::take(&mut self.discovery.loops);
            self.number(graph, &found);
            self.discovery.loops = found;
            self.collect_members(graph);
        }
    }

    /// Discovers a loop for each target of a back edge. The function `is_back_edge` decides which edges are back edges.
    /// Returns false if a loop has an entry other than its header. If the result is false, the discovered loops are
    /// meaningless.
    fn discover(
        &mut self,
        graph: &Graph,
        walk: &SpanningTree,
        is_back_edge: impl Fn(Block, Block) -> bool,
    ) -> bool {
        self.clear(graph);
        self.discovery.start();
        for header in walk.back_edge_targets() {
            self.discovery.find_latches(graph, walk, header, &is_back_edge);
            if !self.discovery.flood(graph, walk, header, &mut self.innermost) {
                return false;
            }
        }
        true
    }

    /// Replaces all loops by the cycles in the table `found`. In this table, inner cycles precede outer cycles.
    /// `innermost` has the innermost cycle of each block. `other_entries` lists the entries that are not headers, and
    /// the cycle of each entry.
    pub(super) fn take_over(
        &mut self,
        graph: &Graph,
        found: &PrimaryMap<Loop, FoundLoop>,
        innermost: impl Iterator<Item = PackedOption<Loop>>,
        other_entries: impl Iterator<Item = (Loop, Block)>,
    ) {
        self.clear(graph);
        refill_with(&mut self.innermost, innermost);
        self.irreducible = true;
        self.number(graph, found);
        let places = &self.renumbering.places;
        self.other_entries.extend(other_entries.map(|(cycle, block)| (Loop(places[cycle]), block)));
        // The sort is stable, so the entries of each cycle keep their order.
        self.other_entries.sort_by_key(|&(cycle, _)| cycle);
        self.collect_members(graph);
    }

    fn clear(&mut self, graph: &Graph) {
        self.loops.clear();
        self.members.clear();
        self.other_entries.clear();
        refill(&mut self.innermost, graph.block_count(), None.into());
    }

    /// Copies the loops of `found` and renumbers the copies. In the new order, each loop is directly followed by the
    /// loops inside it. Stores the new number of each loop in `renumbering.places`.
    fn number(&mut self, graph: &Graph, found: &PrimaryMap<Loop, FoundLoop>) {
        let count = found.len();
        let Renumbering { sizes, places, free } = &mut self.renumbering;
        // `found` lists inner loops before outer loops. A forward pass over `found` counts the loops in each subtree.
        // A backward pass over `found` computes the preorder numbers.
        refill(sizes, count, 1);
        for (inner, node) in found.iter() {
            if let Some(parent) = node.parent.expand() {
                sizes[parent] += sizes[inner];
            }
        }
        refill(places, count, 0);
        refill(free, count, 0);
        let mut free_at_top = 0;
        for index in (0..count).rev() {
            let old = Loop::new(index);
            let next = match found[old].parent.expand() {
                Some(parent) => &mut free[parent],
                None => &mut free_at_top,
            };
            places[old] = *next;
            *next += sizes[old];
            free[old] = places[old] + 1;
        }

        let vacant = LoopNode {
            header: graph.entry(),
            parent: None.into(),
            last_inside: Loop(0),
            first_member: 0,
            end_member: 0,
        };
        refill(&mut self.loops, count, vacant);
        for (old, node) in found.iter() {
            let new = &mut self.loops[Loop(places[old])];
            new.header = node.header;
            new.parent = node.parent.expand().map(|parent| Loop(places[parent])).into();
            new.last_inside = Loop(places[old] + sizes[old] - 1);
        }
        for innermost in self.innermost.values_mut() {
            *innermost = innermost.expand().map(|old| Loop(places[old])).into();
        }
    }

    /// Stores the blocks of all loops in one list, ordered by loop. The list contains each block once, for the
    /// innermost loop around the block.
    fn collect_members(&mut self, graph: &Graph) {
        // The sizes are no longer needed after renumbering, so the memory of the sizes can be reused.
        let Renumbering { sizes: own, free, .. } = &mut self.renumbering;
        refill(own, self.loops.len(), 0);
        for innermost in self.innermost.values().filter_map(|innermost| innermost.expand()) {
            own[innermost] += 1;
        }
        let mut first = 0;
        free.clear();
        for (number, node) in self.loops.iter_mut() {
            node.first_member = first;
            free.push(first);
            first += own[number];
        }
        for number in self.loops.keys() {
            let last = self.loops[number].last_inside;
            self.loops[number].end_member = self.loops[last].first_member + own[last];
        }
        self.members.resize(first as usize, graph.entry());
        for (block, innermost) in self.innermost.iter() {
            if let Some(innermost) = innermost.expand() {
                self.members[free[innermost] as usize] = block;
                free[innermost] += 1;
            }
        }
    }

    /// Whether every cycle of reachable blocks is in a natural loop.
    pub fn is_reducible(&self) -> bool {
        !self.irreducible
    }

    /// Whether the header is the only entry of `cycle`. For natural loops, the result is true.
    ///
    /// LLVM: `GenericCycleInfo::isReducible`.
    pub fn has_one_entry(&self, cycle: Loop) -> bool {
        self.entries_beside_header(cycle).is_empty()
    }

    /// The entries of `cycle`: its blocks that have a predecessor outside `cycle`. The first entry is the header.
    ///
    /// LLVM: `GenericCycleInfo::getEntries`.
    pub fn entries(&self, cycle: Loop) -> impl Iterator<Item = Block> + '_ {
        let others = self.entries_beside_header(cycle).iter().map(|&(_, block)| block);
        std::iter::once(self.header(cycle)).chain(others)
    }

    fn entries_beside_header(&self, cycle: Loop) -> &[(Loop, Block)] {
        let first = self.other_entries.partition_point(|&(other, _)| other < cycle);
        let rest = &self.other_entries[first..];
        &rest[..rest.partition_point(|&(other, _)| other == cycle)]
    }

    /// The number of loops.
    pub fn count(&self) -> usize {
        self.loops.len()
    }

    /// All loops. Each loop precedes the loops inside it.
    pub fn loops(&self) -> impl DoubleEndedIterator<Item = Loop> + ExactSizeIterator + use<> {
        (0..self.loops.len()).map(Loop::new)
    }

    /// The innermost loop around `block`.
    ///
    /// LLVM: `LoopInfoBase::getLoopFor`.
    pub fn innermost(&self, block: Block) -> Option<Loop> {
        self.innermost[block].expand()
    }

    /// Whether `block` is the header of a loop.
    ///
    /// LLVM: `LoopInfoBase::isLoopHeader`.
    pub fn is_header(&self, block: Block) -> bool {
        self.innermost(block).is_some_and(|natural| self.header(natural) == block)
    }

    /// The header of the loop or cycle `natural`. All paths into a natural loop enter at its header.
    ///
    /// LLVM: `LoopBase::getHeader`.
    pub fn header(&self, natural: Loop) -> Block {
        self.loops[natural].header
    }

    /// The innermost loop around `natural`, or `None` for an outermost loop.
    ///
    /// LLVM: `LoopBase::getParentLoop`.
    pub fn parent(&self, natural: Loop) -> Option<Loop> {
        self.loops[natural].parent.expand()
    }

    /// The nesting depth of `natural`: 1 for an outermost loop.
    ///
    /// LLVM: `LoopBase::getLoopDepth`.
    pub fn depth(&self, natural: Loop) -> usize {
        std::iter::successors(Some(natural), |&inner| self.parent(inner)).count()
    }

    /// The loops whose parent is `natural`.
    ///
    /// LLVM: `LoopBase::getSubLoops`.
    pub fn children(&self, natural: Loop) -> impl Iterator<Item = Loop> + '_ {
        let next = |after: Loop| Loop(after.0 + 1);
        let last = self.loops[natural].last_inside;
        let inside = move |child: Loop| (child <= last).then_some(child);
        std::iter::successors(inside(next(natural)), move |&child| {
            inside(next(self.loops[child].last_inside))
        })
    }

    /// The blocks of `natural` with an edge to its header, without duplicates, in the order of the header's
    /// predecessors.
    ///
    /// LLVM: `LoopBase::getLoopLatches`.
    pub fn latches(&self, graph: &Graph, natural: Loop) -> Vec<Block> {
        distinct(graph.predecessors(self.header(natural)), |block| self.contains_block(natural, block))
    }

    /// The edges that leave the loop, grouped by source block. Each item has three parts: the index of the edge
    /// in the tables of all edges, the source block, and the target block.
    ///
    /// LLVM: `LoopBase::getExitEdges`.
    pub fn exits<'a>(
        &'a self,
        graph: &'a Graph,
        natural: Loop,
    ) -> impl Iterator<Item = (usize, Block, Block)> + 'a {
        let edges = |&source| {
            let targets = graph.successors(source);
            graph.edges(source).zip(targets).map(move |(place, &target)| (place, source, target))
        };
        let leaves = move |&(_, _, target): &(usize, Block, Block)| !self.contains_block(natural, target);
        self.members(natural).iter().flat_map(edges).filter(leaves)
    }

    /// The preheader of `natural`. A preheader is the only block outside the loop with an edge to the header, and has
    /// no edges to other blocks. An unreachable block can be a preheader.
    ///
    /// LLVM: `LoopBase::getLoopPreheader`.
    pub fn preheader(&self, graph: &Graph, natural: Loop) -> Option<Block> {
        let header = self.header(natural);
        match distinct(graph.predecessors(header), |block| !self.contains_block(natural, block))[..] {
            [only] if graph.successors(only).len() == 1 => Some(only),
            _ => None,
        }
    }

    /// Whether `inner` is `outer` or a loop inside `outer`.
    ///
    /// LLVM: `LoopBase::contains`.
    pub fn contains(&self, outer: Loop, inner: Loop) -> bool {
        (outer..=self.loops[outer].last_inside).contains(&inner)
    }

    /// Whether `block` is in the loop `natural` or in one of its inner loops.
    ///
    /// LLVM: `LoopBase::contains`.
    pub fn contains_block(&self, natural: Loop, block: Block) -> bool {
        self.innermost(block).is_some_and(|inner| self.contains(natural, inner))
    }

    /// The blocks of the loop that are outside all inner loops.
    pub fn own_members(&self, natural: Loop) -> &[Block] {
        let LoopNode { first_member, last_inside, end_member, .. } = self.loops[natural];
        let inner = Loop::new(natural.index() + 1);
        let end = if inner <= last_inside { self.loops[inner].first_member } else { end_member };
        &self.members[first_member as usize..end as usize]
    }

    /// The blocks of the loop, including the blocks of inner loops.
    ///
    /// LLVM: `LoopBase::getBlocks`.
    pub fn members(&self, natural: Loop) -> &[Block] {
        let LoopNode { first_member, end_member, .. } = self.loops[natural];
        &self.members[first_member as usize..end_member as usize]
    }
}

/// The `blocks` for which `wanted` is true, without duplicates.
fn distinct(blocks: &[Block], wanted: impl Fn(Block) -> bool) -> Vec<Block> {
    let mut seen = FxHashSet::default();
    blocks.iter().copied().filter(|&block| wanted(block) && seen.insert(block)).collect()
}

/// Loops under construction, numbered in the order of their discovery. Inner loops precede outer loops.
#[derive(Default)]
pub(super) struct Discovery {
    pub loops: PrimaryMap<Loop, FoundLoop>,
    /// The worklist of the search: blocks that reach a latch of the newest loop. The search has not visited the
    /// predecessors of these blocks.
    pub pending: Vec<Block>,
    passed: Vec<Loop>,
}

/// A loop under construction.
pub(super) struct FoundLoop {
    pub header: Block,
    pub parent: PackedOption<Loop>,
    /// The parent of the loop, or a loop around the parent. To shorten the search for the outermost loop, path
    /// compression replaces the parent by an outer loop.
    ancestor: PackedOption<Loop>,
}

impl FoundLoop {
    /// Creates a loop without a known parent.
    pub(crate) fn new(header: Block) -> Self {
        FoundLoop { header, parent: None.into(), ancestor: None.into() }
    }
}

impl Discovery {
    /// Removes all loops.
    pub(crate) fn start(&mut self) {
        self.loops.clear();
        self.pending.clear();
    }

    /// Adds the latches of `header` to `pending`. The latches are the sources of the back edges to `header`.
    pub(crate) fn find_latches(
        &mut self,
        graph: &Graph,
        walk: &SpanningTree,
        header: Block,
        is_back_edge: &impl Fn(Block, Block) -> bool,
    ) {
        let sources = graph.predecessors(header).iter().copied();
        self.pending
            .extend(sources.filter(|&block| walk.is_ancestor(header, block) && is_back_edge(header, block)));
    }

    /// If `header` has latches, finds the blocks of the loop with the header `header`. The search follows edges
    /// backwards from the latches. Returns false if this search finds a block that is not a descendant of the header.
    /// In this case, a path from the entry to a latch avoids the header.
    ///
    /// LLVM: `discoverAndMapSubloop`.
    fn flood(
        &mut self,
        graph: &Graph,
        walk: &SpanningTree,
        header: Block,
        innermost: &mut PrimaryMap<Block, PackedOption<Loop>>,
    ) -> bool {
        if self.pending.is_empty() {
            return true;
        }
        let new = self.loops.push(FoundLoop::new(header));
        while let Some(block) = self.pending.pop() {
            let flood_on = match innermost[block].expand() {
                None => {
                    innermost[block] = new.into();
                    (block != header).then_some(block)
                }
                Some(inside) => {
                    let outermost = self.outermost(inside);
                    (outermost != new).then(|| {
                        self.put_into(outermost, new);
                        self.loops[outermost].header
                    })
                }
            };
            for &source in flood_on.map_or(&[][..], |from| graph.predecessors(from)) {
                if walk.is_ancestor(header, source) {
                    self.pending.push(source);
                } else if walk.reaches(source) {
                    return false;
                }
            }
        }
        true
    }

    /// Sets the parent of the loop `inner` to the loop `around`.
    pub(crate) fn put_into(&mut self, inner: Loop, around: Loop) {
        self.loops[inner].parent = around.into();
        self.loops[inner].ancestor = around.into();
    }

    /// The outermost known loop around `inner`, or `inner` itself. Compresses the path from `inner` to the result.
    pub(crate) fn outermost(&mut self, inner: Loop) -> Loop {
        let mut root = inner;
        while let Some(above) = self.loops[root].ancestor.expand() {
            self.passed.push(root);
            root = above;
        }
        for passed in self.passed.drain(..) {
            if passed != root {
                self.loops[passed].ancestor = root.into();
            }
        }
        root
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::from_picture;

    /// The outer loop has one latch with two parallel edges to the header. The outer loop has two exits. One of these exits
    /// also leaves the inner loop.
    #[test]
    fn latches_exits_and_preheader() {
        let (graph, control_flow, block) = from_picture(
            "entry -> outer; outer -> inner; inner -> inner latch exit;
             latch -> more; more -> outer outer after; exit; after",
        );
        let forest = control_flow.loops();
        let [outer, inner] = ["outer", "inner"].map(|header| forest.innermost(block(header)).unwrap());
        assert_eq!((forest.depth(outer), forest.depth(inner)), (1, 2));
        assert!(forest.children(outer).eq([inner]) && forest.children(inner).next().is_none());
        assert_eq!(forest.latches(&graph, outer), [block("more")]);
        assert_eq!(forest.latches(&graph, inner), [block("inner")]);
        let mut exits: Vec<_> = forest.exits(&graph, outer).map(|(_, from, to)| (from, to)).collect();
        exits.sort();
        assert_eq!(exits, [(block("inner"), block("exit")), (block("more"), block("after"))]);
        let places: Vec<usize> = forest.exits(&graph, inner).map(|(place, ..)| place).collect();
        assert_eq!(places, [3, 4]);
        assert_eq!(forest.preheader(&graph, outer), Some(block("entry")));
        assert_eq!(forest.preheader(&graph, inner), Some(block("outer")));
    }

    /// In the first graph, two blocks outside the loop have edges to the header. In the second graph, the only block with
    /// an edge into the loop has another successor. Neither loop has a preheader.
    #[test]
    fn not_every_loop_has_a_preheader() {
        for picture in ["entry -> a b; a -> l; b -> l; l -> l", "entry -> l out; l -> l; out"] {
            let (graph, control_flow, block) = from_picture(picture);
            let natural = control_flow.loops().innermost(block("l")).unwrap();
            assert_eq!(control_flow.loops().preheader(&graph, natural), None, "{picture}");
        }
    }
}
