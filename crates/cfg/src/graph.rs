//! The control-flow graph: blocks in layout order, and edges in compressed sparse rows.

use std::ops::Range;

use cranelift_entity::{entity_impl, EntityRef};

/// A basic block, numbered in layout order. The entry is block 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block(u32);
entity_impl!(Block, "bb");

/// A control-flow graph with at least one block, the entry.
///
/// [`Graph::from_successor_lists`] builds a graph from lists of successors. Parallel edges are separate: if three cases
/// of a switch have the same target, there are three edges. An edge is identified by its index in the array that
/// contains the successors of all blocks. A table with one entry for each edge therefore has [`Graph::edge_count`]
/// entries.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    blocks: Vec<Neighbours>,
    successors: Vec<Block>,
    predecessors: Vec<Block>,
}

/// The index ranges of a block's successors and predecessors in the arrays of all successors and predecessors.
#[derive(Clone, Copy, Debug)]
struct Neighbours {
    successors: Row,
    predecessors: Row,
}

impl Neighbours {
    /// For each block, combines the block's row of successors with the block's row of predecessors.
    fn of_blocks(
        successors: impl Iterator<Item = Row>,
        predecessors: impl Iterator<Item = Row>,
    ) -> Vec<Neighbours> {
        let both = successors.zip(predecessors);
        both.map(|(successors, predecessors)| Neighbours { successors, predecessors }).collect()
    }
}

impl Graph {
    /// Builds a graph from valid successors. The predecessors of a block are in the reverse order of their edges.
    /// For an invalid successor, [`Graph::from_successor_lists`] returns an error.
    ///
    /// # Panics
    ///
    /// Panics if a successor does not exist, or if the last row of `successors` is not ended.
    pub fn from_successors(successors: Adjacency) -> Self {
        assert!(successors.is_complete(), "the last row is not complete");
        let mut predecessors = successors.transposed();
        // LLVM adds each use of a block at the front of the block's use list.
        for row in &predecessors.rows {
            predecessors.targets[row.places()].reverse();
        }
        Graph::from_adjacency(successors, predecessors)
    }

    /// Builds a graph from the successors and the predecessors of each block. The caller chooses the order of
    /// predecessors. Successors and predecessors must describe the same edges. [`Graph::new`] checks this condition,
    /// but this function does not.
    pub(crate) fn from_adjacency(successors: Adjacency, predecessors: Adjacency) -> Self {
        debug_assert!(successors.is_complete() && predecessors.is_complete());
        Graph {
            blocks: Neighbours::of_blocks(successors.rows.into_iter(), predecessors.rows.into_iter()),
            successors: successors.targets,
            predecessors: predecessors.targets,
        }
    }

    /// Builds a graph from borrowed arrays of successors and predecessors.
    ///
    /// # Panics
    ///
    /// Panics if the last row of an array does not end at the end of the array. Other inconsistencies are not checked.
    pub fn from_adjacency_refs(successors: AdjacencyRef, predecessors: AdjacencyRef) -> Self {
        Graph {
            blocks: Neighbours::of_blocks(successors.rows(), predecessors.rows()),
            successors: successors.blocks(),
            predecessors: predecessors.blocks(),
        }
    }

    /// The block where execution starts: block 0. The empty graph of [`Graph::default`] has no entry.
    pub fn entry(&self) -> Block {
        Block::new(0)
    }

    /// The number of blocks.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// The number of edges, including parallel edges.
    pub fn edge_count(&self) -> usize {
        self.successors.len()
    }

    /// All blocks in layout order.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator + use<> {
        (0..self.block_count()).map(Block::new)
    }

    /// The successors of `block`, in terminator order. If several edges lead to the same successor, the list contains
    /// this successor once for each edge.
    ///
    /// # Panics
    ///
    /// Panics if the graph has no such block.
    pub fn successors(&self, block: Block) -> &[Block] {
        &self.successors[self.edges(block)]
    }

    /// The outgoing edges of `block`: the index of each edge in per-edge tables, and the target of the edge.
    ///
    /// # Panics
    ///
    /// Panics if the graph has no such block.
    pub fn outgoing(&self, block: Block) -> (Range<usize>, &[Block]) {
        let edges = self.edges(block);
        (edges.clone(), &self.successors[edges])
    }

    /// The predecessors of `block`. If a predecessor has several edges to `block`, the list contains this predecessor
    /// once for each edge. If the graph comes from LLVM, the predecessors are in LLVM's order.
    ///
    /// # Panics
    ///
    /// Panics if the graph has no such block.
    pub fn predecessors(&self, block: Block) -> &[Block] {
        &self.predecessors[self.incoming(block)]
    }

    /// The predecessors of `block` as a mutable slice, for tests that need an invalid graph.
    #[cfg(any(test, feature = "test-support"))]
    pub fn predecessors_mut(&mut self, block: Block) -> &mut [Block] {
        let places = self.incoming(block);
        &mut self.predecessors[places]
    }

    /// The predecessors of each block, computed from the successors.
    pub(super) fn sources(&self) -> Adjacency {
        let rows = self.blocks.iter().map(|block| block.successors).collect();
        Adjacency { rows, targets: self.successors.clone() }.transposed()
    }

    /// The target of the edge whose index in per-edge tables is `edge`.
    pub(super) fn target(&self, edge: usize) -> Block {
        self.successors[edge]
    }

    /// The indices of `block`'s predecessors in the array of all predecessors.
    pub(super) fn incoming(&self, block: Block) -> Range<usize> {
        self.blocks[block.index()].predecessors.places()
    }

    /// The predecessor at the index `place` in the array of all predecessors.
    pub(super) fn source(&self, place: usize) -> Block {
        self.predecessors[place]
    }

    /// The indices of `block`'s outgoing edges in per-edge tables.
    ///
    /// # Panics
    ///
    /// Panics if the graph has no such block.
    pub fn edges(&self, block: Block) -> Range<usize> {
        self.blocks[block.index()].successors.places()
    }
}

/// The range of one row in a flat array. The start and the end are next to each other, so one memory access reads both.
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

/// The successors of all blocks, or the predecessors of all blocks, in borrowed compressed sparse rows.
#[derive(Clone, Copy, Debug)]
pub struct AdjacencyRef<'a> {
    /// For each block, the index in `numbers` where its row starts. The last element is the end of the last row.
    pub starts: &'a [u32],
    /// The rows of all blocks. The row of a block contains the numbers of its neighbours.
    pub numbers: &'a [u32],
}

impl AdjacencyRef<'_> {
    fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        self.starts.windows(2).map(|ends| Row { start: ends[0], end: ends[1] })
    }

    fn blocks(&self) -> Vec<Block> {
        assert_eq!(
            self.starts.last().map(|&end| end as usize),
            Some(self.numbers.len()),
            "the array does not end where its last row ends"
        );
        self.numbers.iter().map(|&number| Block::from_u32(number)).collect()
    }
}

/// A list with one row for each block. The rows contain either successors or predecessors. Rows can be added.
#[derive(Clone, Debug, Default)]
pub struct Adjacency {
    /// The complete rows. The row to which edges are being added is not in this list.
    rows: Vec<Row>,
    targets: Vec<Block>,
}

impl Adjacency {
    /// Creates an empty list of rows, with memory for `blocks` rows and `edges` edges.
    pub fn with_capacity(blocks: usize, edges: usize) -> Self {
        Adjacency { rows: Vec::with_capacity(blocks), targets: Vec::with_capacity(edges) }
    }

    /// Adds `target` to the current row. The functions that build the graph check that `target` exists.
    pub fn push(&mut self, target: Block) {
        self.targets.push(target);
    }

    /// Ends the list of the current block's successors. The next target belongs to the next block.
    ///
    /// # Panics
    ///
    /// Panics if the number of rows or the number of edges is 2^32 or more.
    pub fn end_row(&mut self) {
        assert!(self.rows.len() < u32::MAX as usize, "fewer than 2^32 blocks");
        let end = u32::try_from(self.targets.len()).expect("fewer than 2^32 edges");
        self.rows.push(Row { start: self.end(), end });
    }

    /// The number of complete rows.
    pub(super) fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// The end of the last complete row.
    fn end(&self) -> u32 {
        self.rows.last().map_or(0, |row| row.end)
    }

    /// Whether the last row is complete.
    pub(super) fn is_complete(&self) -> bool {
        self.end() as usize == self.targets.len()
    }

    /// The row of `block`.
    pub(super) fn row(&self, block: Block) -> &[Block] {
        &self.targets[self.rows[block.index()].places()]
    }

    /// The reversed edges. The list of each block contains the source blocks of its incoming edges, in the order of the
    /// edges.
    pub(super) fn transposed(&self) -> Adjacency {
        let mut rows = vec![Row { start: 0, end: 0 }; self.rows.len()];
        for target in &self.targets {
            rows[target.index()].end += 1;
        }
        let mut start = 0;
        for row in &mut rows {
            let end = start + row.end;
            // The row is empty here. The next `for` loop fills the row.
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
