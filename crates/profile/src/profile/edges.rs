//! The edges of a function and their probabilities, in a form that updates can change.

use cranelift_entity::{EntityRef, PrimaryMap};

use crate::bpi::{BranchProbabilities, Probability, Rule};
use crate::cfg::{Adjacency, Block, Graph};

/// The edges of every block. Blocks keep their numbers. If a block gets more edges, its edges move to the end of the
/// tables.
#[derive(Clone, Debug, Default)]
pub(super) struct EditableEdges {
    rows: PrimaryMap<Block, EdgeRange>,
    targets: Vec<Block>,
    probabilities: Vec<Probability>,
    weights: Vec<u32>,
}

/// The range of a block's edges, and the rule that determined their probabilities.
#[derive(Clone, Copy, Debug)]
struct EdgeRange {
    first: u32,
    count: u32,
    /// The rule that determined the probabilities of the edges.
    rule: Rule,
    /// Whether the block was removed.
    is_forgotten: bool,
}

impl EditableEdges {
    /// Copies the edges of `graph` with the probabilities of `result`.
    pub(crate) fn new(graph: &Graph, result: &BranchProbabilities) -> Self {
        let row = |block| {
            let edges = graph.edges(block);
            EdgeRange {
                first: edges.start as u32,
                count: edges.len() as u32,
                rule: result.rule(block),
                is_forgotten: false,
            }
        };
        EditableEdges {
            rows: graph.blocks().map(row).collect(),
            targets: graph.blocks().flat_map(|block| graph.successors(block)).copied().collect(),
            probabilities: result.probabilities().to_vec(),
            weights: result.weights().to_vec(),
        }
    }

    pub(crate) fn block_count(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn rule(&self, block: Block) -> Rule {
        self.rows[block].rule
    }

    pub(crate) fn successors(&self, block: Block) -> &[Block] {
        &self.targets[self.range(block)]
    }

    pub(crate) fn probabilities(&self, block: Block) -> &[Probability] {
        &self.probabilities[self.range(block)]
    }

    fn range(&self, block: Block) -> std::ops::Range<usize> {
        let EdgeRange { first, count, .. } = self.rows[block];
        first as usize..(first + count) as usize
    }

    /// Adds a block without edges.
    pub(crate) fn add_block(&mut self) -> Block {
        self.rows.push(EdgeRange { first: 0, count: 0, rule: Rule::Update, is_forgotten: false })
    }

    /// Replaces the edges of `block`.
    pub(crate) fn set(&mut self, block: Block, edges: impl ExactSizeIterator<Item = (Block, Probability)>) {
        let EdgeRange { mut first, count, is_forgotten, .. } = self.rows[block];
        let more = edges.len() as u32;
        if more > count {
            first = u32::try_from(self.targets.len()).expect("fewer than 2^32 edges");
            let end = self.targets.len() + edges.len();
            self.targets.resize(end, Block::new(0));
            self.probabilities.resize(end, Probability::ZERO);
            self.weights.resize(end, 0);
        }
        self.rows[block] = EdgeRange { first, count: more, rule: Rule::Update, is_forgotten };
        for (place, (target, probability)) in self.range(block).zip(edges) {
            self.targets[place] = target;
            self.set_probability(place, probability);
        }
    }

    /// Removes the edges of `block`, and records that the block is removed.
    pub(crate) fn forget(&mut self, block: Block) {
        self.set(block, std::iter::empty());
        self.rows[block].is_forgotten = true;
    }

    pub(crate) fn is_forgotten(&self, block: Block) -> bool {
        self.rows[block].is_forgotten
    }

    /// An edge to a removed block, if one exists.
    pub(crate) fn edge_to_forgotten(&self) -> Option<(Block, Block)> {
        let edges = self.rows.keys().flat_map(|from| self.successors(from).iter().map(move |&to| (from, to)));
        edges.into_iter().find(|&(_, to)| self.is_forgotten(to))
    }

    /// Replaces the probabilities of the edges of `block`.
    pub(crate) fn set_probabilities(&mut self, block: Block, probabilities: &[Probability]) {
        for (place, &probability) in self.range(block).zip(probabilities) {
            self.set_probability(place, probability);
        }
        self.rows[block].rule = Rule::Update;
    }

    fn set_probability(&mut self, place: usize, probability: Probability) {
        self.probabilities[place] = probability;
        self.weights[place] = probability.numerator();
    }

    /// Copies the probabilities of the outgoing edges of `from` to the outgoing edges of `to`. Both blocks must have
    /// the same number of outgoing edges.
    pub(crate) fn copy_probabilities(&mut self, from: Block, to: Block) {
        let (source, start) = (self.range(from), self.range(to).start);
        self.probabilities.copy_within(source.clone(), start);
        self.weights.copy_within(source, start);
        self.rows[to].rule = self.rows[from].rule;
    }

    /// Swaps two edges of `block`.
    pub(crate) fn swap(&mut self, block: Block, one: usize, other: usize) {
        let first = self.range(block).start;
        self.targets.swap(first + one, first + other);
        self.probabilities.swap(first + one, first + other);
        self.weights.swap(first + one, first + other);
    }

    /// Builds a graph from the edges. Also returns the probabilities of the edges.
    pub(crate) fn to_graph(&self) -> (Graph, BranchProbabilities) {
        let mut rows = Adjacency::with_capacity(self.rows.len(), self.targets.len());
        let mut probabilities = Vec::with_capacity(self.targets.len());
        let mut weights = Vec::with_capacity(self.targets.len());
        for block in self.rows.keys() {
            self.successors(block).iter().for_each(|&target| rows.push(target));
            probabilities.extend_from_slice(self.probabilities(block));
            weights.extend_from_slice(&self.weights[self.range(block)]);
            rows.end_row();
        }
        let rules = self.rows.values().map(|row| row.rule).collect();
        (Graph::from_successors(rows), BranchProbabilities::from_parts(probabilities, weights, rules))
    }
}
