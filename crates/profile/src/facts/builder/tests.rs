//! Tests that the builder accepts valid facts unchanged, and returns errors for invalid facts.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::cfg::test_support::{config, rows};
use crate::cfg::{parse_graph, Graph, GraphError};
use crate::facts::{FloatPredicate, WeightIndex};

const TESTED: Condition = Condition::Float { predicate: FloatPredicate::Ordered };

/// `a` ends in a branch, `b` in a jump, `c` in a switch, and `d` in a return.
fn four_blocks() -> (FunctionFactsBuilder, [Block; 4]) {
    let (graph, block) = parse_graph("a -> b c; b -> c; c -> a b d; d").expect("the text is a valid graph");
    (FunctionFacts::builder(graph), ["a", "b", "c", "d"].map(block))
}

/// Builds the facts of a function with four blocks, after `set` has changed the builder.
fn built(set: impl FnOnce(&mut FunctionFactsBuilder, [Block; 4])) -> Result<FunctionFacts, FactsError> {
    let (mut builder, blocks) = four_blocks();
    set(&mut builder, blocks);
    builder.build()
}

/// Calls `set`, which gives invalid facts to the builder. Returns the builder's error message.
fn error(set: impl FnOnce(&mut FunctionFactsBuilder, [Block; 4])) -> String {
    built(set).expect_err("the facts are invalid").to_string()
}

#[test]
fn valid_facts_are_kept() {
    let entries = EntryCount { count: 5, synthetic: true };
    let facts = built(|facts, [a, b, c, d]| {
        facts.condition(a, TESTED).compares_with_constant(a).other_profile(a).cold_call(b).exception_path(b);
        facts.terminator(c, Terminator::IndirectBranch).weights(c, &[7, 0, 8]);
        facts.unreachable(d).noreturn_call(d);
        facts.header_weight(c, 2).header_weight(a, 1).entry_count(entries);
    })
    .unwrap();
    let [a, b, c, d] = four_blocks().1;
    let has = |block: Block, properties: &[BlockProperties]| {
        let mut all = BlockProperties::default();
        properties.iter().for_each(|&property| all.add(property));
        facts.blocks[block].properties == all
    };
    assert!(has(a, &[BlockProperties::COMPARES_WITH_CONSTANT, BlockProperties::OTHER_PROFILE]));
    assert!(has(b, &[BlockProperties::COLD_CALL, BlockProperties::EXCEPTION_PATH]));
    assert!(has(c, &[]));
    assert!(has(d, &[BlockProperties::NEVER_COMPLETES, BlockProperties::NORETURN_CALL]));
    assert_eq!((facts.blocks[a].condition, facts.blocks[b].condition), (TESTED, Condition::Opaque));
    use Terminator::{Branch, IndirectBranch, Jump, Unreachable};
    let terminators = [a, b, c, d].map(|block| facts.blocks[block].terminator);
    assert_eq!(terminators, [Branch, Jump, IndirectBranch, Unreachable]);
    assert_eq!([a, c].map(|block| facts.weights(block)), [None, Some(&[7, 0, 8][..])]);
    assert_eq!([a, b, c].map(|block| facts.header_weight(block)), [Some(1), None, Some(2)]);
    assert_eq!(facts.entry_count, Some(entries));
}

/// One error for each kind of invalid fact. [`the_builder_accepts_exactly_the_valid_facts`] tests all other cases.
#[test]
fn errors_name_the_block_and_the_problem() {
    use Terminator::{Exceptional, Jump};
    assert_eq!(
        error(|f, [_, b, ..]| _ = f.terminator(b, Terminator::Branch)),
        "bb1 ends in Branch; the number of its successors cannot be 1"
    );
    assert_eq!(error(|f, [a, ..]| _ = f.weights(a, &[1])), "bb0 has 2 successors, but 1 weights");
    let of_jump = format!("bb1 has profile metadata, but its terminator is {Jump:?} (successors: 1)");
    assert_eq!(error(|f, [_, b, ..]| _ = f.weights(b, &[1])), of_jump);
    let of_exception =
        format!("bb0 has profile metadata, but its terminator is {Exceptional:?} (successors: 2)");
    assert_eq!(error(|f, [a, ..]| _ = f.terminator(a, Exceptional).weights(a, &[1, 2])), of_exception);
    let twice =
        |f: &mut FunctionFactsBuilder, [a, ..]: [Block; 4]| _ = f.weights(a, &[1, 2]).weights(a, &[1, 2]);
    assert_eq!(error(twice), "bb0 has branch weights already");
    assert_eq!(
        error(|f, [a, ..]| _ = f.weights(a, &[1, 2]).other_profile(a)),
        "bb0 has branch weights, and profile metadata of another kind"
    );
    assert_eq!(error(|f, [.., c, _]| _ = f.condition(c, TESTED)), "bb2 has a condition, but ends in Switch");
    assert_eq!(
        error(|f, [_, b, ..]| _ = f.deoptimizes(b)),
        "bb1 never completes, but its terminator is Jump"
    );
    assert_eq!(
        error(|f, [.., d]| _ = f.noreturn_call(d)),
        "bb3 contains a call that does not return, but lacks the property NEVER_COMPLETES"
    );
    assert_eq!(
        error(|f, [_, b, ..]| _ = f.header_weight(b, 1).header_weight(b, 1)),
        "bb1 has a loop header weight already"
    );
    // The first error is reported.
    let [fifth, sixth] = [4, 5].map(Block::from_u32);
    let missing = error(|f, [_, b, ..]| _ = f.deoptimizes(b).cold_call(fifth).cold_call(sixth));
    assert_eq!(missing, "bb4 does not exist (number of blocks: 4)");
}

/// Only facts that were created without a builder can violate these invariants.
#[test]
fn violations_in_facts_without_a_builder_are_found() {
    let faulty = |break_it: &dyn Fn(&mut FunctionFacts, [Block; 4])| {
        let mut facts = built(|facts, [a, ..]| _ = facts.weights(a, &[1, 2])).unwrap();
        break_it(&mut facts, four_blocks().1);
        facts.check().unwrap_err().to_string()
    };
    let blocks = faulty(&|facts, _| _ = facts.blocks.push(BlockFacts::default()));
    assert_eq!(blocks, "the facts have 5 blocks, but the graph has 4");
    let mirror = faulty(&|facts, [a, _, c, _]| {
        let mut graph = facts.graph.graph().clone();
        graph.predecessors_mut(c).fill(a);
        facts.graph = graph.into();
    });
    assert_eq!(mirror, "edges from bb0 to bb2: 1; entries of bb0 in the predecessors of bb2: 2");
    let pool = faulty(&|facts, _| facts.weight_pool.truncate(1));
    assert_eq!(pool, "the weights of bb0 begin at index 0, but the length of the pool is 1");
    let start = faulty(&|facts, [a, ..]| facts.blocks[a].weights = WeightIndex::from_u32(3).into());
    assert_eq!(start, "the weights of bb0 begin at index 3, but the length of the pool is 2");
    let completes = faulty(&|facts, [.., d]| facts.blocks[d].terminator = Terminator::Unreachable);
    assert_eq!(completes, "bb3 ends in Unreachable, but lacks the property NEVER_COMPLETES");
    let order = faulty(&|facts, [a, b, ..]| facts.header_weights = vec![(b, 1), (a, 1)]);
    assert_eq!(order, "the loop header weight of bb0 comes after the weight of bb1");
    let fifth = faulty(&|facts, _| facts.header_weights = vec![(Block::from_u32(4), 1)]);
    assert_eq!(fifth, "bb4 does not exist (number of blocks: 4)");
    assert_eq!(FunctionFacts::from(Graph::default()).check(), Err(FactsError::Graph(GraphError::NoBlocks)));
}

/// A call of a builder method that sets a fact.
#[derive(Clone, Debug)]
enum SetterCall {
    Terminator(Terminator),
    Condition(Condition),
    ComparesWithConstant,
    Deoptimizes,
    Noreturn,
    Cold,
    OtherProfile,
    Weights(Vec<u32>),
    HeaderWeight(u64),
}

fn setter_call() -> impl Strategy<Value = SetterCall> {
    use Terminator::*;
    let all = [Return, Jump, Branch, Switch, IndirectBranch, Invoke, CallBranch, Unreachable, Exceptional];
    prop_oneof![
        select(all.to_vec()).prop_map(SetterCall::Terminator),
        select(vec![Condition::Opaque, TESTED]).prop_map(SetterCall::Condition),
        Just(SetterCall::ComparesWithConstant),
        Just(SetterCall::Deoptimizes),
        Just(SetterCall::Noreturn),
        Just(SetterCall::Cold),
        Just(SetterCall::OtherProfile),
        vec(any::<u32>(), 0..4).prop_map(SetterCall::Weights),
        any::<u64>().prop_map(SetterCall::HeaderWeight),
    ]
}

/// A graph, and setter calls for its blocks and for blocks that do not exist.
fn setter_calls() -> impl Strategy<Value = (Vec<Vec<usize>>, Vec<(u32, SetterCall)>)> {
    rows(3).prop_flat_map(|rows| {
        let blocks = rows.len() as u32;
        let block = prop_oneof![30 => 0..blocks, 1 => Just(blocks)];
        (Just(rows), vec((block, setter_call()), 0..8))
    })
}

fn apply(facts: &mut FunctionFactsBuilder, block: Block, call: &SetterCall) {
    match call {
        SetterCall::Terminator(terminator) => facts.terminator(block, *terminator),
        SetterCall::Condition(condition) => facts.condition(block, *condition),
        SetterCall::ComparesWithConstant => facts.compares_with_constant(block),
        SetterCall::Deoptimizes => facts.deoptimizes(block),
        SetterCall::Noreturn => facts.noreturn_call(block),
        SetterCall::Cold => facts.cold_call(block),
        SetterCall::OtherProfile => facts.other_profile(block),
        SetterCall::Weights(weights) => facts.weights(block, weights),
        SetterCall::HeaderWeight(weight) => facts.header_weight(block, *weight),
    };
}

/// Whether `calls` is a valid list of setter calls for one block. `successors` is the number of the block's successors.
fn is_possible(calls: &[&SetterCall], successors: usize) -> bool {
    use Terminator::*;
    let count = |is: fn(&SetterCall) -> bool| calls.iter().filter(|call| is(call)).count();
    let last = |is: fn(&SetterCall) -> bool| calls.iter().rev().copied().find(|call| is(call));
    let terminator = match last(|call| matches!(call, SetterCall::Terminator(_))) {
        Some(SetterCall::Terminator(terminator)) => *terminator,
        _ => [Return, Jump, Branch, Switch][successors.min(3)],
    };
    let tests =
        matches!(last(|call| matches!(call, SetterCall::Condition(_))), Some(SetterCall::Condition(TESTED)))
            || count(|call| matches!(call, SetterCall::ComparesWithConstant)) > 0;
    let weights = count(|call| matches!(call, SetterCall::Weights(_)));
    let other = count(|call| matches!(call, SetterCall::OtherProfile)) > 0;
    let counts_fit = calls.iter().all(|call| match call {
        SetterCall::Weights(weights) => weights.len() == successors,
        _ => true,
    });
    let deoptimizes = count(|call| matches!(call, SetterCall::Deoptimizes)) > 0;
    let ends = matches!(terminator, Return | Unreachable);
    let has_choice =
        successors >= 2 && matches!(terminator, Branch | Switch | IndirectBranch | Invoke | CallBranch);
    let fits = match terminator {
        Return | Unreachable => successors == 0,
        Jump => successors == 1,
        Branch | Invoke => successors == 2,
        Switch | CallBranch => successors >= 1,
        IndirectBranch | Exceptional => true,
    };
    fits && counts_fit
        && (!tests || terminator == Branch)
        && weights + usize::from(other) <= 1
        && (weights == 0 && !other || has_choice)
        && (!deoptimizes || ends)
        && (count(|call| matches!(call, SetterCall::Noreturn)) == 0
            || deoptimizes
            || terminator == Unreachable)
        && count(|call| matches!(call, SetterCall::HeaderWeight(_))) <= 1
}

/// The block in the message of `error`.
fn named(error: &FactsError) -> Block {
    use FactsError::*;
    match *error {
        NoSuchBlock { block, .. }
        | SuccessorCount { block, .. }
        | NoChoice { block, .. }
        | WeightCount { block, .. }
        | WeightsTwice(block)
        | TwoProfiles(block)
        | NoTest { block, .. }
        | Completes { block, .. }
        | NoreturnCompletes(block)
        | HeaderWeightTwice(block) => block,
        ref other => panic!("a builder cannot cause this error: {other}"),
    }
}

proptest! {
    #![proptest_config(config())]

    /// The builder accepts the facts if all of them are valid. Otherwise, the error is about a block with an invalid
    /// fact.
    #[test]
    fn the_builder_accepts_exactly_the_valid_facts((rows, calls) in setter_calls()) {
        let graph = Graph::from_successor_lists(rows.iter().map(|row| row.iter().map(|&b| Block::from_u32(b as u32))));
        let mut facts = FunctionFacts::builder(graph.unwrap());
        calls.iter().for_each(|(block, call)| apply(&mut facts, Block::from_u32(*block), call));
        let wrong: BTreeSet<u32> = (0..=rows.len() as u32)
            .filter(|block| {
                let of_block = calls.iter().filter(|(called, _)| called == block);
                let of_block: Vec<&SetterCall> = of_block.map(|(_, call)| call).collect();
                match rows.get(*block as usize) {
                    Some(row) => !is_possible(&of_block, row.len()),
                    None => !of_block.is_empty(),
                }
            })
            .collect();
        match facts.build() {
            Ok(facts) => {
                prop_assert_eq!(facts.check(), Ok(()));
                prop_assert!(wrong.is_empty(), "the invalid facts of {:?} were not found", wrong);
            }
            Err(error) => {
                let is_named = wrong.contains(&named(&error).as_u32());
                prop_assert!(is_named, "the error names none of the invalid blocks {wrong:?}: {error}");
            }
        }
    }
}
