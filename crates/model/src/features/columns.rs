//! The number of features of a branch, a successor and a function, tables of feature columns, and the columns of
//! branches.

use bpa_profile::bpi::Rule;
use bpa_profile::cfg::{Block, Loop};
use bpa_profile::facts::{BlockFacts, BlockProperties, Terminator};
use bpa_profile::rules::RuleSet;

use super::regions::DominatedStatistics;
use super::statistics::{BlockStatistics, EdgeStatistics};
use super::tested::Test;
use super::view::{EdgeLoops, SuccessorEdges, View};

/// The number of features of a branch.
pub const BRANCH_COUNT: usize = 43;

/// The number of features about the condition that a branch tests. In the list of a
/// branch's features, these features come first.
pub(super) const TEST_COUNT: usize = 12;

/// The index of the feature `inverted` of a branch. It is the last feature about the condition.
pub(crate) const INVERTED: usize = TEST_COUNT - 1;

/// The number of features about the branch itself. In the list of a branch's features, these features come after the
/// features about the condition.
pub(super) const DECISION_COUNT: usize = 4;

/// The number of features about the block, its loop and its function.
pub(super) const BLOCK_COUNT: usize = BRANCH_COUNT - TEST_COUNT - DECISION_COUNT;

/// The number of features that distinguish the successors of a switch.
pub(super) const SWITCH_COUNT: usize = 9;

/// The number of the other features of a successor, without `answer`.
pub(super) const SHARED_COUNT: usize = SUCCESSOR_COUNT - SWITCH_COUNT - 1;

/// The number of features of a successor.
pub const SUCCESSOR_COUNT: usize = 36;

/// The upper bound for a feature that is a count.
pub const MOST: u32 = 1023;

/// The number of features of a function.
pub const FUNCTION_COUNT: usize = 29;

/// Defines a table of columns. The result is a list of the columns' names, and one function that computes the values of
/// all columns. Because one function computes all values, the compiler can share lookups between the expressions. The
/// function calls `put` with the index and the value of each column.
macro_rules! columns {
    (
        $(#[$doc:meta])*
        $visibility:vis $names:ident: fn $values:ident($($argument:ident: $kind:ty),+) -> [i32; $count:ident];
        $($name:literal => $value:expr,)+
    ) => {
        $visibility const $names: [&str; $count] = [$($name),+];

        $(#[$doc])*
        #[inline]
        #[allow(clippy::too_many_arguments, reason = "several columns share the lookups in the arguments")]
        pub(super) fn $values($($argument: $kind,)+ mut put: impl FnMut(usize, i32)) {
            let mut column = 0;
            $(
                put(column, $value);
                column += 1;
            )+
            debug_assert_eq!(column, $count);
        }
    };
}

pub(super) use columns;

/// Collects the values of `N` columns. `compute` calls its argument with the index and the value of each column.
pub(crate) fn collected<const N: usize>(compute: impl FnOnce(&mut dyn FnMut(usize, i32))) -> [i32; N] {
    let mut values = [0; N];
    compute(&mut |column, value| values[column] = value);
    values
}

/// Joins lists of names.
pub(super) const fn joined<const N: usize>(lists: &[&[&'static str]]) -> [&'static str; N] {
    let mut names = [""; N];
    let (mut count, mut list) = (0, 0);
    while list < lists.len() {
        let mut place = 0;
        while place < lists[list].len() {
            names[count] = lists[list][place];
            (count, place) = (count + 1, place + 1);
        }
        list += 1;
    }
    assert!(count == N);
    names
}

/// The names of the features of a branch, in order. docs/src/reference/features.md describes them.
pub const BRANCH_NAMES: [&str; BRANCH_COUNT] = joined(&[&TEST_COLUMNS, &DECISION_COLUMNS, &BLOCK_COLUMNS]);

/// The names of the features of a successor, in order.
pub const SUCCESSOR_NAMES: [&str; SUCCESSOR_COUNT] =
    joined(&[&["answer"], &SWITCH_COLUMNS, &SUCCESSOR_COLUMNS]);

columns! {
    /// The features of the test of a branch. If a branch has no test, these features are 0.
    pub(super) TEST_COLUMNS: fn test_values(test: &Test) -> [i32; TEST_COUNT];

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
    "turns" => capped(test.iterations),
    "inverted" => test.inverted.into(),
}

columns! {
    /// The features of the branch itself.
    DECISION_COLUMNS: fn decision_values(view: &View<'_>, block: Block) -> [i32; DECISION_COUNT];

    "same_tests_above" => capped(view.same_tests_above(block)),
    // The LLVM rule that predicts the branch.
    "rule" => view.profile.rule(block).map_or(0, rule_number),
    "terminator" => terminator_number(view.profile.facts().blocks()[block].terminator),
    "targets" => capped(view.graph().successors(block).len()),
}

columns! {
    /// The features of the block, the loop and the function of a branch.
    pub(super) BLOCK_COLUMNS: fn block_columns(
        view: &View<'_>, block: Block, own: &BlockStatistics, around: Option<Loop>
    ) -> [i32; BLOCK_COUNT];

    // Columns about the block.
    "instructions" => capped(own.instructions),
    "calls" => capped(own.calls),
    "loads" => capped(own.loads),
    "stores" => capped(own.stores),
    "phis" => capped(own.phis),
    "arithmetic" => capped(own.arithmetic),
    "predecessors" => capped(view.graph().predecessors(block).len()),
    "region_blocks" => capped(view.regions[block].blocks),
    // Columns about the innermost loop around the block.
    "depth" => around.map_or(0, |natural| capped(view.loops().depth(natural))),
    "is_header" => view.headed(block).is_some().into(),
    "loop_blocks" => around.map_or(0, |natural| capped(view.loops().members(natural).len())),
    "loop_exits" => around.map_or(0, |natural| capped(view.exits[natural])),
    "loop_calls" => header_region(view, around, |region| region.calls),
    "loop_arithmetic" => header_region(view, around, |region| region.arithmetic),
    "inner_loops" => header_region(view, around, |region| region.loops),
    // These columns describe the whole function.
    "function_blocks" => capped(view.whole.blocks),
    "function_calls" => capped(view.whole.calls),
    "function_loops" => capped(view.whole.loops),
    "function_ends" => capped(view.whole.ends),
    "function_instructions" => capped(view.whole.instructions),
    "function_phis" => capped(view.whole.phis),
    "function_loads" => capped(view.whole.loads),
    "function_stores" => capped(view.whole.stores),
    "above" => capped(view.depths[block]),
    "is_local" => view.statistics.is_local.into(),
    "returns_value" => view.statistics.returns_value.into(),
    "parameters" => capped(view.statistics.parameters),
}

columns! {
    /// The features that distinguish the successors of a switch. A model predicts a two-way branch only if LLVM's rules
    /// estimate no weight. Then `edges` is 1, and the other columns are 0.
    SWITCH_COLUMNS: fn switch_columns(
        view: &View<'_>, successor: SuccessorEdges, facts: &BlockFacts, edge: &EdgeStatistics
    ) -> [i32; SWITCH_COUNT];

    // Columns about the results of LLVM's rules.
    "estimate" => estimate_number(view, successor),
    "never_completes" => facts.properties.has(BlockProperties::NEVER_COMPLETES).into(),
    "noreturn_call" => facts.properties.has(BlockProperties::NORETURN_CALL).into(),
    "cold_call" => facts.properties.has(BlockProperties::COLD_CALL).into(),
    "exception_path" => facts.properties.has(BlockProperties::EXCEPTION_PATH).into(),
    // Columns about the edges to the successor.
    "edges" => capped(successor.edges),
    "is_default" => is_default(view, successor),
    "case" => edge.case.map_or(0, |kind| kind as i32),
    "case_value" => capped(edge.case_value),
}

columns! {
    /// The other features of a successor of a branch. There are three kinds of statistics: `edge` is about the edges to
    /// the successor, `block` is about the successor block, and `region` is about the blocks that are reachable only
    /// through these edges. `facts` are the facts of the successor block.
    SUCCESSOR_COLUMNS: fn successor_columns(
        view: &View<'_>, successor: SuccessorEdges, loops: &EdgeLoops, facts: &BlockFacts,
        edge: &EdgeStatistics, block: &BlockStatistics, region: &DominatedStatistics
    ) -> [i32; SHARED_COUNT];

    "goes_back" => loops.goes_back(view).into(),
    "leaves" => capped(loops.left(view)),
    "enters" => enters(view, successor, loops),
    "is_header" => loops.headed.is_some().into(),
    "post_dominates" => post_dominates(view, successor).into(),
    "is_exclusive" => successor.is_exclusive.into(),
    "predecessors" => capped(view.graph().predecessors(successor.target).len()),
    "uses_tested" => edge.uses_tested.into(),
    "constants" => capped(edge.constants),
    "returned" => view.returned(successor) as i32,
    // Columns about the successor block.
    "terminator" => terminator_number(facts.terminator),
    "targets" => capped(view.graph().successors(successor.target).len()),
    "instructions" => capped(block.instructions),
    "calls" => capped(block.calls),
    "indirect_calls" => capped(block.indirect_calls),
    "text_calls" => capped(block.text_calls),
    "loads" => capped(block.loads),
    "stores" => capped(block.stores),
    "phis" => capped(block.phis),
    // These columns describe the blocks that are only reachable through the edges to this successor.
    "region_blocks" => capped(region.blocks),
    "region_calls" => capped(region.calls),
    "region_text_calls" => capped(region.text_calls),
    "region_loads" => capped(region.loads),
    "region_stores" => capped(region.stores),
    "region_loops" => capped(region.loops),
    "region_ends" => capped(region.ends),
}

/// Computes the features of the block, the loop and the function of a branch.
pub(super) fn block_values(view: &View<'_>, block: Block, put: impl FnMut(usize, i32)) {
    block_columns(view, block, view.block(block), view.around(block), put);
}

/// Computes the features of a successor of a branch.
pub(crate) fn successor_values(view: &View<'_>, successor: SuccessorEdges, mut put: impl FnMut(usize, i32)) {
    let facts = &view.profile.facts().blocks()[successor.target];
    switch_columns(view, successor, facts, view.edge(successor), |column, value| put(1 + column, value));
    shared_values(view, successor, put);
}

/// Computes the features of a successor of a two-way branch whose weights LLVM's rules do not estimate.
pub(crate) fn two_way_successor_values(
    view: &View<'_>,
    successor: SuccessorEdges,
    mut put: impl FnMut(usize, i32),
) {
    put(EDGES, 1);
    shared_values(view, successor, put);
}

/// The index of the column `edges`.
const EDGES: usize = 6;
/// The indices of `goes_back` and `leaves`. If one of these columns is not 0, the edge leaves a loop that contains the
/// branch, or leads to the header of such a loop.
pub(crate) const OF_LOOP: [usize; 2] = [10, 11];
const _: () = assert!(
    matches!(SUCCESSOR_NAMES[EDGES].as_bytes(), b"edges")
        && matches!(SUCCESSOR_NAMES[OF_LOOP[0]].as_bytes(), b"goes_back")
        && matches!(SUCCESSOR_NAMES[OF_LOOP[1]].as_bytes(), b"leaves")
);

/// Computes the features of a successor, except for [`SWITCH_COLUMNS`].
#[inline]
fn shared_values(view: &View<'_>, successor: SuccessorEdges, mut put: impl FnMut(usize, i32)) {
    put(0, llvm_probability(view, successor));
    successor_columns(
        view,
        successor,
        &view.edge_loops(successor),
        &view.profile.facts().blocks()[successor.target],
        view.edge(successor),
        view.block(successor.target),
        view.region(successor),
        |column, value| put(1 + SWITCH_COUNT + column, value),
    );
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
        Rule::Single | Rule::Even => 0,
    }
}

fn terminator_number(terminator: Terminator) -> i32 {
    match terminator {
        Terminator::Return => 0,
        Terminator::Jump => 1,
        Terminator::Branch => 2,
        Terminator::Switch => 3,
        Terminator::IndirectBranch => 4,
        Terminator::Invoke => 5,
        Terminator::CallBranch => 6,
        Terminator::Unreachable => 7,
        Terminator::Exceptional => 8,
        // The number 9 represents all kinds of terminators that are newer than this feature.
        _ => 9,
    }
}

/// For the innermost loop around a block: a statistic of all blocks that the loop's header dominates. The header
/// dominates the blocks of the loop, and the blocks that are only reachable through the loop.
fn header_region(view: &View<'_>, around: Option<Loop>, part: fn(&DominatedStatistics) -> u32) -> i32 {
    around.map_or(0, |natural| capped(part(&view.regions[view.loops().header(natural)])))
}

/// The probability that LLVM's rules predict, in units of 1/1024.
fn llvm_probability(view: &View<'_>, successor: SuccessorEdges) -> i32 {
    let numerator = view.probabilities[successor.edge].numerator();
    capped((u64::from(numerator) * u64::from(successor.edges)) >> 21)
}

/// The class of the edge's estimated weight: from 1 for the lowest weights to 4 for the highest weights. If LLVM's
/// rules estimate no weight, the result is 0.
fn estimate_number(view: &View<'_>, successor: SuccessorEdges) -> i32 {
    let numbers = RuleSet::llvm().estimates();
    match view.estimates[successor.edge] {
        None => 0,
        Some(weight) if weight == numbers.unreachable => 1,
        Some(weight) if weight <= numbers.noreturn => 2,
        Some(weight) if weight <= numbers.cold => 3,
        Some(_) => 4,
    }
}

/// Whether the successor post-dominates the branch. Then the successor is the branch's own block or the immediate
/// post-dominator of the block: on a path through the edge, every other post-dominator comes after the successor.
fn post_dominates(view: &View<'_>, SuccessorEdges { source, target, .. }: SuccessorEdges) -> bool {
    target == source || view.profile.post_dominators().ipdom(source) == Some(target)
}

/// Whether the successor is the default successor of a switch.
fn is_default(view: &View<'_>, successor: SuccessorEdges) -> i32 {
    let is_switch = view.profile.facts().blocks()[successor.source].terminator == Terminator::Switch;
    (is_switch && successor.edge == view.graph().edges(successor.source).start).into()
}

/// Whether the edge enters a loop that does not contain the branch. The edge leads to the header directly, or through
/// one block that has a single successor.
fn enters(view: &View<'_>, successor: SuccessorEdges, loops: &EdgeLoops) -> i32 {
    let is_entered = |headed: Option<Loop>| headed.is_some_and(|natural| !loops.start_in(view, natural));
    let jumped = || match *view.graph().successors(successor.target) {
        [next] => view.headed(next),
        _ => None,
    };
    (is_entered(loops.headed) || is_entered(jumped())).into()
}
