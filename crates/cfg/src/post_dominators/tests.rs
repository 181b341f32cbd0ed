use proptest::prelude::*;

use super::super::naive;
use super::super::test_support::{config, from_picture, pictures};

/// Asserts that the roots of `picture` are the blocks named in `expected`.
fn assert_roots(picture: &str, expected: &[&str]) {
    let (_, control_flow, block) = from_picture(picture);
    let mut roots = control_flow.post_dominators().roots().to_vec();
    roots.sort();
    let mut expected: Vec<_> = expected.iter().map(|name| block(name)).collect();
    expected.sort();
    assert_eq!(roots, expected, "{picture}");
}

/// Asserts that the block `above` is post-dominated by itself, by the blocks in `expected`, and by no other block.
fn assert_after(picture: &str, above: &str, expected: &[&str]) {
    let (graph, control_flow, block) = from_picture(picture);
    let expected: Vec<_> = expected.iter().map(|name| block(name)).collect();
    for below in graph.blocks().filter(|&below| below != block(above)) {
        let inevitable = control_flow.post_dominators().post_dominates(below, block(above));
        assert_eq!(inevitable, expected.contains(&below), "does {below} post-dominate {above}? {picture}");
    }
}

/// The edges of the tree lead from each block to its immediate post-dominator.
#[test]
fn the_tree_is_a_graph_from_blocks_to_their_post_dominators() {
    let (_, control_flow, block) =
        from_picture("entry -> left right; left -> end; right -> end; end; dead -> dead");
    let tree = control_flow.post_dominators().tree();
    let [entry, left, right, end, dead] = ["entry", "left", "right", "end", "dead"].map(block);
    assert_eq!([entry, left, right].map(|block| tree.successors(block)), [[end]; 3]);
    assert_eq!([end, dead].map(|block| tree.successors(block).len()), [0; 2]);
    assert_eq!(tree.predecessors(end), [entry, left, right]);
    assert_eq!(control_flow.post_dominators().children(end), [entry, left, right]);
    assert!(control_flow.post_dominators().children_of_exit().eq([end, dead]));
}

/// The blocks `a` and `b` both reach the block `join`. The nearest common post-dominator of the early exit and another
/// block is the virtual exit.
#[test]
fn the_nearest_common_post_dominator_is_the_first_common_block_of_all_paths() {
    let (_, control_flow, block) =
        from_picture("entry -> test early; early; test -> a b; a -> join; b -> join; join -> end; end");
    let nearest = |one, other| control_flow.post_dominators().nearest_common(block(one), block(other));
    assert_eq!(nearest("a", "b"), Some(block("join")));
    assert_eq!(nearest("a", "join"), Some(block("join")));
    assert_eq!(nearest("test", "end"), Some(block("end")));
    assert_eq!(nearest("a", "a"), Some(block("a")));
    assert_eq!((nearest("a", "early"), nearest("entry", "test")), (None, None));
}

/// The function is an if-else. The block `end` post-dominates all blocks. The blocks `left` and `right` post-dominate
/// only themselves.
#[test]
fn the_end_of_a_diamond_post_dominates_all() {
    let diamond = "entry -> left right; left -> end; right -> end; end";
    assert_after(diamond, "entry", &["end"]);
    assert_after(diamond, "left", &["end"]);
    assert_after(diamond, "end", &[]);
    let (_, control_flow, block) = from_picture(diamond);
    assert!(control_flow.post_dominators().post_dominates(block("left"), block("left")));
}

/// If a branch leads to two exits, neither exit post-dominates the branch.
#[test]
fn with_several_exits_none_post_dominates() {
    let picture = "entry -> test; test -> early late; early; late -> last; last";
    assert_roots(picture, &["early", "last"]);
    assert_after(picture, "entry", &["test"]);
    assert_after(picture, "test", &[]);
    assert_after(picture, "late", &["last"]);
}

/// In a loop with an exit, every path to the exit contains the header. Some of these paths do not contain the body.
#[test]
fn the_body_of_a_loop_post_dominates_only_itself() {
    let picture = "entry -> header; header -> body exit; body -> header; exit";
    assert_after(picture, "entry", &["header", "exit"]);
    assert_after(picture, "body", &["header", "exit"]);
}

/// After `entry`, the blocks `a` and `b` form an infinite loop. The walk from the entry visits `a` and ends at `b`, so
/// `b` becomes the root.
#[test]
fn the_root_of_an_infinite_loop_is_the_end_of_the_walk() {
    let picture = "entry -> a; a -> b; b -> a";
    assert_roots(picture, &["b"]);
    assert_after(picture, "entry", &["a", "b"]);
    assert_after(picture, "a", &["b"]);
    assert_after(picture, "b", &[]);
}

/// In a function with an infinite loop, the exit does not post-dominate the entry.
#[test]
fn an_infinite_loop_has_a_root() {
    let picture = "entry -> forever exit; forever -> forever; exit";
    assert_roots(picture, &["exit", "forever"]);
    assert_after(picture, "entry", &[]);
}

/// Two separate infinite loops have one root each.
#[test]
fn disjoint_infinite_loops_have_a_root_each() {
    let picture = "entry -> a c; a -> b; b -> a; c -> d; d -> c";
    // The walk from the entry visits `c` and `d` before `a` and `b`, because `c` is later in layout order than `a`.
    // The walk ends at `b`, so `b` is a root. The blocks `c` and `d` do not reach `b`. A second walk from `c` ends at
    // `d`, so `d` is also a root.
    assert_roots(picture, &["b", "d"]);
    assert_after(picture, "entry", &[]);
    assert_after(picture, "c", &["d"]);
}

/// The infinite loop of `a` and `b` reaches the infinite loop of `c` and `d`. The walk from the entry visits `c` and
/// `d` first and ends at `b`. The block `b` reaches the root `d`, so `b` is not a root.
#[test]
fn a_root_that_reaches_another_root_is_redundant() {
    let picture = "entry -> a; a -> b c; b -> a; c -> d; d -> c";
    assert_roots(picture, &["d"]);
    assert_after(picture, "b", &["a", "c", "d"]);
    assert_after(picture, "a", &["c", "d"]);
}

/// The loop of `a` and `b` reaches the loop of `c` and `d`. The loop of `c` and `d` reaches the loop of `e` and `f`.
/// The first walk starts at the entry and ends at `b`. The second walk starts at `c` and ends at `d`. The third walk
/// starts at `e` and ends at `f`. Therefore `b`, `d` and `f` are candidates for roots. `b` and `d` reach other
/// candidates, but `f` does not.
#[test]
fn redundant_roots_may_reach_each_other() {
    let picture = "entry -> a; a -> b c; b -> a; c -> d e; d -> c; e -> f; f -> e";
    assert_roots(picture, &["f"]);
    assert_after(picture, "b", &["a", "c", "e", "f"]);
}

/// A loop that reaches the exit needs no root, even if the path to the exit is long.
#[test]
fn a_loop_that_reaches_the_exit_gets_no_root() {
    assert_roots("entry -> a; a -> b; b -> a c; c -> b d; d", &["d"]);
}

/// Both `b` and `c` have an edge to `a`. Of `b` and `c`, the walk first visits the block that is later in layout order.
/// The walk ends at the other block. The order of the successors of `a` has no effect.
#[test]
fn the_walk_visits_the_last_successor_in_layout_order_first() {
    assert_roots("a -> b c; b -> a; c -> a", &["b"]);
    assert_roots("a -> c b; b -> a; c -> a", &["b"]);
    assert_roots("a -> b c; c -> a; b -> a", &["c"]);
    let picture = "a -> b c; b -> a; c -> a";
    assert_after(picture, "c", &["a", "b"]);
    assert_after(picture, "b", &[]);
}

/// The walk starts at the first block in layout order, which is the entry in this test. The walk therefore ends at the
/// last block of the ring.
#[test]
fn the_walk_starts_at_the_first_block_in_layout_order() {
    assert_roots("a -> b; b -> c; c -> a", &["c"]);
    assert_roots("a -> c; b -> a; c -> b", &["b"]);
}

/// The path from `a` to `e` has three edges, and the path from `a` to `b` has one edge. The walk visits `a`, `c`, `d`,
/// `e`, `b` in this order. The last visited block, `b`, becomes the root.
#[test]
fn the_root_is_the_last_numbered_not_the_furthest_away() {
    assert_roots("a -> b c; b -> a; c -> d; d -> e; e -> a", &["b"]);
}

/// Unreachable blocks also have post-dominators. Unreachable blocks can be exits, and unreachable infinite loops have
/// roots.
#[test]
fn unreachable_blocks_have_post_dominators() {
    let picture = "entry -> end; dead -> end; end; dead_loop -> dead_loop";
    assert_roots(picture, &["end", "dead_loop"]);
    assert_after(picture, "dead", &["end"]);
    assert_after(picture, "dead_loop", &[]);
    assert_after(picture, "entry", &["end"]);
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_post_dominator_cannot_be_avoided(picture in pictures()) {
        let (_, control_flow, _) = from_picture(&picture);
        naive::check_post_dominators(&control_flow);
    }

    /// If a successor of a block post-dominates the block, the successor is the immediate post-dominator or the block
    /// itself.
    #[test]
    fn a_successor_that_post_dominates_is_the_nearest(picture in pictures()) {
        let (graph, control_flow, _) = from_picture(&picture);
        let tree = control_flow.post_dominators();
        for block in graph.blocks() {
            for &target in graph.successors(block) {
                let is_nearest = target == block || tree.ipdom(block) == Some(target);
                prop_assert_eq!(tree.post_dominates(target, block), is_nearest);
            }
        }
    }
}
