//! Chains of blocks that run exactly when one another do, for weights to spread along.
//!
//! A block that post-dominates its immediate dominator is the next link of that one's chain. No block has two such
//! blocks below it: one of them would come first on every path, and dominate the other. So every reached block is in
//! one chain, and the dominators that it post-dominates are the links above it.
//!
//! What is in one natural loop or in one strongly connected component stands together in a chain: a block between two
//! of its blocks is on every path from one to the other, also on those that stay in the cycle. So going up a chain,
//! cycles are passed as a whole.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::PrimaryMap;

use super::cycles::{Cycle, Cycles};
use crate::cfg::{table, Block, Dominators, Loop, PostDominators, Scc, SpanningTree};

/// A block's place in the list of all chains, in which each goes from the top down.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Link(pub u32);

/// No link.
const NOWHERE: Link = Link(u32::MAX);

/// All chains of a function, and the cycles along them.
pub(super) struct Chains {
    nodes: Vec<Node>,
    links: PrimaryMap<Block, Link>,
    passages: Vec<Passage>,
}

struct Node {
    block: Block,
    /// The nearest link above whose block is in the same cycle.
    above: Link,
    /// How many passages begin above this link, in any chain before or in this one.
    passages_before: u32,
    /// The topmost link of the chain.
    top: Link,
}

/// A cycle's part of a chain, if blocks of the chain are in no cycle inside it.
pub(super) struct Passage {
    pub cycle: Cycle,
    /// The lowest link in the cycle, inner cycles included. For an irreducible cycle, which LLVM takes to be left
    /// even by what is inside it, its first link.
    pub lowest: Link,
}

/// A part of a chain where cycles are passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stretch {
    /// The topmost passage that begins there, by its number.
    pub first: u32,
    /// The link below.
    pub below: Link,
}

impl Chains {
    /// Finds the chains of the blocks that the entry reaches.
    pub fn new(
        cycles: &Cycles,
        walk: &SpanningTree,
        dominators: &Dominators,
        post_dominators: &PostDominators,
    ) -> Self {
        let blocks = cycles.graph.block_count();
        let mut below: PrimaryMap<Block, PackedOption<Block>> = table(blocks, None.into());
        let mut tops = Vec::new();
        for &block in walk.preorder() {
            match dominators.idom(block) {
                Some(above) if post_dominators.post_dominates(block, above) => below[above] = block.into(),
                _ => tops.push(block),
            }
        }
        let nodes = Vec::with_capacity(walk.preorder().len());
        let mut chains = Chains { nodes, links: table(blocks, NOWHERE), passages: Vec::new() };
        let mut around = Around::default();
        for top in tops {
            chains.leave_loops(&mut around, |_| true);
            around.start_chain(Link(chains.nodes.len() as u32));
            let chain = std::iter::successors(Some(top), |&block| below[block].expand());
            chain.for_each(|block| chains.append(cycles, &mut around, block));
        }
        chains.leave_loops(&mut around, |_| true);
        chains
    }

    /// Adds `block` at the end of the last chain.
    fn append(&mut self, cycles: &Cycles, around: &mut Around, block: Block) {
        let cycle = cycles.of(block);
        self.leave_loops(
            around,
            |left| !matches!(cycle, Cycle::Natural(natural) if cycles.loops.contains(left, natural)),
        );
        let (link, passages_before) = (Link(self.nodes.len() as u32), self.passages.len() as u32);
        let above = around.enter(cycle, link, passages_before);
        if above == NOWHERE && cycle != Cycle::None {
            self.passages.push(Passage { cycle, lowest: link });
        }
        self.nodes.push(Node { block, above, passages_before, top: around.top });
        self.links[block] = link;
    }

    /// Ends loops, inner ones first, as long as they are `left` by the link that comes next.
    fn leave_loops(&mut self, around: &mut Around, left: impl Fn(Loop) -> bool) {
        while let Some(inside) = around.loops.last().filter(|inside| left(inside.natural)) {
            self.passages[inside.passage as usize].lowest = Link(self.nodes.len() as u32 - 1);
            around.loops.pop();
        }
    }

    /// The link of `block`, if the entry reaches it.
    pub fn link(&self, block: Block) -> Option<Link> {
        let link = self.links[block];
        (link != NOWHERE).then_some(link)
    }

    /// The block at `link`.
    pub fn block(&self, link: Link) -> Block {
        self.nodes[link.0 as usize].block
    }

    /// The nearest link above `link` whose block is in the same cycle; and what is passed on the way there, or to the
    /// top of the chain.
    pub fn up(&self, link: Link) -> (Option<Link>, Option<Stretch>) {
        let node = &self.nodes[link.0 as usize];
        let above = (node.above != NOWHERE).then_some(node.above);
        let topmost = above.map_or(node.top, |above| Link(above.0 + 1));
        let first = self.nodes[topmost.0 as usize].passages_before;
        (above, (first < node.passages_before).then_some(Stretch { first, below: link }))
    }

    /// Whether two links are of one chain.
    #[cfg(test)]
    fn is_chained(&self, one: Link, other: Link) -> bool {
        self.nodes[one.0 as usize].top == self.nodes[other.0 as usize].top
    }

    /// All passages, from the top of each chain down.
    pub fn passages(&self) -> &[Passage] {
        &self.passages
    }
}

/// What is around the last link of a chain under construction, and came before it.
struct Around {
    /// From the outside in.
    loops: Vec<Inside>,
    /// The last link in each kind of cycle that does not nest.
    outside: Link,
    irreducible: Option<(Scc, Link)>,
    /// The first link of the chain.
    top: Link,
}

struct Inside {
    natural: Loop,
    /// The last link of no inner loop.
    last: Link,
    passage: u32,
}

impl Default for Around {
    fn default() -> Self {
        Around { loops: Vec::new(), outside: NOWHERE, irreducible: None, top: NOWHERE }
    }
}

impl Around {
    fn start_chain(&mut self, top: Link) {
        self.top = top;
        self.outside = NOWHERE;
        self.irreducible = None;
    }

    /// Goes on to `link`; returns the last link in the same cycle before it.
    fn enter(&mut self, cycle: Cycle, link: Link, passage: u32) -> Link {
        match (cycle, self.loops.last_mut()) {
            (Cycle::None, _) => std::mem::replace(&mut self.outside, link),
            (Cycle::Irreducible(scc), _) => match self.irreducible.replace((scc, link)) {
                Some((before, last)) if before == scc => last,
                _ => NOWHERE,
            },
            (Cycle::Natural(natural), Some(inside)) if inside.natural == natural => {
                std::mem::replace(&mut inside.last, link)
            }
            (Cycle::Natural(natural), _) => {
                self.loops.push(Inside { natural, last: link, passage });
                NOWHERE
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::cycles::Cycle;
    use super::super::test_support::{draw, pictures};
    use super::{Link, Stretch};
    use crate::cfg::test_support::config;
    use crate::cfg::Block;

    /// The arms of a diamond are chains of their own; a loop's body that may be skipped is one too.
    #[test]
    fn what_runs_exactly_as_often_is_one_chain() {
        let drawn = draw("entry -> l r; l -> m; m -> j; r -> j; j -> h; h -> body end; body -> h; end");
        let chains = drawn.chains();
        let link = |name: &str| chains.link(drawn.block(name)).unwrap().0;
        let first = link("entry");
        assert_eq!(["j", "h", "end"].map(link), [first + 1, first + 2, first + 3]);
        assert_eq!(link("m"), link("l") + 1);
        // entry .. end, l .. m, r and body, in the order of the walk from the entry.
        assert_eq!([link("l"), link("body"), link("r")], [first + 4, first + 6, first + 7]);
    }

    /// A loop reaches down to where its last inner one does, an irreducible cycle no further than where it begins.
    #[test]
    fn passages_know_how_far_down_their_cycles_reach() {
        let drawn =
            draw("entry -> o; o -> i; i -> i o x; x -> t u; t -> u; u -> m; m -> m n; n -> t end; end");
        let chains = drawn.chains();
        let lowest_of = |name: &str| {
            let cycle = drawn.cycles().of(drawn.block(name));
            let passages = chains.passages().iter().filter(|passage| passage.cycle == cycle);
            passages.map(|passage| chains.block(passage.lowest)).collect::<Vec<_>>()
        };
        assert_eq!((lowest_of("o"), lowest_of("i")), (vec![drawn.block("i")], vec![drawn.block("i")]));
        // The cycle of t and u is in two chains: u with x above and m below it, and t alone.
        assert_eq!(
            (lowest_of("t"), lowest_of("m")),
            (vec![drawn.block("u"), drawn.block("t")], vec![drawn.block("m")])
        );
    }

    /// From i up to o, the header of the loop around, nothing is passed; from x up to the entry, three loops are.
    #[test]
    fn the_way_up_goes_from_block_to_block_of_one_cycle() {
        let drawn = draw("entry -> a; a -> a o; o -> i; i -> i l; l -> o x; x");
        let chains = drawn.chains();
        let link = |name: &str| chains.link(drawn.block(name)).unwrap();
        let way = |first, below| Some(Stretch { first, below: link(below) });
        assert_eq!(chains.up(link("x")), (Some(link("entry")), way(0, "x")));
        assert_eq!(chains.up(link("l")), (Some(link("o")), way(2, "l")));
        assert_eq!(chains.up(link("i")), (None, way(0, "i")));
        assert_eq!(chains.up(link("entry")), (None, None));
    }

    proptest! {
        #![proptest_config(config())]

        /// Above a block in its chain are the dominators that it post-dominates, each above its own.
        #[test]
        fn a_chain_is_what_a_block_post_dominates(picture in pictures()) {
            let drawn = draw(&picture);
            let chains = drawn.chains();
            let mut post_dominators = crate::cfg::PostDominators::default();
            post_dominators.compute(&drawn.snapshot.graph);
            let link = |block: Block| chains.link(block);
            for block in drawn.snapshot.graph.blocks().filter(|&block| link(block).is_some()) {
                let mut expected = Vec::new();
                let mut above = Some(block);
                while let Some(dominator) = above.filter(|&above| post_dominators.post_dominates(block, above)) {
                    expected.push(link(dominator).unwrap());
                    above = drawn.snapshot.graph.dominators().idom(dominator);
                }
                let down_to_up = (0..expected.len() as u32).map(|steps| Link(expected[0].0 - steps));
                prop_assert!(expected.iter().copied().eq(down_to_up));
            }
        }

        /// The nearest of the same cycle, and every cycle that begins between and is left there.
        #[test]
        fn short_ways_lead_where_long_ways_do(picture in pictures()) {
            let drawn = draw(&picture);
            let (chains, cycles) = (drawn.chains(), drawn.cycles());
            for block in drawn.snapshot.graph.blocks() {
                let Some(link) = chains.link(block) else { continue };
                let (above, passed) = chains.up(link);
                let top = (0..=link.0).rev().take_while(|&n| chains.is_chained(Link(n), link)).last().unwrap();
                let between = (top..link.0).rev().map(Link);
                let same = |other: &Link| cycles.of(chains.block(*other)) == cycles.of(block);
                prop_assert_eq!(above, between.clone().find(same));
                let left = |other: &Link| cycles.exits(cycles.of(chains.block(*other)), cycles.of(block));
                let mut expected: Vec<Cycle> =
                    between.take_while(|other| !same(other)).filter(left).map(|other| cycles.of(chains.block(other))).collect();
                expected.reverse();
                let mut seen = Vec::new();
                expected.retain(|cycle| !seen.contains(cycle) && { seen.push(*cycle); true });
                let first = passed.map_or(chains.passages().len(), |way| way.first as usize);
                let found = chains.passages()[first..].iter().filter(|passage| passage.lowest < link);
                prop_assert!(found.map(|passage| passage.cycle).eq(expected));
            }
        }
    }
}
