//! Simple implementations of the rules, for property tests and fuzzing.
//!
//! Cycles are sets of blocks, weights are in maps, sums do not overflow, and every query is computed from reachability.
//! Blocks and cycles are evaluated in the same order as in `bpi`, because in LLVM the first weight of a block is final.

use std::collections::BTreeMap;

use crate::bpi::{BranchProbabilities, Rule};
use crate::cfg::naive::{self, Blocks};
use crate::cfg::{table, Block, ControlFlow, Graph};
use crate::dialect::Nesting;
use crate::facts::ConstantKind::{MinusOne, One, Zero};
use crate::facts::IntegerOperand::{Plain, StringComparison};
use crate::facts::Predicate::{Equal, Greater, Less, Unequal};
use crate::facts::{BlockFacts, BlockProperties, Condition, FloatPredicate, FunctionFacts, Terminator};

/// The innermost cycle around a block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cycle {
    None,
    Nested(Blocks),
    Component(Blocks),
}

impl Cycle {
    fn members(&self) -> Blocks {
        match self {
            Cycle::None => Blocks::new(),
            Cycle::Nested(members) | Cycle::Component(members) => members.clone(),
        }
    }

    /// Whether an edge from a block of this cycle to a block of `target` enters `target`.
    fn enters(&self, target: &Cycle) -> bool {
        match (self, target) {
            (_, Cycle::None) => false,
            (Cycle::Nested(from), Cycle::Nested(to)) => !from.is_subset(to),
            (_, Cycle::Nested(_)) => true,
            (from, to) => from != to,
        }
    }
}

/// Estimated weights of the blocks and cycles of one function.
pub(super) struct Estimated<'a> {
    graph: &'a Graph,
    nesting: Nesting,
    cycles: Vec<Cycle>,
    roots: Blocks,
    pub blocks: BTreeMap<Block, u32>,
    pub weighed: BTreeMap<Cycle, u32>,
    pending_blocks: Vec<Block>,
    pending_cycles: Vec<Cycle>,
}

impl<'a> Estimated<'a> {
    pub(super) fn of(function: &'a FunctionFacts) -> Self {
        let graph = &function.graph;
        let mut estimated = Estimated {
            graph,
            nesting: function.graph.nesting(),
            cycles: innermost_cycles(&function.graph),
            roots: naive::roots(graph),
            blocks: BTreeMap::new(),
            weighed: BTreeMap::new(),
            pending_blocks: Vec::new(),
            pending_cycles: Vec::new(),
        };
        for &block in naive::Walk::of(graph).postorder.iter().rev() {
            if let Some(weight) = initial_weight(&function.blocks[block]) {
                estimated.spread_up(block, weight);
            }
        }
        while !(estimated.pending_blocks.is_empty() && estimated.pending_cycles.is_empty()) {
            while let Some(cycle) = estimated.pending_cycles.pop() {
                estimated.weigh_cycle(cycle);
            }
            while let Some(block) = estimated.pending_blocks.pop() {
                estimated.weigh_block(block);
            }
        }
        estimated
    }

    pub(super) fn cycle_of(&self, block: Block) -> &Cycle {
        &self.cycles[block.as_u32() as usize]
    }

    /// Returns the weight of an edge to `target`. `source` is the innermost cycle around the block where the edge
    /// begins.
    pub(super) fn of_edge(&self, source: &Cycle, target: Block) -> Option<u32> {
        let entered = self.cycle_of(target);
        if source.enters(entered) { self.weighed.get(entered) } else { self.blocks.get(&target) }.copied()
    }

    fn weigh_cycle(&mut self, cycle: Cycle) {
        if self.weighed.contains_key(&cycle) {
            return;
        }
        let members = cycle.members();
        let edges = members.iter().flat_map(|&member| self.graph.successors(member));
        let exits = edges.filter(|target| !members.contains(target));
        let Some(highest) = highest(exits.map(|&target| self.of_edge(&cycle, target))) else { return };
        self.weighed.insert(cycle.clone(), highest.max(1));
        let sources = |block: &Block| self.graph.predecessors(*block).to_vec();
        match &cycle {
            Cycle::None => unreachable!("only cycles have weights"),
            Cycle::Nested(_) if self.nesting == Nesting::Cycles => {
                let found = naive::cycles::cycles(self.graph);
                let entered =
                    found.iter().find(|found| found.body == members).expect("the members form a cycle");
                let sources = entered.entries.iter().flat_map(sources);
                self.pending_blocks.extend(sources.filter(|source| !members.contains(source)));
            }
            Cycle::Nested(_) => {
                let loops = naive::loops(self.graph);
                let natural = loops
                    .iter()
                    .find(|natural| natural.body == members)
                    .expect("the members form a natural loop");
                self.pending_blocks.extend(sources(&natural.header));
            }
            Cycle::Component(_) => {
                let entered = |block: &&Block| sources(block).iter().any(|source| !members.contains(source));
                self.pending_blocks.extend(members.iter().filter(entered));
            }
        }
    }

    fn weigh_block(&mut self, block: Block) {
        let cycle = self.cycle_of(block);
        let edges = self.graph.successors(block).iter().map(|&target| self.of_edge(cycle, target));
        if let (false, Some(highest)) = (self.blocks.contains_key(&block), highest(edges)) {
            self.spread_up(block, highest);
        }
    }

    fn spread_up(&mut self, block: Block, weight: u32) {
        let cycle = self.cycle_of(block).clone();
        for dominator in dominators_upwards(self.graph, block) {
            if !naive::post_dominates(self.graph, &self.roots, block, dominator) {
                return;
            }
            let passed = self.cycle_of(dominator).clone();
            if cycle.enters(&passed) {
                self.pending_cycles.push(passed);
            } else if !passed.enters(&cycle) {
                if self.blocks.contains_key(&dominator) {
                    return;
                }
                self.assign(dominator, weight);
            }
        }
    }

    fn assign(&mut self, block: Block, weight: u32) {
        self.blocks.insert(block, weight);
        for &source in self.graph.predecessors(block) {
            let from = self.cycle_of(source).clone();
            if self.cycle_of(block).enters(&from) {
                self.pending_cycles.push(from);
            } else {
                self.pending_blocks.push(source);
            }
        }
    }
}

fn innermost_cycles(graph: &ControlFlow) -> Vec<Cycle> {
    match graph.nesting() {
        Nesting::LoopsAndComponents => loops_and_components(graph),
        Nesting::Cycles => {
            let found = naive::cycles::cycles(graph);
            let around = |block| found.iter().filter(move |cycle| cycle.body.contains(&block));
            let innermost = |block| around(block).min_by_key(|cycle| cycle.body.len());
            let cycle =
                |block| innermost(block).map_or(Cycle::None, |cycle| Cycle::Nested(cycle.body.clone()));
            graph.blocks().map(cycle).collect()
        }
    }
}

fn loops_and_components(graph: &Graph) -> Vec<Cycle> {
    let loops = naive::loops(graph);
    let alive = naive::reached(graph, graph.entry(), None);
    let cycle = |block| {
        let around = loops.iter().filter(|natural| natural.body.contains(&block));
        let component = naive::component(graph, block);
        match around.min_by_key(|natural| natural.body.len()) {
            Some(innermost) => Cycle::Nested(innermost.body.clone()),
            None if component.len() > 1 && alive.contains(&block) => Cycle::Component(component),
            None => Cycle::None,
        }
    };
    graph.blocks().map(cycle).collect()
}

/// The dominators of `block`, from `block` itself up to the entry.
fn dominators_upwards(graph: &Graph, block: Block) -> Vec<Block> {
    let below = |above: &Block| naive::dominated(graph, *above);
    let mut dominators: Vec<Block> = graph.blocks().filter(|above| below(above).contains(&block)).collect();
    dominators.sort_by_key(|above| below(above).len());
    dominators
}

/// The highest of `weights`, or `None` if `weights` is empty or contains an unknown weight.
fn highest(weights: impl Iterator<Item = Option<u32>>) -> Option<u32> {
    weights.collect::<Option<Vec<u32>>>()?.into_iter().max()
}

fn initial_weight(facts: &BlockFacts) -> Option<u32> {
    let has = |property| facts.properties.has(property);
    match () {
        () if has(BlockProperties::NEVER_COMPLETES) && !has(BlockProperties::NORETURN_CALL) => Some(0),
        () if has(BlockProperties::NEVER_COMPLETES) || has(BlockProperties::EXCEPTION_PATH) => Some(1),
        () if has(BlockProperties::COLD_CALL) => Some(0xFFFF),
        () => None,
    }
}

/// The result of the rules for one block with several successors.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decision {
    pub rule: Rule,
    pub weights: Vec<u32>,
    pub numerators: Vec<u32>,
}

/// Applies the rules to the edges of `block`. `halved` is true for each unlikely successor.
pub(super) fn decide(
    function: &FunctionFacts,
    estimated: &Estimated,
    halved: [bool; 2],
    block: Block,
) -> Decision {
    let graph = &function.graph;
    let count = graph.successors(block).len();
    if !naive::reached(graph, graph.entry(), None).contains(&block) {
        return even(count);
    }
    let source = estimated.cycle_of(block);
    let edges: Vec<Option<u32>> =
        graph.successors(block).iter().map(|&target| estimated.of_edge(source, target)).collect();
    if let Some(given) = function.weights(block) {
        let unreachable: Vec<bool> = edges.iter().map(|&weight| weight == Some(0)).collect();
        return Decision {
            rule: Rule::Metadata,
            weights: given.to_vec(),
            numerators: metadata_numerators(given, &unreachable),
        };
    }
    if let Some(weights) = edge_weights(estimated, graph, halved, block, &edges) {
        return weighed(Rule::EstimatedWeights, weights);
    }
    let facts = &function.blocks[block];
    match (facts.terminator, condition_weights(facts.condition)) {
        (Terminator::Branch, Some((rule, weights))) => weighed(rule, weights.to_vec()),
        _ => even(count),
    }
}

/// The weights of the rule that applies to `condition`.
pub(super) fn condition_weights(condition: Condition) -> Option<(Rule, [u32; 2])> {
    const UNEXPECTED: [Condition; 4] = [
        Condition::Pointer { unequal: false },
        Condition::Float { predicate: FloatPredicate::EqualityUnordered },
        Condition::Integer { predicate: Less, operand: Plain, constant: Zero },
        Condition::Integer { predicate: Less, operand: Plain, constant: One },
    ];
    const EXPECTED: [Condition; 4] = [
        Condition::Pointer { unequal: true },
        Condition::Float { predicate: FloatPredicate::EqualityOrdered },
        Condition::Integer { predicate: Greater, operand: Plain, constant: Zero },
        Condition::Integer { predicate: Greater, operand: Plain, constant: MinusOne },
    ];
    let rule = match condition {
        Condition::Opaque => return None,
        Condition::Pointer { .. } => Rule::Pointer,
        Condition::Integer { .. } => Rule::Constant,
        Condition::Float { .. } => Rule::FloatingPoint,
    };
    let equality_of = |predicate| match condition {
        Condition::Integer { operand: StringComparison, predicate: own, .. } => own == predicate,
        Condition::Integer { operand: Plain, constant: Zero | MinusOne, predicate: own } => own == predicate,
        _ => false,
    };
    match condition {
        Condition::Float { predicate: FloatPredicate::Ordered } => Some((rule, [1_048_575, 1])),
        Condition::Float { predicate: FloatPredicate::Unordered } => Some((rule, [1, 1_048_575])),
        _ if UNEXPECTED.contains(&condition) || equality_of(Equal) => Some((rule, [12, 20])),
        _ if EXPECTED.contains(&condition) || equality_of(Unequal) => Some((rule, [20, 12])),
        _ => None,
    }
}

/// The estimated weights of all edges of `block`, or `None` if no weight is known, or if all weights are 0.
fn edge_weights(
    estimated: &Estimated,
    graph: &Graph,
    halved: [bool; 2],
    block: Block,
    edges: &[Option<u32>],
) -> Option<Vec<u32>> {
    let source = estimated.cycle_of(block);
    let mut known = false;
    let mut weights = Vec::new();
    for (place, &edge) in edges.iter().enumerate() {
        let exits = estimated.cycle_of(graph.successors(block)[place]).enters(source);
        let halves = matches!(source, Cycle::Nested(_)) && place < 2 && halved[place];
        known |= edge.is_some() || exits || halves;
        let mut weight = edge.unwrap_or(1_048_575);
        if weight != 0 {
            weight = if exits { (weight / 31).max(1) } else { weight };
            weight = if halves { (weight / 2).max(1) } else { weight };
        }
        weights.push(weight);
    }
    (known && weights.iter().any(|&weight| weight != 0)).then_some(weights)
}

/// The numerators of the probabilities from metadata, computed with 128 bits. The probability of an edge to a block
/// that never completes is limited to 2^-31.
pub(super) fn metadata_numerators(given: &[u32], unreachable: &[bool]) -> Vec<u32> {
    const ONE: u128 = 1 << 31;
    let wide_sum: u128 = given.iter().map(|&weight| u128::from(weight)).sum();
    let most = u128::from(u32::MAX);
    let divisor = if wide_sum > most { wide_sum / most + 1 } else { 1 };
    let mut weights: Vec<u128> = given.iter().map(|&weight| u128::from(weight) / divisor).collect();
    if weights.iter().all(|&weight| weight == 0) || unreachable.iter().all(|&u| u) {
        weights.fill(1);
    }
    let sum: u128 = weights.iter().sum();
    let mut shares: Vec<u128> = weights.iter().map(|&weight| nearest(weight * ONE, sum)).collect();
    let (some, all) = (unreachable.contains(&true), unreachable.iter().all(|&u| u));
    if some && !all {
        shares
            .iter_mut()
            .zip(unreachable)
            .filter(|&(_, &u)| u)
            .for_each(|(share, _)| *share = (*share).min(1));
        let of = |wanted: bool, shares: &[u128]| -> u128 {
            shares.iter().zip(unreachable).filter(|&(_, &u)| u == wanted).map(|(share, _)| share).sum()
        };
        let before = of(false, &shares).min(ONE);
        let after = ONE - of(true, &shares);
        let heirs = unreachable.iter().filter(|&&u| !u).count() as u128;
        for (share, _) in shares.iter_mut().zip(unreachable).filter(|&(_, &u)| !u) {
            *share = if before == 0 { after / heirs } else { nearest(*share * after, before) };
        }
    }
    shares.into_iter().map(|share| u32::try_from(share).expect("the probability is at most 1")).collect()
}

fn weighed(rule: Rule, weights: Vec<u32>) -> Decision {
    let sum: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    let numerators = weights.iter().map(|&weight| nearest(u128::from(weight) << 31, sum) as u32).collect();
    Decision { rule, weights, numerators }
}

fn even(count: usize) -> Decision {
    weighed(Rule::Even, vec![1; count])
}

/// The integer nearest to a quotient, with halves rounded up.
pub(super) fn nearest(dividend: u128, divisor: u128) -> u128 {
    (2 * dividend + divisor) / (2 * divisor)
}

/// Checks the rule, weights and probabilities of every branch against [`decide`]. For each of the two successors of a
/// branch, `halved` returns whether the successor is unlikely.
pub(super) fn check_decisions(
    function: &FunctionFacts,
    halved: impl Fn(Block) -> [bool; 2],
    result: &BranchProbabilities,
) {
    let graph = &function.graph;
    let estimated = Estimated::of(function);
    for block in graph.blocks().filter(|&block| graph.successors(block).len() > 1) {
        let edges = graph.edges(block);
        let decision = Decision {
            rule: result.rule(block),
            weights: result.weights()[edges.clone()].to_vec(),
            numerators: result.probabilities()[edges].iter().map(|edge| edge.numerator()).collect(),
        };
        assert_eq!(decision, decide(function, &estimated, halved(block), block), "decision for {block}");
    }
}

/// Checks that the probabilities of a block add up to 1. The tolerance is one unit for each edge, because probabilities
/// from metadata can be rounded twice.
pub(super) fn check_sums(graph: &Graph, result: &BranchProbabilities) {
    for block in graph.blocks().filter(|&block| !graph.successors(block).is_empty()) {
        let edges = &result.probabilities()[graph.edges(block)];
        let sum: i64 = edges.iter().map(|edge| i64::from(edge.numerator())).sum();
        assert!(
            (sum - (1 << 31)).abs() <= edges.len() as i64,
            "the probabilities of {block} have the sum {sum}"
        );
    }
}

/// Checks that every edge is visited. Also computes the sum of the probabilities of parallel edges with 128 bits, and
/// compares this sum with the sum in `result`.
pub(super) fn check_targets(graph: &Graph, result: &BranchProbabilities) {
    let mut totals = table(graph.block_count(), 0);
    for block in graph.blocks() {
        let edges = graph.edges(block).map(|edge| u128::from(result.probabilities()[edge].numerator()));
        let edges: Vec<(Block, u128)> = graph.successors(block).iter().copied().zip(edges).collect();
        let sum_to = |target: Block| {
            let parallel = edges.iter().filter(|edge| edge.0 == target);
            match result.rule(block) {
                Rule::Even => nearest((parallel.count() as u128) << 31, edges.len() as u128),
                _ => parallel.map(|edge| edge.1).sum::<u128>().min(1 << 31),
            }
        };
        let mut found = Vec::new();
        result.for_each_target(graph, block, &mut totals, |target, sum| {
            found.push((target, u128::from(sum.numerator())));
        });
        let expected: Vec<(Block, u128)> = edges.iter().map(|edge| (edge.0, sum_to(edge.0))).collect();
        assert_eq!(found, expected, "targets of {block}");
        assert!(totals.values().all(|&total| total == 0), "the scratch memory is not reset");
    }
}
