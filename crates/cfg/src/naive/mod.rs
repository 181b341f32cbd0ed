//! Computes all structures of this crate directly from their definitions, as oracles for tests.
//!
//! The oracles are slow, because they only use reachability. The oracles share no code with the algorithms. The checks
//! panic if a computed structure differs from its definition. Property tests and fuzz targets run the checks.

pub mod cycles;

use std::collections::BTreeSet;

use super::scc::SccFinder;
use super::{Block, ControlFlow, Graph, Loop, Scc};

/// A set of blocks.
pub type Blocks = BTreeSet<Block>;

/// The blocks that are reachable from `start` on a path that does not contain `avoided`. The result includes `start`.
pub fn reached(graph: &Graph, start: Block, avoided: Option<Block>) -> Blocks {
    let mut found = Blocks::new();
    let mut frontier = vec![start];
    while let Some(block) = frontier.pop() {
        if Some(block) != avoided && found.insert(block) {
            frontier.extend(graph.successors(block));
        }
    }
    found
}

/// The dominated blocks: reachable blocks that the entry cannot reach after the removal of the block `above`.
pub fn dominated(graph: &Graph, above: Block) -> Blocks {
    let all = reached(graph, graph.entry(), None);
    let without = reached(graph, graph.entry(), Some(above));
    if all.contains(&above) {
        &all - &without
    } else {
        Blocks::new()
    }
}

/// Whether the block `below` post-dominates the block `above`: every path from `above` to one of `roots` contains
/// `below`.
pub fn post_dominates(graph: &Graph, roots: &Blocks, below: Block, above: Block) -> bool {
    reached(graph, above, Some(below)).is_disjoint(roots)
}

/// The results of a recursive depth-first walk: preorder, postorder, and the parent of each block.
#[derive(Default)]
pub struct Walk {
    pub preorder: Vec<Block>,
    pub postorder: Vec<Block>,
    pub parents: Vec<Block>,
}

impl Walk {
    /// Visits `block`, whose parent is `parent`. The walk visits the successors of a block in the order that `sort`
    /// gives them.
    pub fn visit(&mut self, graph: &Graph, sort: &dyn Fn(&mut Vec<Block>), block: Block, parent: Block) {
        if self.preorder.contains(&block) {
            return;
        }
        self.preorder.push(block);
        self.parents.push(parent);
        let mut successors = graph.successors(block).to_vec();
        sort(&mut successors);
        for successor in successors {
            self.visit(graph, sort, successor, block);
        }
        self.postorder.push(block);
    }

    /// The depth-first walk of `graph` from its entry.
    pub fn of(graph: &Graph) -> Self {
        let mut walk = Walk::default();
        walk.visit(graph, &|_| {}, graph.entry(), graph.entry());
        walk
    }
}

/// The roots of LLVM's post-dominator tree. All exits are roots. Other roots are found in a loop over all blocks in
/// layout order. If a block reaches no root, a depth-first walk starts at this block. The walk visits successors from
/// the last to the first in layout order, and the last block of the walk becomes a root. Finally, roots that reach
/// another root are removed.
pub fn roots(graph: &Graph) -> Blocks {
    let mut roots: Blocks = graph.blocks().filter(|&block| graph.successors(block).is_empty()).collect();
    for block in graph.blocks() {
        if reached(graph, block, None).is_disjoint(&roots) {
            let mut walk = Walk::default();
            let late_first = |successors: &mut Vec<Block>| successors.sort_by(|a, b| b.cmp(a));
            walk.visit(graph, &late_first, block, block);
            roots.insert(*walk.preorder.last().expect("the walk visits its start block"));
        }
    }
    let leads_on = |root: &Block| reached(graph, *root, None).intersection(&roots).count() > 1;
    roots.iter().copied().filter(|root| !leads_on(root)).collect()
}

/// A natural loop.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NaturalLoop {
    pub header: Block,
    /// All blocks of the loop, including the header.
    pub body: Blocks,
}

/// The natural loops of `graph`. Each block that dominates one of its predecessors is a header, and these predecessors
/// are latches. The body is the set of blocks that reach a latch without passing the header.
pub fn loops(graph: &Graph) -> Vec<NaturalLoop> {
    let alive = reached(graph, graph.entry(), None);
    let mut found = Vec::new();
    for header in graph.blocks() {
        let latches: Blocks = dominated(graph, header)
            .into_iter()
            .filter(|latch| graph.successors(*latch).contains(&header))
            .collect();
        if !latches.is_empty() {
            let reaches_latch = |block: &Block| !reached(graph, *block, Some(header)).is_disjoint(&latches);
            let mut body: Blocks = alive.iter().copied().filter(reaches_latch).collect();
            body.insert(header);
            found.push(NaturalLoop { header, body });
        }
    }
    found
}

/// The strongly connected component of `block`: the blocks that `block` reaches and that reach `block`.
pub fn component(graph: &Graph, block: Block) -> Blocks {
    let leads_back = |other: &Block| reached(graph, *other, None).contains(&block);
    reached(graph, block, None).into_iter().filter(leads_back).collect()
}

/// Checks that predecessors and successors describe the same edges.
pub fn check_graph(graph: &Graph) {
    let mut seen_from_sources = Vec::new();
    let mut seen_from_targets = Vec::new();
    for block in graph.blocks() {
        seen_from_sources.extend(graph.successors(block).iter().map(|&target| (block, target)));
        seen_from_targets.extend(graph.predecessors(block).iter().map(|&source| (source, block)));
        assert_eq!(graph.edges(block).len(), graph.successors(block).len());
    }
    assert_eq!(graph.edge_count(), seen_from_sources.len());
    seen_from_sources.sort_unstable();
    seen_from_targets.sort_unstable();
    assert_eq!(seen_from_sources, seen_from_targets);
}

/// Compares the spanning tree with the recursive walk.
pub fn check_spanning_tree(control_flow: &ControlFlow) {
    let graph = control_flow.graph();
    let expected = Walk::of(graph);
    let tree = control_flow.tree();
    assert_eq!(tree.preorder(), expected.preorder);
    assert_eq!(tree.postorder(), expected.postorder);
    let parents: Vec<Block> = tree.parents().iter().map(|&number| tree.preorder()[number as usize]).collect();
    assert_eq!(parents, expected.parents);
    for block in graph.blocks() {
        let number = expected.preorder.iter().position(|&other| other == block);
        assert_eq!(tree.number(block).map(|number| number as usize), number, "number of {block}");
        assert_eq!(tree.reaches(block), number.is_some(), "is {block} reachable?");
    }
}

/// Checks dominators. Every path from the entry to a block contains all dominators of the block. All strict dominators
/// of a block dominate its immediate dominator.
pub fn check_dominators(control_flow: &ControlFlow) {
    let graph = control_flow.graph();
    let dominators = control_flow.dominators();
    let alive = reached(graph, graph.entry(), None);
    let below: Vec<Blocks> = graph.blocks().map(|above| dominated(graph, above)).collect();
    let dominates = |above: Block, block: Block| below[above.as_u32() as usize].contains(&block);
    for block in graph.blocks() {
        assert_eq!(dominators.contains(block), alive.contains(&block), "is {block} in the tree?");
        for above in graph.blocks() {
            assert_eq!(
                dominators.dominates(above, block),
                dominates(above, block),
                "does {above} dominate {block}?"
            );
        }
        let strict: Vec<Block> =
            graph.blocks().filter(|&above| above != block && dominates(above, block)).collect();
        let nearest = strict.iter().copied().find(|&near| strict.iter().all(|&far| dominates(far, near)));
        assert_eq!(dominators.idom(block), nearest, "immediate dominator of {block}");
        let children = graph.blocks().filter(|&below| dominators.idom(below) == Some(block));
        assert!(dominators.children(block).iter().copied().eq(children), "children of {block}");
        for other in graph.blocks() {
            let both = |&above: &Block| dominates(above, block) && dominates(above, other);
            let common: Vec<Block> = graph.blocks().filter(both).collect();
            let nearest = common.iter().copied().find(|&near| common.iter().all(|&far| dominates(far, near)));
            assert_eq!(
                dominators.nearest_common(block, other),
                nearest,
                "nearest common dominator of {block} and {other}"
            );
        }
    }
}

/// Checks post-dominators. The roots equal LLVM's roots. Every path from a block to a root contains the block's
/// post-dominators.
pub fn check_post_dominators(control_flow: &ControlFlow) {
    let graph = control_flow.graph();
    let post_dominators = control_flow.post_dominators();
    let chosen: Blocks = post_dominators.roots().iter().copied().collect();
    assert_eq!(chosen.len(), post_dominators.roots().len(), "a root is listed twice");
    assert_eq!(chosen, roots(graph));
    for block in graph.blocks() {
        assert!(!reached(graph, block, None).is_disjoint(&chosen), "{block} does not reach a root");
        let bottom = component(graph, block);
        if reached(graph, block, None) == bottom {
            assert_eq!(
                bottom.intersection(&chosen).count(),
                1,
                "the component of {block} must have exactly one root"
            );
        }
    }
    let bottoms: BTreeSet<Blocks> = chosen.iter().map(|&root| component(graph, root)).collect();
    assert_eq!(bottoms.len(), chosen.len());
    for &root in &chosen {
        assert_eq!(
            reached(graph, root, None),
            component(graph, root),
            "the root {root} reaches a block that does not reach {root}"
        );
    }
    for above in graph.blocks() {
        for below in graph.blocks() {
            let expected = post_dominates(graph, &chosen, below, above);
            assert_eq!(
                post_dominators.post_dominates(below, above),
                expected,
                "does {below} post-dominate {above}?"
            );
        }
        let after =
            |block: Block, other: Block| other != block && post_dominators.post_dominates(other, block);
        let mut later = graph.blocks().filter(|&below| after(above, below));
        let first = later.find(|&below| {
            graph.blocks().all(|other| !after(above, other) || other == below || after(below, other))
        });
        assert_eq!(post_dominators.ipdom(above), first, "immediate post-dominator of {above}");
        let children = graph.blocks().filter(|&block| post_dominators.ipdom(block) == Some(above));
        assert!(post_dominators.children(above).iter().copied().eq(children), "children of {above}");
        for other in graph.blocks() {
            let both = |&below: &Block| {
                post_dominators.post_dominates(below, above) && post_dominators.post_dominates(below, other)
            };
            let common: Vec<Block> = graph.blocks().filter(both).collect();
            let nearest = common
                .iter()
                .copied()
                .find(|&near| common.iter().all(|&far| post_dominators.post_dominates(far, near)));
            assert_eq!(
                post_dominators.nearest_common(above, other),
                nearest,
                "nearest common post-dominator of {above} and {other}"
            );
        }
    }
    let under_exit = graph.blocks().filter(|&block| post_dominators.ipdom(block).is_none());
    assert!(post_dominators.children_of_exit().eq(under_exit), "children of the virtual exit");
}

/// Checks that headers and bodies of loops match the definition. A loop A must be inside a loop B if and only if
/// all blocks of A are blocks of B.
pub fn check_loops(control_flow: &ControlFlow) {
    let graph = control_flow.graph();
    let forest = control_flow.loops();
    let mut computed: Vec<NaturalLoop> =
        forest.loops().map(|natural| computed_loop(control_flow, natural)).collect();
    let around = |natural| forest.loops().filter(move |&o| o != natural && forest.contains(o, natural));
    for (place, natural) in forest.loops().enumerate() {
        let body = &computed[place].body;
        for (other_place, other) in forest.loops().enumerate() {
            let other_body = &computed[other_place].body;
            assert_eq!(
                forest.contains(natural, other),
                other_body.is_subset(body),
                "is {other} inside {natural}?"
            );
            if other_body.is_subset(body) {
                assert!(natural <= other, "the outer loop {natural} must precede {other}");
            }
        }
        let nearest = around(natural).min_by_key(|&other| forest.members(other).len());
        assert_eq!(forest.parent(natural), nearest, "parent of {natural}");
        assert_eq!(forest.depth(natural), 1 + around(natural).count(), "depth of {natural}");
        let children = forest.loops().filter(|&inner| forest.parent(inner) == Some(natural));
        assert!(forest.children(natural).eq(children), "loops directly inside {natural}");
    }
    for block in graph.blocks() {
        let around = forest.loops().zip(&computed).filter(|(_, found)| found.body.contains(&block));
        let nearest = around.min_by_key(|(_, found)| found.body.len()).map(|(natural, _)| natural);
        assert_eq!(forest.innermost(block), nearest, "innermost loop around {block}");
    }
    assert_eq!(forest.count(), computed.len());
    computed.sort();
    assert_eq!(computed, loops(graph));
}

fn computed_loop(control_flow: &ControlFlow, natural: Loop) -> NaturalLoop {
    let graph = control_flow.graph();
    let forest = control_flow.loops();
    let body: Blocks = forest.members(natural).iter().copied().collect();
    assert_eq!(body.len(), forest.members(natural).len(), "{natural} lists a block twice");
    for block in graph.blocks() {
        assert_eq!(forest.contains_block(natural, block), body.contains(&block), "is {block} in {natural}?");
    }
    NaturalLoop { header: forest.header(natural), body }
}

/// Checks that the blocks of each strongly connected component reach each other, and that each component follows the
/// components that it reaches.
pub fn check_sccs(control_flow: &ControlFlow) {
    let graph = control_flow.graph();
    let sccs = control_flow.sccs();
    let alive = reached(graph, graph.entry(), None);
    let mut numbers = BTreeSet::new();
    for block in graph.blocks() {
        let expected = Some(component(graph, block)).filter(|c| c.len() > 1 && alive.contains(&block));
        let computed = sccs.of(block).map(|scc| members(control_flow, scc));
        assert_eq!(computed, expected, "component of {block}");
        numbers.extend(sccs.of(block));
    }
    assert_eq!(sccs.count(), numbers.len());

    let mut emitted: Vec<Blocks> = Vec::new();
    let successor = |node: u32, edge: usize| {
        graph.successors(Block::from_u32(node)).get(edge).map(|block| block.as_u32())
    };
    SccFinder::default().run(graph.block_count(), graph.entry().as_u32(), successor, |component| {
        emitted.push(component.iter().map(|&node| Block::from_u32(node)).collect());
    });
    let mut done = Blocks::new();
    for found in &emitted {
        let first = *found.first().expect("components are not empty");
        assert_eq!(*found, component(graph, first));
        done.extend(found);
        assert!(
            reached(graph, first, None).is_subset(&done),
            "the components that {first} reaches must come first"
        );
    }
    assert_eq!(done, alive);
}

fn members(control_flow: &ControlFlow, scc: Scc) -> Blocks {
    let listed = control_flow.sccs().members(scc);
    let members: Blocks = listed.iter().copied().collect();
    assert_eq!(members.len(), listed.len(), "{scc} lists a block twice");
    members
}

/// Checks every structure.
pub fn check_all(control_flow: &ControlFlow) {
    let graph = control_flow.graph();
    check_graph(graph);
    check_spanning_tree(control_flow);
    check_dominators(control_flow);
    check_post_dominators(control_flow);
    check_loops(control_flow);
    check_sccs(control_flow);
}
