//! Builds graphs from data that may be invalid. An error names the invalid block or edge.

use std::borrow::Borrow;

use cranelift_entity::{EntityRef, PrimaryMap};

use super::{table, Adjacency, Block, Graph};

/// An error in the successors and predecessors of a graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// The graph has no block.
    #[error("the graph has no block, and therefore no entry")]
    NoBlocks,
    /// The graph has more blocks than 32-bit block numbers allow.
    #[error("there are more than {} blocks", u32::MAX)]
    TooManyBlocks,
    /// The graph has more edges than 32-bit edge numbers allow.
    #[error("there are more than {} edges", u32::MAX)]
    TooManyEdges,
    /// The caller did not call [`Adjacency::end_row`] for the last row.
    #[error("the last row is not complete")]
    OpenRow,
    /// The number of successor rows differs from the number of predecessor rows.
    #[error("there are {successors} rows of successors, but {predecessors} rows of predecessors")]
    RowCounts {
        /// The number of rows of successors.
        successors: usize,
        /// The number of rows of predecessors.
        predecessors: usize,
    },
    /// An edge leads to a block that does not exist.
    #[error(
        "successor {place} of {block} is {successor}, which does not exist (number of blocks: {blocks})"
    )]
    NoSuchSuccessor {
        /// The source of the edge.
        block: Block,
        /// The index of the successor, from 0.
        place: usize,
        /// The target of the edge.
        successor: Block,
        /// The number of blocks.
        blocks: usize,
    },
    /// A predecessor is a block that does not exist.
    #[error(
        "predecessor {place} of {block} is {predecessor}, which does not exist (number of blocks: {blocks})"
    )]
    NoSuchPredecessor {
        /// The block with this predecessor.
        block: Block,
        /// The index of the predecessor, from 0.
        place: usize,
        /// The block that does not exist.
        predecessor: Block,
        /// The number of blocks.
        blocks: usize,
    },
    /// The list of a block's predecessors does not match the edges to the block.
    #[error(
        "edges from {predecessor} to {block}: {edges}, but {predecessor} is listed {listed} times as a predecessor"
    )]
    NotMirrored {
        /// The block with wrong predecessors.
        block: Block,
        /// The predecessor that is listed the wrong number of times.
        predecessor: Block,
        /// The number of edges from `predecessor` to `block`.
        edges: usize,
        /// How often the list of `block`'s predecessors contains `predecessor`.
        listed: usize,
    },
}

/// The maximum numbers of blocks and edges of a graph.
#[derive(Clone, Copy)]
struct Limits {
    blocks: usize,
    edges: usize,
}

/// The highest block number is `u32::MAX - 1`, because cranelift-entity reserves `u32::MAX`.
const LIMITS: Limits = Limits { blocks: u32::MAX as usize, edges: u32::MAX as usize };

impl Graph {
    /// Builds a graph from the successors of each block, in terminator order. The first block is the entry. The
    /// predecessors of a block are in the order of their edges.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no block, if a successor does not exist, or if there are too many blocks or edges.
    ///
    /// ```
    /// use bpa_cfg::{Block, Graph};
    /// use bpa_cfg::cranelift_entity::EntityRef;
    ///
    /// let lists = [vec![1, 2], vec![2], vec![]];
    /// let graph = Graph::from_successor_lists(lists.map(|list| list.into_iter().map(Block::new)))?;
    /// assert_eq!(graph.predecessors(Block::new(2)), [Block::new(0), Block::new(1)]);
    ///
    /// let error = Graph::from_successor_lists([[Block::new(3)]]).unwrap_err();
    /// assert_eq!(error.to_string(), "successor 0 of bb0 is bb3, which does not exist (number of blocks: 1)");
    /// # Ok::<(), bpa_cfg::GraphError>(())
    /// ```
    pub fn from_successor_lists<L, B>(lists: impl IntoIterator<Item = L>) -> Result<Self, GraphError>
    where
        L: IntoIterator<Item = B>,
        B: Borrow<Block>,
    {
        let successors = collect(lists, LIMITS)?;
        check_successors(&successors)?;
        Ok(Graph::from_successors(successors))
    }

    /// Builds a graph from successors and predecessors. Each block has one row of successors and one row of
    /// predecessors, and parallel edges are repeated in both rows. The graph keeps the given order of predecessors,
    /// because LLVM's rounding errors depend on this order. LLVM orders predecessors by the use list of the block.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no block, if the numbers of rows differ, or if a successor or predecessor does not
    /// exist. Also returns an error if successors and predecessors describe different edges.
    pub fn new(successors: Adjacency, predecessors: Adjacency) -> Result<Self, GraphError> {
        check_rows(&successors, &predecessors, LIMITS)?;
        check_successors(&successors)?;
        let graph = Graph::from_adjacency(successors, predecessors);
        graph.check()?;
        Ok(graph)
    }

    /// Checks that successors and predecessors describe the same edges, in any order.
    ///
    /// # Errors
    ///
    /// Returns an error if the edges differ, or if there is no block.
    pub fn check(&self) -> Result<(), GraphError> {
        if self.block_count() == 0 {
            return Err(GraphError::NoBlocks);
        }
        let mut mirror = Mirror::new(self.block_count());
        let edges = self.sources();
        self.blocks().try_for_each(|block| mirror.compare(block, edges.row(block), self.predecessors(block)))
    }

    /// The predecessors of each block, computed from the successors.
    fn sources(&self) -> Adjacency {
        let mut successors = Adjacency::with_capacity(self.block_count(), self.edge_count());
        for block in self.blocks() {
            self.successors(block).iter().for_each(|&target| successors.push(target));
            successors.end_row();
        }
        successors.transposed()
    }
}

/// Converts lists of blocks to an [`Adjacency`] with one row for each list.
fn collect<L, B>(lists: impl IntoIterator<Item = L>, limits: Limits) -> Result<Adjacency, GraphError>
where
    L: IntoIterator<Item = B>,
    B: Borrow<Block>,
{
    let mut rows = Adjacency::default();
    for list in lists {
        if rows.row_count() == limits.blocks {
            return Err(GraphError::TooManyBlocks);
        }
        for target in list {
            if rows.len() == limits.edges {
                return Err(GraphError::TooManyEdges);
            }
            rows.push(*target.borrow());
        }
        rows.end_row();
    }
    Ok(rows)
}

/// Checks that successors and predecessors have the same number of rows, and that all rows are complete. Also checks
/// that there are not too many blocks.
fn check_rows(successors: &Adjacency, predecessors: &Adjacency, limits: Limits) -> Result<(), GraphError> {
    if successors.row_count() != predecessors.row_count() {
        let [successors, predecessors] = [successors, predecessors].map(Adjacency::row_count);
        return Err(GraphError::RowCounts { successors, predecessors });
    }
    if !(successors.is_complete() && predecessors.is_complete()) {
        return Err(GraphError::OpenRow);
    }
    if successors.row_count() > limits.blocks {
        return Err(GraphError::TooManyBlocks);
    }
    Ok(())
}

/// Checks that there is an entry and that all successors exist.
fn check_successors(rows: &Adjacency) -> Result<(), GraphError> {
    let blocks = rows.row_count();
    if blocks == 0 {
        return Err(GraphError::NoBlocks);
    }
    for block in (0..blocks).map(Block::new) {
        for (place, &successor) in rows.row(block).iter().enumerate() {
            if successor.index() >= blocks {
                return Err(GraphError::NoSuchSuccessor { block, place, successor, blocks });
            }
        }
    }
    Ok(())
}

/// For a block, compares two multisets: the sources of the edges to the block, and the listed predecessors.
struct Mirror {
    /// How often each block occurs among the sources of edges and among the predecessors. All counts are 0 between two
    /// calls of `compare`.
    seen: PrimaryMap<Block, [usize; 2]>,
}

impl Mirror {
    fn new(blocks: usize) -> Self {
        Mirror { seen: table(blocks, [0; 2]) }
    }

    fn compare(&mut self, block: Block, sources: &[Block], predecessors: &[Block]) -> Result<(), GraphError> {
        let blocks = self.seen.len();
        if let Some(place) = predecessors.iter().position(|predecessor| predecessor.index() >= blocks) {
            let predecessor = predecessors[place];
            return Err(GraphError::NoSuchPredecessor { block, place, predecessor, blocks });
        }
        for (side, row) in [sources, predecessors].into_iter().enumerate() {
            row.iter().for_each(|&predecessor| self.seen[predecessor][side] += 1);
        }
        for &predecessor in sources.iter().chain(predecessors) {
            let [edges, listed] = std::mem::take(&mut self.seen[predecessor]);
            if edges != listed {
                return Err(GraphError::NotMirrored { block, predecessor, edges, listed });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
