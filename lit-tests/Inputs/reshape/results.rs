//! A hash of the results of all queries of a profile, for every block, edge and loop.

use std::fmt::Debug;
use std::hash::{DefaultHasher, Hasher};

use bpa::cfg::{Block, ControlFlow};
use bpa::{Probability, Profile};

/// The number of query results, and a hash of these results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    pub count: u64,
    pub digest: u64,
}

/// The number of results of a profile, and one hash of all these results.
pub fn of_profile(profile: &Profile) -> Results {
    let mut results = Collected::default();
    results.note_graph(profile.graph());
    for block in profile.blocks() {
        results.note_block(profile, block);
    }
    for natural in profile.loops().loops() {
        results.note(&profile.loop_scale(natural));
    }
    let nest = profile.nest();
    for nested in nest.loops() {
        results.note(&(nest.headers(nested), nest.is_irreducible(nested), nest.depth(nested)));
        results.note(&(nest.entries(nested), nest.scale(nested), nest.parent(nested)));
    }
    results.note(&(profile.entry_frequency(), profile.facts().graph().block_count()));
    results.finish()
}

/// The number of results that depend only on the graph, and one hash of all these results.
pub fn of_graph(graph: &ControlFlow) -> Results {
    let mut results = Collected::default();
    results.note_graph(graph);
    results.finish()
}

#[derive(Default)]
struct Collected {
    count: u64,
    hasher: DefaultHasher,
}

impl Collected {
    fn note(&mut self, result: &dyn Debug) {
        self.count += 1;
        self.hasher.write(format!("{result:?}").as_bytes());
    }

    fn number(&mut self, result: u64) {
        self.count += 1;
        self.hasher.write_u64(result);
    }

    /// Adds the number of the block `result` to the hash. If `result` is `None`, adds `u64::MAX`.
    fn block(&mut self, result: Option<Block>) {
        self.number(result.map_or(u64::MAX, |block| block.as_u32().into()));
    }

    fn finish(self) -> Results {
        Results { count: self.count, digest: self.hasher.finish() }
    }

    fn note_block(&mut self, profile: &Profile, block: Block) {
        let (successors, probabilities) = (profile.successors(block), profile.probabilities(block));
        assert_eq!(successors.len(), probabilities.len(), "edges of {block}");
        for (place, &target) in successors.iter().enumerate() {
            self.block(Some(target));
            self.number(profile.edge_probability(block, place).numerator().into());
            self.number(profile.successor_probability(block, target).numerator().into());
            self.number(profile.is_edge_above(block, target, Probability::ratio(1, 3)).into());
            self.number(profile.is_edge_hot(block, target).into());
            self.number(profile.edge_frequency(block, place).to_f64().to_bits());
        }
        self.block(profile.hot_successor(block));
        self.number(profile.rule(block).map_or(u64::MAX, |rule| rule as u64));
        self.number(profile.frequency(block).to_f64().to_bits());
        self.number(profile.integer_frequency(block));
        self.number(profile.count(block).unwrap_or(u64::MAX));
        self.number(profile.is_irreducible_header(block).into());
        self.number(profile.bias(block).is_some().into());
        self.number(profile.nest().around(block).count() as u64);
    }

    fn note_graph(&mut self, graph: &ControlFlow) {
        let (dominators, post_dominators) = (graph.dominators(), graph.post_dominators());
        let (loops, mut before) = (graph.loops(), graph.entry());
        for block in graph.blocks() {
            graph.successors(block).iter().for_each(|&next| self.block(Some(next)));
            graph.predecessors(block).iter().for_each(|&previous| self.block(Some(previous)));
            self.block(dominators.idom(block));
            self.block(dominators.nearest_common(before, block));
            self.number(dominators.dominates(before, block).into());
            self.number(dominators.children(block).len() as u64);
            self.block(post_dominators.ipdom(block));
            self.block(post_dominators.nearest_common(before, block));
            self.number(post_dominators.post_dominates(before, block).into());
            self.number(post_dominators.children(block).len() as u64);
            self.block(loops.innermost(block).map(|natural| loops.header(natural)));
            self.number(graph.sccs().of(block).map_or(u64::MAX, |component| component.as_u32().into()));
            before = block;
        }
        for natural in loops.loops() {
            self.block(Some(loops.header(natural)));
            self.block(loops.preheader(graph, natural));
            self.number(loops.depth(natural) as u64);
            self.number(loops.children(natural).count() as u64);
            self.note(&(loops.parent(natural), loops.members(natural), loops.latches(graph, natural)));
            self.number(loops.exits(graph, natural).count() as u64);
        }
    }
}
