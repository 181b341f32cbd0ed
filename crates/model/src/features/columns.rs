//! The columns of the features of branches.

use super::column::{are_called, columns};
use super::names::{
    BLOCK_COUNT, BLOCK_START, BRANCH_COUNT, BRANCH_NAMES, DECISION_COUNT, SIDE_COUNT, SIDE_NAMES, TEST_COUNT,
};
use super::tested::Test;
use super::view::{SuccessorEdges, View};
use super::MOST;
use bpa_profile::bpi::Rule;
use bpa_profile::cfg::Block;
use bpa_profile::facts::{BlockProperties, Terminator};
use bpa_profile::rules::RuleSet;

const _: () = {
    assert!(TEST_COUNT + DECISION_COUNT + BLOCK_COUNT == BRANCH_COUNT);
    assert!(are_called(&TEST_COLUMNS, &BRANCH_NAMES, 0));
    assert!(are_called(&DECISION_COLUMNS, &BRANCH_NAMES, TEST_COUNT));
    assert!(are_called(&BLOCK_COLUMNS, &BRANCH_NAMES, BLOCK_START));
    assert!(are_called(&SIDE_COLUMNS, &SIDE_NAMES, 0));
};

columns! {
    /// The features of the test of a branch. Without a test, all features are 0.
    TEST_COLUMNS: fn test_values(test: &Test) -> [i32; TEST_COUNT];

    "test" => test.kind as i32,
    "predicate" => test.predicate.map_or(0, |predicate| predicate as i32),
    "bits" => capped(test.bits),
    "left" => test.left as i32,
    "base" => test.base as i32,
    "right" => test.right as i32,
    "constant" => test.constant.map_or(0, |kind| kind as i32),
    "magnitude" => capped(test.magnitude),
    "mask_bits" => capped(test.mask_bits),
    "library" => test.library as i32,
    "turns" => capped(test.turns),
}

columns! {
    /// The features of a branch that selects do not have.
    DECISION_COLUMNS: fn decision_values(view: &View<'_>, block: Block) -> [i32; DECISION_COUNT];

    "same_tests_above" => capped(view.same_tests_above(block)),
    // The prediction of LLVM's rules.
    "rule" => view.profile.rule(block).map_or(0, rule_number),
    "terminator" => terminator_number(view, block),
    "targets" => capped(view.graph().successors(block).len()),
}

columns! {
    /// The features of the block, the loop and the function of a branch or select.
    BLOCK_COLUMNS: fn block_values(view: &View<'_>, block: Block) -> [i32; BLOCK_COUNT];

    // The block.
    "instructions" => capped(view.block(block).instructions),
    "calls" => capped(view.block(block).calls),
    "loads" => capped(view.block(block).loads),
    "stores" => capped(view.block(block).stores),
    "phis" => capped(view.block(block).phis),
    "predecessors" => capped(view.graph().predecessors(block).len()),
    "region_blocks" => capped(view.regions[block].blocks),
    "place" => place(view, block),
    // The innermost loop around the block.
    "depth" => capped(view.depth(block)),
    "is_header" => view.is_header(block).into(),
    "loop_blocks" => loop_blocks(view, block),
    "loop_exits" => view.around(block).map_or(0, |l| capped(view.exits[l])),
    "loop_calls" => header_region(view, block, |region| region.calls),
    "inner_loops" => header_region(view, block, |region| region.loops),
    // The function.
    "function_blocks" => capped(view.whole.blocks),
    "function_calls" => capped(view.whole.calls),
    "function_loops" => capped(view.whole.loops),
    "function_ends" => capped(view.whole.ends),
    "is_local" => view.contents.is_local.into(),
    "returns_value" => view.contents.returns_value.into(),
    "parameters" => capped(view.contents.parameters),
}

columns! {
    /// The features of a successor of a branch.
    SIDE_COLUMNS: fn side_values(view: &View<'_>, side: SuccessorEdges) -> [i32; SIDE_COUNT];

    // The results of LLVM's rules.
    "answer" => llvm_probability(view, side),
    "estimate" => estimate_number(view, side),
    "never_completes" => has(view, side, BlockProperties::NEVER_COMPLETES),
    "noreturn_call" => has(view, side, BlockProperties::NORETURN_CALL),
    "cold_call" => has(view, side, BlockProperties::COLD_CALL),
    "exception_path" => has(view, side, BlockProperties::EXCEPTION_PATH),
    // The edges to the successor.
    "edges" => capped(side.edges),
    "is_default" => is_default(view, side),
    "case" => view.edge(side).case.map_or(0, |kind| kind as i32),
    "case_value" => capped(view.edge(side).case_value),
    "goes_back" => goes_back(view, side).into(),
    "leaves" => capped(view.leaves(side)),
    "enters" => enters(view, side),
    "is_header" => view.is_header(side.target).into(),
    "post_dominates" => post_dominates(view, side),
    "is_next" => (side.source.as_u32() + 1 == side.target.as_u32()).into(),
    "is_exclusive" => side.is_exclusive.into(),
    "predecessors" => capped(view.graph().predecessors(side.target).len()),
    "uses_tested" => view.edge(side).uses_tested.into(),
    "constants" => capped(view.edge(side).constants),
    "returned" => view.returned(side) as i32,
    // The successor block.
    "terminator" => terminator_number(view, side.target),
    "targets" => capped(view.graph().successors(side.target).len()),
    "instructions" => capped(view.block(side.target).instructions),
    "calls" => capped(view.block(side.target).calls),
    "indirect_calls" => capped(view.block(side.target).indirect_calls),
    "text_calls" => capped(view.block(side.target).text_calls),
    "loads" => capped(view.block(side.target).loads),
    "stores" => capped(view.block(side.target).stores),
    "phis" => capped(view.block(side.target).phis),
    // The blocks that are only reachable through the edge to this successor.
    "region_blocks" => capped(view.region(side).blocks),
    "region_calls" => capped(view.region(side).calls),
    "region_text_calls" => capped(view.region(side).text_calls),
    "region_loads" => capped(view.region(side).loads),
    "region_stores" => capped(view.region(side).stores),
    "region_loops" => capped(view.region(side).loops),
    "region_ends" => capped(view.region(side).ends),
}

pub(super) fn capped(count: impl TryInto<u32>) -> i32 {
    count.try_into().map_or(MOST, |count: u32| count.min(MOST)) as i32
}

fn rule_number(rule: Rule) -> i32 {
    match rule {
        Rule::Metadata | Rule::Update | Rule::Learned => 1,
        Rule::EstimatedWeights => 2,
        Rule::Pointer => 3,
        Rule::Constant => 4,
        Rule::FloatingPoint => 5,
        // `Even`, and rules that are newer than the models that use this feature.
        _ => 0,
    }
}

fn terminator_number(view: &View<'_>, block: Block) -> i32 {
    match view.profile.facts().blocks()[block].terminator {
        Terminator::Return => 0,
        Terminator::Jump => 1,
        Terminator::Branch => 2,
        Terminator::Switch => 3,
        Terminator::IndirectBranch => 4,
        Terminator::Invoke => 5,
        Terminator::CallBranch => 6,
        Terminator::Unreachable => 7,
        Terminator::Exceptional => 8,
        // Kinds that are newer than the models that use this feature.
        _ => 9,
    }
}

/// The position of a block in reverse postorder, in sixteenths of the number of blocks.
fn place(view: &View<'_>, block: Block) -> i32 {
    (u64::from(view.places[block]) * 16 / u64::from(view.whole.blocks.max(1))) as i32
}

fn loop_blocks(view: &View<'_>, block: Block) -> i32 {
    view.around(block).map_or(0, |natural| capped(view.loops().members(natural).len()))
}

/// A statistic of the blocks that the header of the innermost loop dominates: the loop and the blocks that only the
/// loop reaches.
fn header_region(view: &View<'_>, block: Block, part: fn(&super::regions::DominatedContents) -> u32) -> i32 {
    view.around(block).map_or(0, |natural| capped(part(&view.regions[view.loops().header(natural)])))
}

/// The probability that LLVM's rules predict, in 1024ths.
fn llvm_probability(view: &View<'_>, side: SuccessorEdges) -> i32 {
    let numerator = view.profile.branch_probabilities().probabilities()[side.edge].numerator();
    capped((u64::from(numerator) * u64::from(side.edges)) >> 21)
}

/// The class of the estimated weight of the edge.
fn estimate_number(view: &View<'_>, side: SuccessorEdges) -> i32 {
    let numbers = RuleSet::llvm().estimates();
    match view.estimates[side.edge] {
        None => 0,
        Some(weight) if weight == numbers.unreachable => 1,
        Some(weight) if weight <= numbers.noreturn => 2,
        Some(weight) if weight <= numbers.cold => 3,
        Some(_) => 4,
    }
}

fn has(view: &View<'_>, side: SuccessorEdges, properties: BlockProperties) -> i32 {
    view.profile.facts().blocks()[side.target].properties.has(properties).into()
}

/// Whether the successor is the default of a switch.
fn is_default(view: &View<'_>, side: SuccessorEdges) -> i32 {
    let is_switch = view.profile.facts().blocks()[side.source].terminator == Terminator::Switch;
    (is_switch && side.edge == view.graph().edges(side.source).start).into()
}

pub(crate) fn goes_back(view: &View<'_>, side: SuccessorEdges) -> bool {
    view.is_header(side.target)
        && view.around(side.target).is_some_and(|natural| view.loops().contains_block(natural, side.source))
}

/// Whether the edge enters a loop that does not contain the branch, directly or through one block that only jumps.
fn enters(view: &View<'_>, side: SuccessorEdges) -> i32 {
    let jumped = match *view.graph().successors(side.target) {
        [next] => next,
        _ => side.target,
    };
    let is_entered = |block: Block| {
        view.is_header(block)
            && view.around(block).is_some_and(|natural| !view.loops().contains_block(natural, side.source))
    };
    (is_entered(side.target) || is_entered(jumped)).into()
}

fn post_dominates(view: &View<'_>, side: SuccessorEdges) -> i32 {
    view.profile.post_dominators().post_dominates(side.target, side.source).into()
}
