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
    /// The number of successor rows differs from the number of predecessor rows.
    #[error("there are {successors} rows of successors, but {predecessors} rows of predecessors")]
    RowCounts {
        /// The number of rows in the adjacency list of successors.
        successors: usize,
        /// The number of rows in the adjacency list of predecessors.
        predecessors: usize,
    },
    /// A block has a successor or predecessor that does not exist.
    #[error("{list} {place} of {block} is {neighbour}, which does not exist (number of blocks: {blocks})")]
    NoSuchNeighbour {
        /// The block that has a successor or predecessor that does not exist.
        block: Block,
        /// The word `successor` or `predecessor`.
        list: &'static str,
        /// The index of the successor or predecessor, from 0.
        place: usize,
        /// The successor or predecessor that does not exist.
        neighbour: Block,
        /// The number of blocks.
        blocks: usize,
    },
    /// The list of a block's predecessors does not match the edges to the block.
    #[error(
        "edges from {predecessor} to {block}: {edges}; entries of {predecessor} in the predecessors of {block}: {listed}"
    )]
    NotMirrored {
        /// The block with wrong predecessors.
        block: Block,
        /// The predecessor that occurs too often or too rarely in the block's list of predecessors.
        predecessor: Block,
        /// The number of edges from `predecessor` to `block`.
        edges: usize,
        /// How often the list of `block`'s predecessors contains `predecessor`.
        listed: usize,
    },
}

impl Graph {
    /// Builds a graph from the successors of each block, in terminator order. The first block is the entry. The
    /// predecessors of a block are in the reverse order of their edges. LLVM has the same order after it reads a module
    /// from a file. If blocks or edges are listed in another order than in LLVM, use [`Graph::new`].
    ///
    /// # Errors
    ///
    /// Returns an error if there is no block, or if a successor does not exist.
    ///
    /// # Panics
    ///
    /// Panics if the number of blocks or the number of edges is 2^32 or more.
    ///
    /// ```
    /// use bpa_cfg::{Block, Graph};
    /// use bpa_cfg::cranelift_entity::EntityRef;
    ///
    /// let lists = [vec![1, 2], vec![2], vec![]];
    /// let graph = Graph::from_successor_lists(lists.map(|list| list.into_iter().map(Block::new)))?;
    /// assert_eq!(graph.predecessors(Block::new(2)), [Block::new(1), Block::new(0)]);
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
        let mut successors = Adjacency::default();
        for list in lists {
            list.into_iter().for_each(|target| successors.push(*target.borrow()));
            successors.end_row();
        }
        check_successors(&successors)?;
        Ok(Graph::from_successors(successors))
    }

    /// Builds a graph from successors and predecessors. Each block has one row of successors and one row of
    /// predecessors, and parallel edges are repeated in both rows. The graph does not sort the predecessors,
    /// because LLVM's results depend on their order: rounding errors and, if several rules compete, probabilities. LLVM
    /// orders predecessors by the use list of the block.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no block, if the numbers of rows differ, or if a successor or predecessor does not
    /// exist. Also returns an error if successors and predecessors describe different edges.
    ///
    /// # Panics
    ///
    /// Panics if the last row of the successors or predecessors is not complete: see [`Adjacency::end_row`].
    pub fn new(successors: Adjacency, predecessors: Adjacency) -> Result<Self, GraphError> {
        assert!(successors.is_complete() && predecessors.is_complete(), "the last row is not complete");
        if successors.row_count() != predecessors.row_count() {
            let [successors, predecessors] = [successors, predecessors].map(|rows| rows.row_count());
            return Err(GraphError::RowCounts { successors, predecessors });
        }
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
        let blocks = self.block_count();
        if blocks == 0 {
            return Err(GraphError::NoBlocks);
        }
        let sources = self.sources();
        // For each block, two numbers: the number of its edges to the current block, and the number of its occurrences
        // in the current block's list of predecessors.
        let mut seen: PrimaryMap<Block, [usize; 2]> = table(blocks, [0; 2]);
        for block in self.blocks() {
            let rows = [sources.row(block), self.predecessors(block)];
            check_exist("predecessor", block, rows[1], blocks)?;
            for (side, row) in rows.into_iter().enumerate() {
                row.iter().for_each(|&predecessor| seen[predecessor][side] += 1);
            }
            for &predecessor in rows.into_iter().flatten() {
                let [edges, listed] = std::mem::take(&mut seen[predecessor]);
                if edges != listed {
                    return Err(GraphError::NotMirrored { block, predecessor, edges, listed });
                }
            }
        }
        Ok(())
    }
}

/// Checks that there is an entry and that all successors exist.
fn check_successors(rows: &Adjacency) -> Result<(), GraphError> {
    let blocks = rows.row_count();
    if blocks == 0 {
        return Err(GraphError::NoBlocks);
    }
    (0..blocks).map(Block::new).try_for_each(|block| check_exist("successor", block, rows.row(block), blocks))
}

/// Checks that all blocks of `row` exist. The row has the successors or predecessors of `block`.
fn check_exist(list: &'static str, block: Block, row: &[Block], blocks: usize) -> Result<(), GraphError> {
    match row.iter().position(|neighbour| neighbour.index() >= blocks) {
        Some(place) => Err(GraphError::NoSuchNeighbour { block, list, place, neighbour: row[place], blocks }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::super::test_support::{config, rows as any_rows};
    use super::*;

    fn rows(lists: &[&[usize]]) -> Adjacency {
        let mut rows = Adjacency::default();
        for list in lists {
            list.iter().for_each(|&block| rows.push(Block::new(block)));
            rows.end_row();
        }
        rows
    }

    /// The successors and the predecessors of `a -> b c; b -> c c; c`.
    fn both_directions() -> [Adjacency; 2] {
        [rows(&[&[1, 2], &[2, 2], &[]]), rows(&[&[], &[0], &[1, 0, 1]])]
    }

    /// In this test, as in LLVM, predecessors are not in the order of edges. The graph keeps the order of predecessors.
    #[test]
    fn predecessors_keep_the_given_order() {
        let [successors, predecessors] = both_directions();
        let graph = Graph::new(successors, predecessors).expect("mirrored");
        assert_eq!(graph.predecessors(Block::new(2)), [1, 0, 1].map(Block::new));
    }

    #[test]
    fn a_graph_has_an_entry() {
        let none: [[Block; 0]; 0] = [];
        assert_eq!(Graph::from_successor_lists(none).unwrap_err(), GraphError::NoBlocks);
        assert_eq!(Graph::new(rows(&[]), rows(&[])).unwrap_err(), GraphError::NoBlocks);
        assert_eq!(Graph::default().check(), Err(GraphError::NoBlocks));
        assert_eq!(GraphError::NoBlocks.to_string(), "the graph has no block, and therefore no entry");
    }

    #[test]
    fn a_successor_that_does_not_exist_is_named() {
        let error =
            Graph::from_successor_lists([vec![Block::new(1)], [0, 2].map(Block::new).to_vec()]).unwrap_err();
        let [block, neighbour] = [1, 2].map(Block::new);
        assert_eq!(
            error,
            GraphError::NoSuchNeighbour { block, list: "successor", place: 1, neighbour, blocks: 2 }
        );
        assert_eq!(
            error.to_string(),
            "successor 1 of bb1 is bb2, which does not exist (number of blocks: 2)"
        );
        assert_eq!(Graph::new(rows(&[&[1], &[0, 2]]), rows(&[&[1], &[0]])).unwrap_err(), error);
    }

    #[test]
    fn a_predecessor_that_does_not_exist_is_named() {
        let [successors, _] = both_directions();
        let error = Graph::new(successors, rows(&[&[], &[0], &[1, 0, 3]])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "predecessor 2 of bb2 is bb3, which does not exist (number of blocks: 3)"
        );
    }

    #[test]
    fn predecessors_must_match_successors() {
        let refused =
            |predecessors| Graph::new(both_directions()[0].clone(), predecessors).unwrap_err().to_string();
        let missing = "edges from bb1 to bb2: 2; entries of bb1 in the predecessors of bb2: 1";
        assert_eq!(refused(rows(&[&[], &[0], &[1, 0]])), missing);
        let doubled = "edges from bb0 to bb2: 1; entries of bb0 in the predecessors of bb2: 2";
        assert_eq!(refused(rows(&[&[], &[0], &[1, 0, 0]])), doubled);
        let stray = "edges from bb2 to bb0: 0; entries of bb2 in the predecessors of bb0: 1";
        assert_eq!(refused(rows(&[&[2], &[0], &[1, 0, 1]])), stray);
    }

    #[test]
    fn unequal_numbers_of_rows_are_an_error() {
        let [successors, _] = both_directions();
        let error = Graph::new(successors, rows(&[&[], &[0]])).unwrap_err();
        assert_eq!(error, GraphError::RowCounts { successors: 3, predecessors: 2 });
        assert_eq!(error.to_string(), "there are 3 rows of successors, but 2 rows of predecessors");
    }

    #[test]
    #[should_panic(expected = "the last row is not complete")]
    fn all_rows_must_be_complete() {
        let [successors, mut predecessors] = both_directions();
        predecessors.push(Block::new(0));
        let _ = Graph::new(successors, predecessors);
    }

    proptest! {
        #![proptest_config(config())]

        /// If all successors exist, `from_successor_lists` and `from_successors` build equal graphs.
        #[test]
        fn lists_and_rows_give_equal_graphs(lists in any_rows(24)) {
            let blocks = lists.iter().map(|list| list.iter().copied().map(Block::new));
            let graph = Graph::from_successor_lists(blocks).unwrap();
            let lists: Vec<&[usize]> = lists.iter().map(Vec::as_slice).collect();
            let expected = Graph::from_successors(rows(&lists));
            prop_assert_eq!(graph.check(), Ok(()));
            for block in graph.blocks() {
                prop_assert_eq!(graph.successors(block), expected.successors(block));
                prop_assert_eq!(graph.predecessors(block), expected.predecessors(block));
            }
        }

        /// A graph is valid for any order of predecessors, and invalid if one predecessor is replaced.
        #[test]
        fn one_wrong_predecessor_is_found(lists in any_rows(24), which in any::<Index>(), other in any::<Index>()) {
            let lists: Vec<&[usize]> = lists.iter().map(Vec::as_slice).collect();
            let mut graph = Graph::from_successors(rows(&lists));
            graph.blocks().for_each(|block| graph.predecessors_mut(block).reverse());
            prop_assert_eq!(graph.check(), Ok(()));
            prop_assume!(graph.edge_count() > 0);
            let entered: Vec<Block> = graph.blocks().filter(|&block| !graph.predecessors(block).is_empty()).collect();
            let block = entered[which.index(entered.len())];
            let right = graph.predecessors(block)[0];
            let wrong = Block::new(other.index(graph.block_count()));
            prop_assume!(wrong != right);
            graph.predecessors_mut(block)[0] = wrong;
            match graph.check() {
                Err(GraphError::NotMirrored { block: found, predecessor, edges, listed }) => {
                    prop_assert_eq!(found, block);
                    prop_assert_eq!(edges.abs_diff(listed), 1);
                    prop_assert!(predecessor == right || predecessor == wrong);
                }
                other => prop_assert!(false, "{:?}", other),
            }
        }
    }
}
