use proptest::prelude::*;

use super::super::naive;
use super::super::test_support::{config, from_picture, pictures};
use super::super::{Block, ControlFlow};

/// The sorted blocks of the loop whose header is the block `header`. If no loop has this header, the result is empty.
fn body(control_flow: &ControlFlow, header: Block) -> Vec<Block> {
    let forest = control_flow.loops();
    let natural = forest.loops().find(|&natural| forest.header(natural) == header);
    let mut members = natural.map(|natural| forest.members(natural).to_vec()).unwrap_or_default();
    members.sort();
    members
}

/// The outer loop contains all blocks of the inner loop. The entry block and the exit block are in neither loop.
#[test]
fn loops_nest() {
    let (_, control_flow, block) =
        from_picture("entry -> outer; outer -> inner; inner -> inner latch; latch -> outer exit; exit");
    let forest = control_flow.loops();
    assert_eq!(forest.count(), 2);
    let outer = forest.innermost(block("latch")).unwrap();
    let inner = forest.innermost(block("inner")).unwrap();
    assert_eq!((forest.header(outer), forest.header(inner)), (block("outer"), block("inner")));
    assert_eq!((forest.parent(outer), forest.parent(inner)), (None, Some(outer)));
    assert!(forest.contains(outer, inner) && !forest.contains(inner, outer));
    assert!(forest.contains(inner, inner));
    assert!(forest.contains_block(outer, block("inner")) && !forest.contains_block(inner, block("latch")));
    assert_eq!(body(&control_flow, block("outer")), ["outer", "inner", "latch"].map(&block));
    assert_eq!((forest.innermost(block("entry")), forest.innermost(block("exit"))), (None, None));
}

/// The loops `first` and `second` are inside the loop `outer`, and the loop `alone` is separate. Inner loops are
/// numbered directly after their outer loop. The blocks of a loop form one range. The blocks of inner loops are at
/// the end of this range.
#[test]
fn members_are_ranges_in_forest_order() {
    let (_, control_flow, block) = from_picture(
        "entry -> outer; outer -> first; first -> first second; second -> second latch;
         latch -> outer alone; alone -> alone exit; exit",
    );
    let forest = control_flow.loops();
    let headers: Vec<Block> = forest.loops().map(|natural| forest.header(natural)).collect();
    assert_eq!(headers, ["outer", "first", "second", "alone"].map(&block));
    let [outer, first, second, alone] =
        ["outer", "first", "second", "alone"].map(|header| forest.innermost(block(header)).unwrap());
    assert_eq!(forest.members(outer), ["outer", "latch", "first", "second"].map(&block));
    assert_eq!(forest.members(first), [block("first")]);
    assert_eq!(forest.members(second), [block("second")]);
    assert_eq!(forest.members(alone), [block("alone")]);
    assert!(!forest.contains(first, second) && !forest.contains(second, first));
    assert!(!forest.contains(outer, alone) && !forest.contains(alone, outer));
    assert_eq!(
        [first, second, alone].map(|natural| forest.parent(natural)),
        [Some(outer), Some(outer), None]
    );
}

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

/// A `continue` statement and the end of the body make two back edges to one header. The result is one loop with two
/// latches.
#[test]
fn latches_of_one_header_share_one_loop() {
    let (_, control_flow, block) = from_picture("entry -> h; h -> a b; a -> h; b -> h exit; exit");
    assert_eq!(control_flow.loops().count(), 1);
    assert_eq!(body(&control_flow, block("h")), ["h", "a", "b"].map(&block));
}

/// A short path from `a` and a longer path through `b` and `c` lead back to the same header. The two paths form one
/// loop, because they have the same header.
#[test]
fn a_shared_header_merges_loops() {
    let (_, control_flow, block) = from_picture("entry -> h; h -> a; a -> h b; b -> c; c -> h exit; exit");
    assert_eq!(control_flow.loops().count(), 1);
    assert_eq!(body(&control_flow, block("h")), ["h", "a", "b", "c"].map(&block));
}

/// The loop has an exit in the header `h` and an exit in the middle block `m`. The targets of both exits are outside
/// the loop.
#[test]
fn exits_are_outside_wherever_they_leave() {
    let (_, control_flow, block) =
        from_picture("entry -> h; h -> m end; m -> latch breaks; latch -> h; breaks -> end; end");
    assert_eq!(body(&control_flow, block("h")), ["h", "m", "latch"].map(&block));
    assert_eq!(control_flow.loops().innermost(block("breaks")), None);
}

/// A block with an edge to itself is a loop of one block.
#[test]
fn a_self_loop_is_a_loop_of_one_block() {
    let (_, control_flow, block) = from_picture("entry -> l; l -> l exit; exit");
    assert_eq!(control_flow.loops().count(), 1);
    assert_eq!(body(&control_flow, block("l")), [block("l")]);
}

/// The cycle of `a` and `b` has two entries, so it is not a natural loop. The block `n` in this cycle has an edge to
/// itself and is a natural loop.
#[test]
fn an_irreducible_cycle_is_not_a_loop_but_may_contain_loops() {
    let (_, control_flow, block) = from_picture("entry -> a b; a -> n; n -> n b; b -> a exit; exit");
    let forest = control_flow.loops();
    assert_eq!(forest.count(), 1);
    assert_eq!(body(&control_flow, block("n")), [block("n")]);
    assert_eq!(["a", "b"].map(|name| forest.innermost(block(name))), [None, None]);
}

/// The irreducible cycle of `a` and `b` is inside the loop of `h`. The innermost loop around `a` and `b` is the loop of
/// `h`.
#[test]
fn a_loop_may_contain_irreducible_cycles() {
    let (_, control_flow, block) =
        from_picture("entry -> h; h -> a b; a -> b; b -> a latch; latch -> h exit; exit");
    assert_eq!(control_flow.loops().count(), 1);
    assert_eq!(body(&control_flow, block("h")), ["h", "a", "b", "latch"].map(&block));
}

/// The unreachable block `dead` has edges to the middle of the loop, to the loop header and to `dead` itself. The block
/// `dead` is in no loop, does not form a loop, and does not make another loop irreducible.
#[test]
fn unreachable_blocks_are_in_no_loop() {
    let (_, control_flow, block) = from_picture("entry -> h; h -> m; m -> h exit; exit; dead -> h m dead");
    assert_eq!(control_flow.loops().count(), 1);
    assert_eq!(body(&control_flow, block("h")), ["h", "m"].map(&block));
    assert_eq!(control_flow.loops().innermost(block("dead")), None);
}

/// With four nested loops, the query `contains` is true for each loop and every loop inside it.
#[test]
fn a_loop_is_inside_all_loops_around_it() {
    let (_, control_flow, block) = from_picture(
        "entry -> a; a -> b; b -> c; c -> d; d -> d c2; c2 -> c b2; b2 -> b a2; a2 -> a exit; exit",
    );
    let forest = control_flow.loops();
    let nest = ["a", "b", "c", "d"].map(|header| forest.innermost(block(header)).unwrap());
    for (depth, &outer) in nest.iter().enumerate() {
        assert_eq!(forest.parent(outer), depth.checked_sub(1).map(|above| nest[above]));
        for (other_depth, &inner) in nest.iter().enumerate() {
            assert_eq!(forest.contains(outer, inner), depth <= other_depth);
        }
    }
    assert_eq!(forest.members(nest[1]), ["b", "b2", "c", "c2", "d"].map(&block));
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn loops_match_their_definition(picture in pictures()) {
        let (_, control_flow, _) = from_picture(&picture);
        naive::check_loops(&control_flow);
    }
}
