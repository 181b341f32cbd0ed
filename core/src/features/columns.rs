//! What the integers of a row are.

use super::names::{
    BLOCK_COUNT, BLOCK_START, BRANCH_COUNT, BRANCH_NAMES, DECISION_COUNT, SIDE_COUNT, SIDE_NAMES, TEST_COUNT,
};
use super::tested::Test;
use super::view::{Side, View};
use super::MOST;
use crate::bpi::Rule;
use crate::cfg::Block;
use crate::facts::{Marks, Terminator};
use crate::predictor::Predictor;

/// One feature, and how it is had.
#[derive(Clone, Copy)]
pub(super) struct Column<F> {
    /// What it is called in data.
    pub name: &'static str,
    pub of: F,
}

/// A feature of what is tested.
type TestColumn = Column<fn(&Test) -> i32>;

/// A feature of a branch, or of where it stands.
type BlockColumn = Column<fn(&View<'_>, Block) -> i32>;

/// A feature of a side of a branch.
type SideColumn = Column<fn(&View<'_>, Side) -> i32>;

const _: () = {
    assert!(TEST_COUNT + DECISION_COUNT + BLOCK_COUNT == BRANCH_COUNT);
    assert!(are_called(&TEST_COLUMNS, &BRANCH_NAMES, 0));
    assert!(are_called(&DECISION_COLUMNS, &BRANCH_NAMES, TEST_COUNT));
    assert!(are_called(&BLOCK_COLUMNS, &BRANCH_NAMES, BLOCK_START));
    assert!(are_called(&SIDE_COLUMNS, &SIDE_NAMES, 0));
};

/// Whether columns have the names from `start` on, which stand in a file of their own for those who know nothing of columns.
pub(super) const fn are_called<F>(columns: &[Column<F>], names: &[&str], start: usize) -> bool {
    let mut place = 0;
    while place < columns.len() {
        let [one, other] = [columns[place].name.as_bytes(), names[start + place].as_bytes()];
        let mut at = 0;
        while at < one.len() && at < other.len() && one[at] == other[at] {
            at += 1;
        }
        if at < one.len() || at < other.len() {
            return false;
        }
        place += 1;
    }
    true
}

/// The features of what is tested. Where nothing is, all are 0.
pub(super) const TEST_COLUMNS: [TestColumn; TEST_COUNT] = [
    Column { name: "test", of: |test| test.kind as i32 },
    Column { name: "predicate", of: |test| test.predicate as i32 },
    Column { name: "bits", of: |test| capped(test.bits) },
    Column { name: "left", of: |test| test.left as i32 },
    Column { name: "base", of: |test| test.base as i32 },
    Column { name: "right", of: |test| test.right as i32 },
    Column { name: "constant", of: |test| test.constant as i32 },
    Column { name: "magnitude", of: |test| capped(test.magnitude) },
    Column { name: "mask_bits", of: |test| capped(test.mask_bits) },
    Column { name: "library", of: |test| test.library as i32 },
    Column { name: "turns", of: |test| capped(test.turns) },
];

/// Further features of a branch.
pub(super) const DECISION_COLUMNS: [BlockColumn; DECISION_COUNT] = [
    Column { name: "same_tests_above", of: |view, block| capped(view.same_tests_above(block)) },
    // What LLVM's rules say.
    Column { name: "rule", of: |view, block| rule_number(view.profile.rule(block)) },
    Column { name: "terminator", of: |view, block| terminator_number(view, block) },
    Column { name: "targets", of: |view, block| capped(view.graph().successors(block).len()) },
];

/// The features of where something stands.
pub(super) const BLOCK_COLUMNS: [BlockColumn; BLOCK_COUNT] = [
    // The block.
    Column { name: "instructions", of: |view, block| capped(view.block(block).instructions) },
    Column { name: "calls", of: |view, block| capped(view.block(block).calls) },
    Column { name: "loads", of: |view, block| capped(view.block(block).loads) },
    Column { name: "stores", of: |view, block| capped(view.block(block).stores) },
    Column { name: "phis", of: |view, block| capped(view.block(block).phis) },
    Column { name: "predecessors", of: |view, block| capped(view.graph().predecessors(block).len()) },
    Column { name: "region_blocks", of: |view, block| capped(view.regions[block].blocks) },
    Column { name: "place", of: place },
    // The loop around it.
    Column { name: "depth", of: |view, block| capped(view.depth(block)) },
    Column { name: "is_header", of: |view, block| view.is_header(block).into() },
    Column { name: "loop_blocks", of: loop_blocks },
    Column { name: "loop_exits", of: |view, block| view.around(block).map_or(0, |l| capped(view.exits[l])) },
    Column { name: "loop_calls", of: |view, block| header_region(view, block, |region| region.calls) },
    Column { name: "inner_loops", of: |view, block| header_region(view, block, |region| region.loops) },
    // The function.
    Column { name: "function_blocks", of: |view, _| capped(view.whole.blocks) },
    Column { name: "function_calls", of: |view, _| capped(view.whole.calls) },
    Column { name: "function_loops", of: |view, _| capped(view.whole.loops) },
    Column { name: "function_ends", of: |view, _| capped(view.whole.ends) },
    Column { name: "is_local", of: |view, _| view.contents.is_local.into() },
    Column { name: "returns_value", of: |view, _| view.contents.returns_value.into() },
    Column { name: "parameters", of: |view, _| capped(view.contents.parameters) },
];

/// The features of a side of a branch.
pub(super) const SIDE_COLUMNS: [SideColumn; SIDE_COUNT] = [
    // What LLVM's rules say.
    Column { name: "answer", of: answer },
    Column { name: "estimate", of: estimate_number },
    Column { name: "never_completes", of: |view, side| has(view, side, Marks::NEVER_COMPLETES) },
    Column { name: "noreturn_call", of: |view, side| has(view, side, Marks::NORETURN_CALL) },
    Column { name: "cold_call", of: |view, side| has(view, side, Marks::COLD_CALL) },
    Column { name: "exception_path", of: |view, side| has(view, side, Marks::EXCEPTION_PATH) },
    // The way there.
    Column { name: "edges", of: |_, side| capped(side.edges) },
    Column { name: "is_default", of: is_default },
    Column { name: "case", of: |view, side| view.edge(side).case as i32 },
    Column { name: "case_value", of: |view, side| capped(view.edge(side).case_value) },
    Column { name: "goes_back", of: |view, side| goes_back(view, side).into() },
    Column { name: "leaves", of: |view, side| capped(view.leaves(side)) },
    Column { name: "enters", of: enters },
    Column { name: "is_header", of: |view, side| view.is_header(side.target).into() },
    Column { name: "post_dominates", of: post_dominates },
    Column { name: "is_next", of: |_, side| (side.source.as_u32() + 1 == side.target.as_u32()).into() },
    Column { name: "is_exclusive", of: |_, side| side.is_exclusive.into() },
    Column { name: "predecessors", of: |view, side| capped(view.graph().predecessors(side.target).len()) },
    Column { name: "uses_tested", of: |view, side| view.edge(side).uses_tested.into() },
    Column { name: "constants", of: |view, side| capped(view.edge(side).constants) },
    Column { name: "returned", of: |view, side| view.returned(side) as i32 },
    // The block there.
    Column { name: "terminator", of: |view, side| terminator_number(view, side.target) },
    Column { name: "targets", of: |view, side| capped(view.graph().successors(side.target).len()) },
    Column { name: "instructions", of: |view, side| capped(view.block(side.target).instructions) },
    Column { name: "calls", of: |view, side| capped(view.block(side.target).calls) },
    Column { name: "indirect_calls", of: |view, side| capped(view.block(side.target).indirect_calls) },
    Column { name: "text_calls", of: |view, side| capped(view.block(side.target).text_calls) },
    Column { name: "loads", of: |view, side| capped(view.block(side.target).loads) },
    Column { name: "stores", of: |view, side| capped(view.block(side.target).stores) },
    Column { name: "phis", of: |view, side| capped(view.block(side.target).phis) },
    // All that runs only by way of it.
    Column { name: "region_blocks", of: |view, side| capped(view.region(side).blocks) },
    Column { name: "region_calls", of: |view, side| capped(view.region(side).calls) },
    Column { name: "region_text_calls", of: |view, side| capped(view.region(side).text_calls) },
    Column { name: "region_loads", of: |view, side| capped(view.region(side).loads) },
    Column { name: "region_stores", of: |view, side| capped(view.region(side).stores) },
    Column { name: "region_loops", of: |view, side| capped(view.region(side).loops) },
    Column { name: "region_ends", of: |view, side| capped(view.region(side).ends) },
];

pub(super) fn capped(count: impl TryInto<u32>) -> i32 {
    count.try_into().map_or(MOST, |count: u32| count.min(MOST)) as i32
}

fn rule_number(rule: Rule) -> i32 {
    match rule {
        Rule::Even => 0,
        Rule::Metadata | Rule::Update | Rule::Learned => 1,
        Rule::EstimatedWeights => 2,
        Rule::Pointer => 3,
        Rule::Constant => 4,
        Rule::FloatingPoint => 5,
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
    }
}

/// How far down the function a block is, in sixteenths of its blocks.
fn place(view: &View<'_>, block: Block) -> i32 {
    (u64::from(view.places[block]) * 16 / u64::from(view.whole.blocks.max(1))) as i32
}

fn loop_blocks(view: &View<'_>, block: Block) -> i32 {
    view.around(block).map_or(0, |natural| capped(view.loops().members(natural).len()))
}

/// Of the region of the header of the loop around a block: the loop, and what it leads to alone.
fn header_region(view: &View<'_>, block: Block, part: fn(&super::regions::Region) -> u32) -> i32 {
    view.around(block).map_or(0, |natural| capped(part(&view.regions[view.loops().header(natural)])))
}

/// LLVM's answer, in 1024ths.
fn answer(view: &View<'_>, side: Side) -> i32 {
    let numerator = view.profile.branch_probabilities().probabilities()[side.edge].numerator();
    capped((u64::from(numerator) * u64::from(side.edges)) >> 21)
}

/// What the estimated weight of the edge says of it.
fn estimate_number(view: &View<'_>, side: Side) -> i32 {
    let numbers = Predictor::llvm().estimates();
    match view.estimates[side.edge] {
        None => 0,
        Some(weight) if weight == numbers.unreachable => 1,
        Some(weight) if weight <= numbers.noreturn => 2,
        Some(weight) if weight <= numbers.cold => 3,
        Some(_) => 4,
    }
}

fn has(view: &View<'_>, side: Side, marks: Marks) -> i32 {
    view.profile.facts().blocks()[side.target].marks.has(marks).into()
}

/// Whether a switch goes there if no case is met.
fn is_default(view: &View<'_>, side: Side) -> i32 {
    let is_switch = view.profile.facts().blocks()[side.source].terminator == Terminator::Switch;
    (is_switch && side.edge == view.graph().edges(side.source).start).into()
}

pub(super) fn goes_back(view: &View<'_>, side: Side) -> bool {
    view.is_header(side.target)
        && view.around(side.target).is_some_and(|natural| view.loops().contains_block(natural, side.source))
}

/// Whether the side leads straight into a loop that its source is not in, also by way of one block that only jumps.
fn enters(view: &View<'_>, side: Side) -> i32 {
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

fn post_dominates(view: &View<'_>, side: Side) -> i32 {
    view.profile.post_dominators().post_dominates(side.target, side.source).into()
}
