use proptest::prelude::*;

use super::super::naive;
use super::super::test_support::{config, drawn, pictures};

/// Asserts that the roots of `picture` are the blocks named in `expected`.
fn assert_roots(picture: &str, expected: &[&str]) {
    let (_, control_flow, block) = drawn(picture);
    let mut roots = control_flow.post_dominators().roots().to_vec();
    roots.sort();
    let mut expected: Vec<_> = expected.iter().map(|name| block(name)).collect();
    expected.sort();
    assert_eq!(roots, expected, "{picture}");
}

/// Asserts of `picture` which blocks post-dominate `above`, besides itself.
fn assert_after(picture: &str, above: &str, expected: &[&str]) {
    let (graph, control_flow, block) = drawn(picture);
    let expected: Vec<_> = expected.iter().map(|name| block(name)).collect();
    for below in graph.blocks().filter(|&below| below != block(above)) {
        let inevitable = control_flow.post_dominators().post_dominates(below, block(above));
        assert_eq!(inevitable, expected.contains(&below), "{below} after {above}: {picture}");
    }
}

/// Edges of the tree lead from each block to the one that comes after it for certain, and first.
#[test]
fn the_tree_is_a_graph_with_the_ends_on_top() {
    let (_, control_flow, block) = drawn("entry -> left right; left -> end; right -> end; end; dead -> dead");
    let tree = control_flow.post_dominators().tree();
    let [entry, left, right, end, dead] = ["entry", "left", "right", "end", "dead"].map(block);
    assert_eq!([entry, left, right].map(|block| tree.successors(block)), [[end]; 3]);
    assert_eq!([end, dead].map(|block| tree.successors(block).len()), [0; 2]);
    assert_eq!(tree.predecessors(end), [entry, left, right]);
    assert_eq!(control_flow.post_dominators().children(end), [entry, left, right]);
    assert!(control_flow.post_dominators().children_of_exit().eq([end, dead]));
}

/// Both arms go on to the join; what returns early meets the rest at the virtual exit alone.
#[test]
fn two_blocks_meet_where_their_paths_first_do() {
    let (_, control_flow, block) =
        drawn("entry -> test early; early; test -> a b; a -> join; b -> join; join -> end; end");
    let nearest = |one, other| control_flow.post_dominators().nearest_common(block(one), block(other));
    assert_eq!(nearest("a", "b"), Some(block("join")));
    assert_eq!(nearest("a", "join"), Some(block("join")));
    assert_eq!(nearest("test", "end"), Some(block("end")));
    assert_eq!(nearest("a", "a"), Some(block("a")));
    assert_eq!((nearest("a", "early"), nearest("entry", "test")), (None, None));
}

/// A diamond read backwards: the end is inevitable from everywhere, an arm only from itself.
#[test]
fn the_end_of_a_diamond_post_dominates_all() {
    let diamond = "entry -> left right; left -> end; right -> end; end";
    assert_after(diamond, "entry", &["end"]);
    assert_after(diamond, "left", &["end"]);
    assert_after(diamond, "end", &[]);
    let (_, control_flow, block) = drawn(diamond);
    assert!(control_flow.post_dominators().post_dominates(block("left"), block("left")));
}

/// Two ways to return: from the branch between them neither is inevitable.
#[test]
fn with_several_exits_none_post_dominates() {
    let picture = "entry -> test; test -> early late; early; late -> last; last";
    assert_roots(picture, &["early", "last"]);
    assert_after(picture, "entry", &["test"]);
    assert_after(picture, "test", &[]);
    assert_after(picture, "late", &["last"]);
}

/// A loop that can be left: its header is passed on the way out, its body need not be.
#[test]
fn the_body_of_a_loop_is_not_inevitable() {
    let picture = "entry -> header; header -> body exit; body -> header; exit";
    assert_after(picture, "entry", &["header", "exit"]);
    assert_after(picture, "body", &["header", "exit"]);
}

/// entry -> a <-> b forever. From the entry the walk goes to a and ends at b: b becomes the root, as if
/// execution ended there.
#[test]
fn an_infinite_loop_ends_where_the_walk_through_it_does() {
    let picture = "entry -> a; a -> b; b -> a";
    assert_roots(picture, &["b"]);
    assert_after(picture, "entry", &["a", "b"]);
    assert_after(picture, "a", &["b"]);
    assert_after(picture, "b", &[]);
}

/// A way to return beside an infinite loop: that the loop is never left does not make the return inevitable.
#[test]
fn an_infinite_loop_has_a_root() {
    let picture = "entry -> forever exit; forever -> forever; exit";
    assert_roots(picture, &["exit", "forever"]);
    assert_after(picture, "entry", &[]);
}

/// Two infinite loops apart from each other have a root each.
#[test]
fn disjoint_infinite_loops_have_a_root_each() {
    let picture = "entry -> a c; a -> b; b -> a; c -> d; d -> c";
    // From the entry: c and d, the later branch, then a and b. The last is b. Of what is left, d ends c -> d.
    assert_roots(picture, &["b", "d"]);
    assert_after(picture, "entry", &[]);
    assert_after(picture, "c", &["d"]);
}

/// One infinite loop leads on into another. The walk from the entry goes to c and d first and ends at b, but
/// b reaches the root d, and is none for that.
#[test]
fn a_root_that_leads_on_to_another_is_redundant() {
    let picture = "entry -> a; a -> b c; b -> a; c -> d; d -> c";
    assert_roots(picture, &["d"]);
    assert_after(picture, "b", &["a", "c", "d"]);
    assert_after(picture, "a", &["c", "d"]);
}

/// Redundant twice over: the loop {a, b} leads to {c, d}, and that one to {e, f}. Each time the walk takes the
/// way on before it ends in the loop it came from: roots are b, d and f, and f alone leads nowhere.
#[test]
fn redundant_roots_may_lead_through_each_other() {
    let picture = "entry -> a; a -> b c; b -> a; c -> d e; d -> c; e -> f; f -> e";
    assert_roots(picture, &["f"]);
    assert_after(picture, "b", &["a", "c", "e", "f"]);
}

/// A loop that leads to the exit needs no root, however little it looks like leaving.
#[test]
fn what_can_return_gets_no_root() {
    assert_roots("entry -> a; a -> b; b -> a c; c -> b d; d", &["d"]);
}

/// Both b and c turn back to a. The walk takes the later block first and so ends at the earlier one; which of
/// them that is, the layout says, and not the order of a's successors.
#[test]
fn the_walk_takes_the_last_in_layout_order_first() {
    assert_roots("a -> b c; b -> a; c -> a", &["b"]);
    assert_roots("a -> c b; b -> a; c -> a", &["b"]);
    assert_roots("a -> b c; c -> a; b -> a", &["c"]);
    let picture = "a -> b c; b -> a; c -> a";
    assert_after(picture, "c", &["a", "b"]);
    assert_after(picture, "b", &[]);
}

/// Where the walk starts matters as well: at the first block in layout order, which is the entry here, so
/// that it ends at the far side of the ring and not at the entry.
#[test]
fn the_walk_starts_at_the_first_block_in_layout_order() {
    assert_roots("a -> b; b -> c; c -> a", &["c"]);
    assert_roots("a -> c; b -> a; c -> b", &["b"]);
}

/// e is three steps away from a and b one. Still the walk, which goes a, c, d, e, b, numbers b last.
#[test]
fn the_root_is_the_last_numbered_not_the_furthest_away() {
    assert_roots("a -> b c; b -> a; c -> d; d -> e; e -> a", &["b"]);
}

/// Blocks that never run take part: dead ends somewhere too, and may need a root.
#[test]
fn blocks_that_never_run_have_post_dominators() {
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
        let (_, control_flow, _) = drawn(&picture);
        naive::check_post_dominators(&control_flow);
    }
}
