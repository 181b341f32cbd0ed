//! The edges of a function and their probabilities, in a form that can be changed.

use cranelift_entity::{EntityRef, PrimaryMap};

use crate::bpi::{BranchProbabilities, Probability, Rule};
use crate::cfg::{Block, Graph, Rows};

/// Every block's edges. Blocks keep their numbers; a block whose edges become more gets a new place for them.
#[derive(Clone, Debug, Default)]
pub(super) struct Edges {
    rows: PrimaryMap<Block, Row>,
    targets: Vec<Block>,
    probabilities: Vec<Probability>,
}

/// Where the edges of a block are.
#[derive(Clone, Copy, Debug)]
struct Row {
    first: u32,
    count: u32,
    /// What decided their probabilities; nothing if they were set.
    rule: Option<Rule>,
}

impl Edges {
    /// The edges of `graph` with the probabilities that were worked out for it.
    pub fn new(graph: &Graph, result: &BranchProbabilities) -> Self {
        let row = |block| {
            let edges = graph.edges(block);
            Row { first: edges.start as u32, count: edges.len() as u32, rule: Some(result.rule(block)) }
        };
        Edges {
            rows: graph.blocks().map(row).collect(),
            targets: graph.blocks().flat_map(|block| graph.successors(block)).copied().collect(),
            probabilities: result.probabilities().to_vec(),
        }
    }

    pub fn block_count(&self) -> usize {
        self.rows.len()
    }

    pub fn contains(&self, block: Block) -> bool {
        self.rows.is_valid(block)
    }

    pub fn rule(&self, block: Block) -> Option<Rule> {
        self.rows[block].rule
    }

    pub fn successors(&self, block: Block) -> &[Block] {
        &self.targets[self.range(block)]
    }

    pub fn probabilities(&self, block: Block) -> &[Probability] {
        &self.probabilities[self.range(block)]
    }

    fn range(&self, block: Block) -> std::ops::Range<usize> {
        let Row { first, count, .. } = self.rows[block];
        first as usize..(first + count) as usize
    }

    /// The probability of going from `block` to `successor` by any edge; see
    /// [`BranchProbabilities::for_each_target`] for how parallel edges are summed.
    pub fn probability_of(&self, block: Block, successor: Block) -> Probability {
        let targets = self.successors(block);
        let parallel =
            targets.iter().zip(self.probabilities(block)).filter(|(&target, _)| target == successor);
        if self.rule(block) == Some(Rule::Even) && !targets.is_empty() {
            Probability::ratio(parallel.count() as u32, targets.len() as u32)
        } else {
            parallel.map(|(_, &probability)| probability).fold(Probability::ZERO, |sum, one| sum + one)
        }
    }

    /// Adds a block without edges.
    pub fn add_block(&mut self) -> Block {
        self.rows.push(Row { first: 0, count: 0, rule: None })
    }

    /// Gives `block` other edges.
    pub fn set(&mut self, block: Block, edges: impl ExactSizeIterator<Item = (Block, Probability)>) {
        let Row { mut first, count, .. } = self.rows[block];
        let more = edges.len() as u32;
        if more > count {
            first = u32::try_from(self.targets.len()).expect("fewer than 2^32 edges");
            self.targets.resize(self.targets.len() + edges.len(), Block::new(0));
            self.probabilities.resize(self.targets.len(), Probability::ZERO);
        }
        self.rows[block] = Row { first, count: more, rule: None };
        for (place, (target, probability)) in self.range(block).zip(edges) {
            self.targets[place] = target;
            self.probabilities[place] = probability;
        }
    }

    /// Gives the edges of `block` other probabilities, one for each.
    pub fn set_probabilities(&mut self, block: Block, probabilities: &[Probability], rule: Option<Rule>) {
        let range = self.range(block);
        self.probabilities[range].copy_from_slice(probabilities);
        self.rows[block].rule = rule;
    }

    /// Lets two edges of `block` change places.
    pub fn swap(&mut self, block: Block, one: usize, other: usize) {
        let first = self.range(block).start;
        self.targets.swap(first + one, first + other);
        self.probabilities.swap(first + one, first + other);
    }

    /// The graph, and the probability of each of its edges.
    pub fn to_graph(&self) -> (Graph, Vec<Probability>) {
        let mut rows = Rows::with_capacity(self.rows.len(), self.targets.len());
        let mut probabilities = Vec::with_capacity(self.targets.len());
        for block in self.rows.keys() {
            self.successors(block).iter().for_each(|&target| rows.push(target));
            probabilities.extend_from_slice(self.probabilities(block));
            rows.end_row();
        }
        (Graph::from_successors(rows), probabilities)
    }
}
