//! The control-flow graph: blocks in layout order, edges in compressed sparse rows.

use std::ops::Range;

use cranelift_entity::{entity_impl, EntityRef};

/// A basic block, numbered in layout order; the entry is block 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block(u32);
entity_impl!(Block, "bb");

/// A control-flow graph with at least an entry block.
///
/// [`Graph::from_successor_lists`] makes one from what a compiler has. Parallel edges stay apart: a switch with three
/// cases to one block is three edges. An edge is known by its place in the flat successor array, so a per-edge table
/// is a plain slice of [`Graph::edge_count`] elements.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    blocks: Vec<Neighbours>,
    successors: Vec<Block>,
    predecessors: Vec<Block>,
}

/// Where the neighbours of a block stand among those of all.
#[derive(Clone, Copy, Debug)]
struct Neighbours {
    successors: Row,
    predecessors: Row,
}

impl Neighbours {
    /// Those of all blocks, from each side's rows.
    fn of_blocks(
        successors: impl Iterator<Item = Row>,
        predecessors: impl Iterator<Item = Row>,
    ) -> Vec<Neighbours> {
        let both = successors.zip(predecessors);
        both.map(|(successors, predecessors)| Neighbours { successors, predecessors }).collect()
    }
}

impl Graph {
    /// Builds a graph from successors alone, which are right: predecessors come in the order of their edges.
    /// [`Graph::from_successor_lists`] does the same with successors that may be wrong.
    ///
    /// # Panics
    ///
    /// If a successor has no row of its own.
    pub fn from_successors(successors: Adjacency) -> Self {
        debug_assert!(successors.is_complete());
        let predecessors = successors.transposed();
        Graph::from_adjacency(successors, predecessors)
    }

    /// Builds a graph from both sides of every edge: of each block its successors, and its predecessors in an order of
    /// the caller's. Both sides are right, and have the same edges; [`Graph::new`] makes sure of that.
    pub fn from_adjacency(successors: Adjacency, predecessors: Adjacency) -> Self {
        debug_assert!(successors.is_complete() && predecessors.is_complete());
        Graph {
            blocks: Neighbours::of_blocks(successors.rows.into_iter(), predecessors.rows.into_iter()),
            successors: successors.targets,
            predecessors: predecessors.targets,
        }
    }

    /// The same from sides that stand in memory of somebody else's.
    ///
    /// # Panics
    ///
    /// If the sides do not end where their rows end. That both have the same edges, and that rows rise, is not looked at.
    pub fn from_adjacency_refs(successors: AdjacencyRef, predecessors: AdjacencyRef) -> Self {
        Graph {
            blocks: Neighbours::of_blocks(successors.rows(), predecessors.rows()),
            successors: successors.blocks(),
            predecessors: predecessors.blocks(),
        }
    }

    /// The block where execution starts: block 0. A graph without blocks, as [`Graph::default`] makes it, has none.
    pub fn entry(&self) -> Block {
        Block::new(0)
    }

    /// How many blocks there are.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// How many edges there are, parallel ones counted each.
    pub fn edge_count(&self) -> usize {
        self.successors.len()
    }

    /// All blocks in layout order.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator {
        (0..self.block_count()).map(Block::new)
    }

    /// Successors of `block`, in terminator order, parallel edges repeated.
    ///
    /// # Panics
    ///
    /// If the graph has no such block.
    pub fn successors(&self, block: Block) -> &[Block] {
        &self.successors[self.edges(block)]
    }

    /// The places of `block`'s outgoing edges in per-edge tables, and where these lead.
    #[doc(hidden)]
    pub fn outgoing(&self, block: Block) -> (Range<usize>, &[Block]) {
        let edges = self.edges(block);
        (edges.clone(), &self.successors[edges])
    }

    /// Predecessors of `block`, in LLVM's order where the graph comes from LLVM, parallel edges repeated.
    ///
    /// # Panics
    ///
    /// If the graph has no such block.
    pub fn predecessors(&self, block: Block) -> &[Block] {
        &self.predecessors[self.blocks[block.index()].predecessors.places()]
    }

    /// The same, to be made wrong.
    #[cfg(any(test, feature = "test-support"))]
    #[doc(hidden)]
    pub fn predecessors_mut(&mut self, block: Block) -> &mut [Block] {
        &mut self.predecessors[self.blocks[block.index()].predecessors.places()]
    }

    /// Where the edge at that place in per-edge tables leads.
    pub(super) fn target(&self, edge: usize) -> Block {
        self.successors[edge]
    }

    /// The places of `block`'s outgoing edges in per-edge tables.
    ///
    /// # Panics
    ///
    /// If the graph has no such block.
    pub fn edges(&self, block: Block) -> Range<usize> {
        self.blocks[block.index()].successors.places()
    }
}

/// Where the blocks of one row stand among those of all: both ends, as one look finds them.
#[derive(Clone, Copy, Debug)]
struct Row {
    start: u32,
    end: u32,
}

impl Row {
    fn places(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// All edges in one direction, in compressed sparse rows that somebody else owns.
#[derive(Clone, Copy, Debug)]
pub struct AdjacencyRef<'a> {
    /// Where the row of each block begins in `numbers`, and last where the row of the last block ends.
    pub starts: &'a [u32],
    /// The numbers of the blocks at the other end of each edge, row after row.
    pub numbers: &'a [u32],
}

impl AdjacencyRef<'_> {
    fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        self.starts.windows(2).map(|ends| Row { start: ends[0], end: ends[1] })
    }

    fn blocks(&self) -> Vec<Block> {
        assert_eq!(self.starts.last().map(|&end| end as usize), Some(self.numbers.len()), "where rows end");
        self.numbers.iter().map(|&number| Block::from_u32(number)).collect()
    }
}

/// All edges in one direction, in compressed sparse rows under construction: one row of blocks for each block.
#[derive(Clone, Debug, Default)]
pub struct Adjacency {
    /// The rows that have been ended.
    rows: Vec<Row>,
    targets: Vec<Block>,
}

impl Adjacency {
    /// Empty rows with space for `blocks` rows and `edges` edges.
    pub fn with_capacity(blocks: usize, edges: usize) -> Self {
        Adjacency { rows: Vec::with_capacity(blocks), targets: Vec::with_capacity(edges) }
    }

    /// Adds `target` to the row that is being written. Whether `target` has a row of its own is seen when the rows
    /// become a graph.
    pub fn push(&mut self, target: Block) {
        self.targets.push(target);
    }

    /// Ends the row that is being written.
    ///
    /// # Panics
    ///
    /// If there are 2^32 edges or more.
    pub fn end_row(&mut self) {
        let end = u32::try_from(self.targets.len()).expect("fewer than 2^32 edges");
        self.rows.push(Row { start: self.end(), end });
    }

    /// How many edges there are so far.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are no edges so far.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// How many rows have been ended.
    pub(super) fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// Where the rows end that have been ended.
    fn end(&self) -> u32 {
        self.rows.last().map_or(0, |row| row.end)
    }

    /// Whether the row last written has been ended.
    pub(super) fn is_complete(&self) -> bool {
        self.end() as usize == self.targets.len()
    }

    /// The row of `block`.
    pub(super) fn row(&self, block: Block) -> &[Block] {
        &self.targets[self.rows[block.index()].places()]
    }

    /// The same edges seen from their targets, in edge order.
    pub(super) fn transposed(&self) -> Adjacency {
        let mut rows = vec![Row { start: 0, end: 0 }; self.rows.len()];
        for target in &self.targets {
            rows[target.index()].end += 1;
        }
        let mut start = 0;
        for row in &mut rows {
            let end = start + row.end;
            // It grows as it is filled.
            *row = Row { start, end: start };
            start = end;
        }
        let mut sources = vec![Block::new(0); self.targets.len()];
        for (source, row) in self.rows.iter().enumerate() {
            for target in &self.targets[row.places()] {
                let row = &mut rows[target.index()];
                sources[row.end as usize] = Block::new(source);
                row.end += 1;
            }
        }
        Adjacency { rows, targets: sources }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::test_support::{config, pictures};
    use super::super::{naive, parse_graph};

    /// a switches to b three times over and to c: parallel edges stay apart on both sides, in their order.
    #[test]
    fn parallel_edges_are_edges_each() {
        let (graph, block) = parse_graph("a -> b c b b; b -> c; c").unwrap();
        let (a, b, c) = (block("a"), block("b"), block("c"));
        assert_eq!(graph.successors(a), [b, c, b, b]);
        assert_eq!(graph.predecessors(b), [a, a, a]);
        assert_eq!(graph.predecessors(c), [a, b]);
        assert_eq!((graph.block_count(), graph.edge_count()), (3, 5));
    }

    /// Per-edge tables have the edges of a, then those of b, then those of c.
    #[test]
    fn edges_are_places_in_one_flat_table() {
        let (graph, block) = parse_graph("a -> b c; b; c -> a b c").unwrap();
        assert_eq!(graph.edges(block("a")), 0..2);
        assert_eq!(graph.edges(block("b")), 2..2);
        assert_eq!(graph.edges(block("c")), 2..5);
    }

    proptest! {
        #![proptest_config(config())]

        #[test]
        fn predecessors_mirror_successors(picture in pictures()) {
            naive::check_graph(&parse_graph(&picture).unwrap().0);
        }
    }
}
