//! Tests that errors name the invalid block or edge.

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
    assert_eq!(error.to_string(), "successor 1 of bb1 is bb2, which does not exist (number of blocks: 2)");
    assert_eq!(Graph::new(rows(&[&[1], &[0, 2]]), rows(&[&[1], &[0]])).unwrap_err(), error);
}

#[test]
fn a_predecessor_that_does_not_exist_is_named() {
    let [successors, _] = both_directions();
    let error = Graph::new(successors, rows(&[&[], &[0], &[1, 0, 3]])).unwrap_err();
    assert_eq!(error.to_string(), "predecessor 2 of bb2 is bb3, which does not exist (number of blocks: 3)");
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
