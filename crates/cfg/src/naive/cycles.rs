//! Finds cycles by their definition. Each strongly connected component is a cycle. The inner cycles of a cycle are
//! found recursively: the header is removed, and the remaining blocks of the cycle are searched.

use super::{reached, Blocks, Walk};
use crate::{Block, ControlFlow, Graph, Loop, LoopForest};

/// A cycle.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cycle {
    /// The entries of the cycle. The header is first, and the other entries follow in preorder.
    pub entries: Vec<Block>,
    /// All blocks of the cycle.
    pub body: Blocks,
}

impl Cycle {
    /// The first block of the cycle in depth-first order.
    pub fn header(&self) -> Block {
        self.entries[0]
    }

    /// Whether the header is the only entry of the cycle.
    pub fn has_one_entry(&self) -> bool {
        self.entries.len() == 1
    }
}

/// All cycles of `graph`. The walk that determines the headers visits successors from the last to the first.
pub fn cycles(graph: &Graph) -> Vec<Cycle> {
    let mut walk = Walk::default();
    let last_first = |successors: &mut Vec<Block>| successors.reverse();
    walk.visit(graph, &last_first, graph.entry(), graph.entry());
    let mut found = Vec::new();
    decompose(graph, &walk.preorder, &walk.preorder.iter().copied().collect(), &mut found);
    found
}

/// Finds the cycles within `blocks`. The header of a cycle is the first block of the cycle in `order`.
fn decompose(graph: &Graph, order: &[Block], blocks: &Blocks, found: &mut Vec<Cycle>) {
    let mut left = blocks.clone();
    for &header in order.iter().filter(|block| blocks.contains(block)) {
        if !left.contains(&header) {
            continue;
        }
        let mut body = reachable_within(graph, header, blocks);
        body.retain(|block| reachable_within(graph, *block, blocks).contains(&header));
        left.retain(|block| !body.contains(block));
        if !body.contains(&header) {
            continue;
        }
        let alive = reached(graph, graph.entry(), None);
        let from_outside = |block: &Block| {
            graph.predecessors(*block).iter().any(|source| alive.contains(source) && !body.contains(source))
        };
        let others = order.iter().copied().filter(|block| *block != header && body.contains(block));
        let entries = std::iter::once(header).chain(others.filter(from_outside)).collect();
        let mut rest = body.clone();
        rest.remove(&header);
        found.push(Cycle { entries, body });
        decompose(graph, order, &rest, found);
    }
}

/// The blocks that `start` reaches by a path of at least one edge. The path stays within `blocks`.
fn reachable_within(graph: &Graph, start: Block, blocks: &Blocks) -> Blocks {
    let mut found = Blocks::new();
    let mut frontier = graph.successors(start).to_vec();
    while let Some(block) = frontier.pop() {
        if blocks.contains(&block) && found.insert(block) {
            frontier.extend(graph.successors(block));
        }
    }
    found
}

/// Checks that the cycles match the definition. A cycle A must be inside a cycle B if and only if all blocks of A
/// are blocks of B. The cycles that `plain_cycles` must return do not depend on the choice of headers.
pub fn check_cycles(control_flow: &ControlFlow) {
    let expected = cycles(control_flow.graph());
    check_forest(control_flow, control_flow.cycles(), expected.clone());
    let is_chosen = |cycle: &&Cycle| {
        expected.iter().any(|other| !other.has_one_entry() && other.entries.contains(&cycle.header()))
    };
    let plain = expected.iter().filter(|cycle| cycle.has_one_entry() && !is_chosen(cycle)).cloned().collect();
    check_forest(control_flow, control_flow.plain_cycles(), plain);
}

fn check_forest(control_flow: &ControlFlow, forest: &LoopForest, mut expected: Vec<Cycle>) {
    let computed = |cycle: Loop| {
        let listed = forest.members(cycle);
        let body: Blocks = listed.iter().copied().collect();
        assert_eq!(body.len(), listed.len(), "{cycle} lists a block twice");
        let entries: Vec<Block> = forest.entries(cycle).collect();
        assert_eq!((entries[0], entries.len() == 1), (forest.header(cycle), forest.has_one_entry(cycle)));
        Cycle { entries, body }
    };
    let mut found: Vec<Cycle> = forest.loops().map(computed).collect();
    let innermost = |body: &Blocks, among: &[Cycle]| {
        let around = among.iter().filter(|other| body.is_subset(&other.body) && *body != other.body);
        around.min_by_key(|other| other.body.len()).cloned()
    };
    for (place, cycle) in forest.loops().enumerate() {
        let parent = forest.parent(cycle).map(computed);
        assert_eq!(parent, innermost(&found[place].body, &found), "around {cycle}");
    }
    for block in control_flow.graph().blocks() {
        let around =
            found.iter().filter(|cycle| cycle.body.contains(&block)).min_by_key(|cycle| cycle.body.len());
        assert_eq!(forest.innermost(block).map(computed).as_ref(), around, "around {block}");
    }
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}
