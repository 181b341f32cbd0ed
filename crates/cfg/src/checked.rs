//! Graphs from data that may be wrong, with an error that says where.

use std::borrow::Borrow;

use cranelift_entity::{EntityRef, PrimaryMap};

use super::{table, Adjacency, Block, Graph};

/// Why some successors and predecessors are no graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// There is no block to start from.
    #[error("there is no block, not even an entry")]
    NoBlocks,
    /// Blocks are numbered with 32 bits.
    #[error("there are more than {} blocks", u32::MAX)]
    TooManyBlocks,
    /// And so are edges.
    #[error("there are more than {} edges", u32::MAX)]
    TooManyEdges,
    /// Blocks were added to a row that was not ended.
    #[error("the last row is not ended")]
    OpenRow,
    /// Some blocks have a row of successors and none of predecessors, or the other way round.
    #[error("{successors} blocks have successors, but {predecessors} have predecessors")]
    RowCounts {
        /// How many rows of successors there are.
        successors: usize,
        /// How many rows of predecessors there are.
        predecessors: usize,
    },
    /// An edge leads to a block that does not exist.
    #[error(
        "successor {place} of {block} is {successor}, which does not exist (number of blocks: {blocks})"
    )]
    NoSuchSuccessor {
        /// Where the edge begins.
        block: Block,
        /// Which of its successors it is, counted from 0.
        place: usize,
        /// Where the edge should lead.
        successor: Block,
        /// How many blocks there are.
        blocks: usize,
    },
    /// A predecessor is a block that does not exist.
    #[error(
        "predecessor {place} of {block} is {predecessor}, which does not exist (number of blocks: {blocks})"
    )]
    NoSuchPredecessor {
        /// Whose predecessor it is.
        block: Block,
        /// Which of its predecessors it is, counted from 0.
        place: usize,
        /// The block that does not exist.
        predecessor: Block,
        /// How many blocks there are.
        blocks: usize,
    },
    /// The predecessors of a block are not those that lead to it.
    #[error("{predecessor} leads to {block} {edges}x, and is {listed}x among its predecessors")]
    NotMirrored {
        /// Whose predecessors are wrong.
        block: Block,
        /// The predecessor that is there too often or not often enough.
        predecessor: Block,
        /// How many edges lead from there to `block`.
        edges: usize,
        /// How often it is among the predecessors of `block`.
        listed: usize,
    },
}

/// How much a graph can hold.
#[derive(Clone, Copy)]
struct Limits {
    blocks: usize,
    edges: usize,
}

/// The highest `u32` is no block's number, which leaves as many numbers as it says.
const LIMITS: Limits = Limits { blocks: u32::MAX as usize, edges: u32::MAX as usize };

impl Graph {
    /// Builds a graph from the successors of each block, the entry's first, each in the order of its terminator.
    /// Predecessors come in the order of their edges.
    ///
    /// # Errors
    ///
    /// If there is no block, if some successor does not exist, or if there is no number left for a block or an edge.
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

    /// Builds a graph from both sides of every edge: one row of successors and one of predecessors for each block,
    /// parallel edges repeated in both. The order of predecessors is kept: where it is LLVM's, that of uses, rounding
    /// errors go where LLVM's do.
    ///
    /// # Errors
    ///
    /// If there is no block, if there are not as many rows of one as of the other, if a successor or predecessor does
    /// not exist, or if the predecessors are not those that the successors say.
    pub fn new(successors: Adjacency, predecessors: Adjacency) -> Result<Self, GraphError> {
        check_rows(&successors, &predecessors, LIMITS)?;
        check_successors(&successors)?;
        let graph = Graph::from_adjacency(successors, predecessors);
        graph.check()?;
        Ok(graph)
    }

    /// Whether the predecessors of each block are those that the successors say, in whatever order.
    ///
    /// # Errors
    ///
    /// If they are not, or there is no block.
    pub fn check(&self) -> Result<(), GraphError> {
        if self.block_count() == 0 {
            return Err(GraphError::NoBlocks);
        }
        let mut mirror = Mirror::new(self.block_count());
        let edges = self.sources();
        self.blocks().try_for_each(|block| mirror.compare(block, edges.row(block), self.predecessors(block)))
    }

    /// The predecessors that the successors say.
    fn sources(&self) -> Adjacency {
        let mut successors = Adjacency::with_capacity(self.block_count(), self.edge_count());
        for block in self.blocks() {
            self.successors(block).iter().for_each(|&target| successors.push(target));
            successors.end_row();
        }
        successors.transposed()
    }
}

/// The adjacency that `lists` describe.
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

/// Whether there are as many rows of successors as of predecessors, all ended, and numbers for their blocks.
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

/// Whether there is an entry and all successors exist.
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

/// Compares the sources of edges to a block with the block's predecessors, each as often as it is there.
struct Mirror {
    /// How often each block was seen among the sources of edges and among predecessors: not at all between two blocks.
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
