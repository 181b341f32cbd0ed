//! A second, simple implementation of block frequencies, for property tests and fuzzing. The results of this
//! implementation are exact numbers or ranges.
//!
//! The frequency of a block has two definitions:
//!
//! - If every cycle is a natural loop with an exit, the frequency of a block is its expected number of executions. This
//!   number is the solution of linear equations, computed with integers of any width.
//! - For other cycles, the frequency is the result of LLVM's algorithm, implemented with sets and maps. Every number is
//!   a [`Range`]. The range contains the exact number and every number that LLVM's rounding can produce.

mod exact;

use std::collections::BTreeMap;

use num_bigint::{BigInt, BigUint};

use crate::bfi::{BlockFrequencies, FrequencyInput, Scaled};
use crate::cfg::naive::{self, Blocks, NaturalLoop};
use crate::cfg::{Block, Graph};
use crate::dialect::FrequencyScaling;
pub(super) use exact::{check_exact, visits};

/// The number of fraction bits of a [`Range`].
const FRACTION: usize = 640;

/// All numbers from `low` to `high`, in units of 2^-640. Arithmetic rounds outwards.
#[derive(Clone, Debug)]
pub(super) struct Range {
    low: BigInt,
    high: BigInt,
}

impl Range {
    fn exactly(number: impl Into<BigInt>) -> Self {
        let low = number.into() << FRACTION;
        Range { high: low.clone(), low }
    }

    fn full() -> Self {
        Range::exactly(u64::MAX)
    }

    fn plus(&self, other: &Range) -> Self {
        Range { low: &self.low + &other.low, high: &self.high + &other.high }
    }

    fn times(&self, other: &Range) -> Self {
        let low = (&self.low * &other.low) >> FRACTION;
        Range { low, high: ((&self.high * &other.high) >> FRACTION) + 1 }
    }

    /// Divides by `other`. If `other` is smaller than 2^-640, divides by 2^-640 instead.
    fn over(&self, other: &Range) -> Self {
        let quotient = |dividend: &BigInt, divisor: &BigInt| (dividend << FRACTION) / divisor.max(&1.into());
        Range { low: quotient(&self.low, &other.high), high: quotient(&self.high, &other.low) + 1 }
    }

    /// The range of numbers that differ from a number in `self` by at most `error`. The result is limited to the range
    /// from 0 to `most`.
    fn give_or_take(&self, error: &Range, most: &Range) -> Self {
        let low = (&self.low - &error.high).max(0.into());
        Range { low, high: (&self.high + &error.high).min(most.high.clone()) }
    }

    /// The range that contains all numbers of `self` after rounding to 64 bits. The relative rounding error is at most
    /// 2^-63.
    fn rounded(&self) -> Self {
        let low: BigInt = &self.low - (&self.low >> 63) - 1u32;
        Range { low: low.max(0.into()), high: &self.high + (&self.high >> 63) + 1 }
    }

    fn or(&self, other: &Range) -> Self {
        let (low, high) = ((&self.low).min(&other.low), (&self.high).max(&other.high));
        Range { low: low.clone(), high: high.clone() }
    }

    /// Converts a mass to a fraction of the whole flow. The mass of the whole flow is 2^64-1. Like LLVM, adds 1 to the
    /// mass and divides the sum by 2^64.
    fn to_part(&self) -> Self {
        let counted = self.plus(&Range::exactly(1));
        Range { low: &self.low >> 64, high: (counted.high >> 64) + 1 }
    }

    fn has(&self, number: Scaled) -> bool {
        let place = FRACTION as i32 + i32::from(number.exponent());
        let (up, down) = (place.max(0) as usize, (-place).max(0) as usize);
        let number = BigInt::from(number.digits()) << up;
        (&self.low << down) <= number && number <= (&self.high << down)
    }
}

/// A block, or a solved region. In the enclosing region or function, a solved region is one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Block(Block),
    Region(usize),
}

/// A solved natural loop or irreducible region.
struct Region {
    first_header: Block,
    blocks: Blocks,
    masses: BTreeMap<Node, Range>,
    exits: Vec<(Block, Range)>,
    scale: Range,
}

/// The region or function that is being solved. `nodes` maps each block of this region or function to its node.
struct Level {
    nodes: BTreeMap<Block, Node>,
    headers: Vec<Node>,
}

/// The mass that leaves a region, and the mass that returns to the headers of the region.
struct Passed {
    back: BTreeMap<Node, Range>,
    exits: Vec<(Block, Range)>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Inside(Node),
    Outside(Block),
}

/// Computes block frequencies with LLVM's algorithm. If `even` is true, all edges of a block have the same weight,
/// header weights are ignored, and every region has the scale 1.
struct Scheme<'a> {
    input: &'a FrequencyInput<'a>,
    even: bool,
    order: Vec<Block>,
    loops: Vec<NaturalLoop>,
    regions: Vec<Region>,
}

/// The frequency of every reachable block.
pub(super) fn frequencies(input: &FrequencyInput, even: bool) -> BTreeMap<Block, Range> {
    let mut order = naive::Walk::of(input.graph).postorder;
    order.reverse();
    let loops = naive::loops(input.graph);
    let mut scheme = Scheme { input, even, order, loops, regions: Vec::new() };
    let blocks: Blocks = scheme.order.iter().copied().collect();
    let level = scheme.level(&blocks, None);
    let mut masses = BTreeMap::from([(level.nodes[&input.graph.entry()], Range::full())]);
    scheme.pass(&level, &mut masses);
    let mut found = BTreeMap::new();
    scheme.multiply(&masses, None, &mut found);
    found
}

impl Scheme<'_> {
    fn index(&self, block: Block) -> usize {
        self.order.iter().position(|&other| other == block).expect("the block is reachable")
    }

    fn rpo_index(&self, node: Node) -> usize {
        match node {
            Node::Block(block) => self.index(block),
            Node::Region(region) => self.index(self.regions[region].first_header),
        }
    }

    /// Solves the loops and irreducible regions inside `blocks`, and replaces each of them by a node. If `blocks` are
    /// the blocks of a loop, `header` is the header of this loop.
    fn level(&mut self, blocks: &Blocks, header: Option<Block>) -> Level {
        let mut nodes: BTreeMap<Block, Node> =
            blocks.iter().map(|&block| (block, Node::Block(block))).collect();
        let inside = |natural: &NaturalLoop| natural.body.is_subset(blocks) && Some(natural.header) != header;
        let inner: Vec<NaturalLoop> = self.loops.iter().filter(|natural| inside(natural)).cloned().collect();
        for natural in &inner {
            let around =
                |other: &&NaturalLoop| other.header != natural.header && natural.body.is_subset(&other.body);
            if !inner.iter().any(|other| around(&other)) {
                let region = self.solve_loop(natural);
                nodes.extend(natural.body.iter().map(|&block| (block, region)));
            }
        }
        let headers = header.iter().map(|&header| Node::Block(header)).collect();
        let mut level = Level { nodes, headers };
        for component in self.components(&level) {
            let region = self.solve_irreducible(&level, &component);
            let own = level.nodes.values_mut().filter(|node| component.contains(node));
            own.for_each(|node| *node = region);
        }
        level
    }

    /// The edges within `level`, except edges to the headers of `level`.
    fn edges(&self, level: &Level) -> Vec<(Node, Node)> {
        let mut edges = Vec::new();
        for &source in level.nodes.values() {
            let targets: Vec<Block> = match source {
                Node::Block(block) => self.input.graph.successors(block).to_vec(),
                Node::Region(region) => self.regions[region].exits.iter().map(|exit| exit.0).collect(),
            };
            let inside = targets.iter().filter_map(|target| level.nodes.get(target));
            edges.extend(inside.filter(|&node| !level.headers.contains(node)).map(|&node| (source, node)));
        }
        edges
    }

    /// The strongly connected components of `level` with at least two nodes.
    fn components(&self, level: &Level) -> Vec<Vec<Node>> {
        let edges = self.edges(level);
        let reached = |start: Node| {
            let mut found = vec![start];
            let mut place = 0;
            while let Some(&node) = found.get(place) {
                for &(source, target) in &edges {
                    if source == node && !found.contains(&target) {
                        found.push(target);
                    }
                }
                place += 1;
            }
            found
        };
        let mut components: Vec<Vec<Node>> = Vec::new();
        for &node in level.nodes.values() {
            if !components.iter().any(|component| component.contains(&node)) {
                let mut component = reached(node);
                component.retain(|&other| reached(other).contains(&node));
                components.push(component);
            }
        }
        components.retain(|component| component.len() > 1);
        components
    }

    fn solve_loop(&mut self, natural: &NaturalLoop) -> Node {
        let level = self.level(&natural.body, Some(natural.header));
        let mut masses = BTreeMap::from([(Node::Block(natural.header), Range::full())]);
        let passed = self.pass(&level, &mut masses);
        self.close(&level, natural.header, masses, passed)
    }

    /// Solves an irreducible region. A node N of the region is a header if it is an entry, or if it has a predecessor P
    /// with three properties: P is in the region, P is not an entry, and the RPO index of P is at least the RPO index
    /// of N.
    fn solve_irreducible(&mut self, around: &Level, component: &[Node]) -> Node {
        let edges = self.edges(around);
        let inside = |node: &Node| component.contains(node);
        let into = |node: Node| edges.iter().filter(move |edge| edge.1 == node).map(|edge| edge.0);
        let entered = |node: Node| into(node).any(|source| !inside(&source));
        let behind = |node: Node| {
            let backwards = |source: &Node| self.rpo_index(*source) >= self.rpo_index(node);
            into(node).any(|source| inside(&source) && backwards(&source) && !entered(source))
        };
        let mut headers: Vec<Node> =
            component.iter().copied().filter(|&node| entered(node) || behind(node)).collect();
        headers.sort_by_key(|&node| self.rpo_index(node));
        let own = around.nodes.iter().filter(|(_, node)| component.contains(node));
        let level = Level { nodes: own.map(|(&block, &node)| (block, node)).collect(), headers };

        let given: Vec<Option<u64>> =
            level.headers.iter().map(|&header| self.header_weight(header)).collect();
        let least = given.iter().flatten().min().copied();
        let weights = level.headers.iter().zip(&given).filter_map(|(&header, weight)| {
            let weight = weight.or(least).unwrap_or(1);
            (weight > 0).then(|| (header, Range::exactly(weight)))
        });
        let mut masses: BTreeMap<Node, Range> = split(&Range::full(), weights.collect());
        let passed = self.pass(&level, &mut masses);
        if least.is_none() {
            let parts = split(&Range::full(), passed.back.clone());
            for (header, part) in parts {
                let before = masses.get(&header).cloned().unwrap_or(Range::exactly(0));
                // A header to which no mass returns keeps its mass.
                let nothing_back = passed.back[&header].low <= 0.into();
                masses.insert(header, if nothing_back { part.or(&before) } else { part });
            }
        }
        let first = level.headers[0];
        let first_header = self.order[self.rpo_index(first)];
        self.close(&level, first_header, masses, passed)
    }

    fn header_weight(&self, header: Node) -> Option<u64> {
        let block = self.order[self.rpo_index(header)];
        let given = self.input.header_weights.iter().find(|given| given.0 == block)?;
        (!self.even).then_some(given.1)
    }

    /// Distributes mass through `level`, headers first.
    fn pass(&self, level: &Level, masses: &mut BTreeMap<Node, Range>) -> Passed {
        let mut nodes: Vec<Node> = level.nodes.values().copied().collect();
        nodes.sort_by_key(|&node| (!level.headers.contains(&node), self.rpo_index(node)));
        nodes.dedup();
        let mut passed = Passed { back: BTreeMap::new(), exits: Vec::new() };
        for &header in &level.headers {
            passed.back.insert(header, Range::exactly(0));
        }
        for node in nodes {
            let mass = masses.entry(node).or_insert(Range::exactly(0)).clone();
            for (target, part) in split(&mass, self.weights(level, node)) {
                match target {
                    Target::Outside(block) => passed.exits.push((block, part)),
                    Target::Inside(node) => {
                        let back = passed.back.get_mut(&node);
                        let sum = back.unwrap_or_else(|| masses.entry(node).or_insert(Range::exactly(0)));
                        *sum = sum.plus(&part);
                    }
                }
            }
        }
        passed
    }

    /// The weights by which the mass of `node` is distributed. Each weight is at least one unit.
    fn weights(&self, level: &Level, node: Node) -> BTreeMap<Target, Range> {
        let edges: Vec<(Block, Range)> = match node {
            Node::Block(block) => {
                let targets = self.input.graph.edges(block).zip(self.input.graph.successors(block));
                let weight = |edge: usize| match self.even {
                    true => 1,
                    false => self.input.probabilities[edge].numerator().max(1),
                };
                targets.map(|(edge, &target)| (target, Range::exactly(weight(edge)))).collect()
            }
            Node::Region(region) => {
                let at_least_one = Range { low: 0.into(), high: BigInt::from(1) << FRACTION };
                let exits = self.regions[region].exits.iter();
                exits.map(|(target, mass)| (*target, mass.plus(&at_least_one))).collect()
            }
        };
        let mut weights = BTreeMap::new();
        for (block, weight) in edges {
            let target = level.nodes.get(&block).map_or(Target::Outside(block), |&node| Target::Inside(node));
            let sum = weights.entry(target).or_insert(Range::exactly(0));
            *sum = sum.plus(&weight);
        }
        weights
    }

    /// Replaces the solved region `level` by a single node. The scale of the node is the entering mass divided by the
    /// leaving mass.
    fn close(
        &mut self,
        level: &Level,
        first_header: Block,
        masses: BTreeMap<Node, Range>,
        passed: Passed,
    ) -> Node {
        let back = passed.back.values().fold(Range::exactly(0), |sum, part| sum.plus(part));
        let full = Range::full();
        let leaving = Range {
            low: (&full.low - &back.high).max(0.into()),
            high: (&full.high - &back.low).max(0.into()),
        };
        let repeats = Range::exactly(1).over(&leaving.to_part()).rounded();
        let forever = Range::exactly(4096);
        let scale = match () {
            () if self.even => Range::exactly(1),
            () if leaving.high == 0.into() => forever,
            () if leaving.low == 0.into() => repeats.or(&forever),
            () => repeats,
        };
        let blocks = level.nodes.keys().copied().collect();
        self.regions.push(Region { first_header, blocks, masses, exits: passed.exits, scale });
        Node::Region(self.regions.len() - 1)
    }

    /// Computes the frequency of each block: the mass of the block, times the masses and scales of all regions around
    /// the block.
    fn multiply(
        &self,
        masses: &BTreeMap<Node, Range>,
        factor: Option<&Range>,
        found: &mut BTreeMap<Block, Range>,
    ) {
        let times_factor = |number: Range| factor.map_or(number.clone(), |f| f.times(&number).rounded());
        for (&node, mass) in masses {
            match node {
                Node::Block(block) => {
                    found.insert(block, times_factor(mass.to_part()));
                }
                Node::Region(inner) => {
                    let Region { scale, masses, blocks, .. } = &self.regions[inner];
                    let factor = times_factor(scale.clone()).times(&mass.to_part()).rounded();
                    self.multiply(masses, Some(&factor), found);
                    debug_assert!(blocks.iter().all(|block| found.contains_key(block)));
                }
            }
        }
    }
}

/// Splits `mass` in proportion to `weights`.
///
/// LLVM computes the parts in order, each from the remaining mass. These parts of the mass are inexact for two reasons:
///
/// 1. Each part is the product of a mass and a fraction. The error of the fraction is at most 2^-32, and each part is
///    rounded to an integer. The errors add up: the error of the last of n parts is at most n times the error of the
///    first part.
/// 2. If the sum of the weights needs more than 32 bits, LLVM first divides all weights by a power of two. The sum
///    of the divided weights still needs at least 30 bits. The divided weights are rounded to integers. Each weight
///    therefore has an error of at most 1, and the sum has an error of at most n.
fn split<T: Ord + Copy>(mass: &Range, weights: BTreeMap<T, Range>) -> BTreeMap<T, Range> {
    if weights.len() == 1 {
        return weights.into_keys().map(|target| (target, mass.clone())).collect();
    }
    let count = weights.len() as u32;
    let sum = weights.values().fold(Range::exactly(0), |sum, weight| sum.plus(weight));
    let narrowed = sum.high >= Range::exactly(1u64 << 32).low;
    let lost = Range::exactly(count + 1).over(&Range::exactly((1 << 30) - count));
    let error = Range::exactly(count)
        .times(&Range { low: 0.into(), high: (&mass.high >> 32) + (BigInt::from(1) << FRACTION) });
    let part = |weight: &Range| {
        // The weight can have any value of its range, regardless of the sum of the other weights.
        let least = &weight.low + (&sum.high - &weight.high);
        let most = &weight.high + (&sum.low - &weight.low);
        let low = Range { low: weight.low.clone(), high: weight.low.clone() };
        let high = Range { low: weight.high.clone(), high: weight.high.clone() };
        let low = low.over(&Range { low: least.clone(), high: least }).low;
        let high = high.over(&Range { low: most.clone(), high: most }).high;
        let mut share = Range { low, high };
        if narrowed {
            share = share.give_or_take(&lost, &Range::exactly(1));
        }
        mass.times(&share).give_or_take(&error, mass)
    };
    weights.iter().map(|(&target, weight)| (target, part(weight))).collect()
}

/// Whether every cycle is in a natural loop that has an exit.
fn is_plain(graph: &Graph) -> bool {
    let loops = naive::loops(graph);
    let alive = naive::reached(graph, graph.entry(), None);
    let leaves = |natural: &NaturalLoop| {
        let ends = |block: &Block| graph.successors(*block).is_empty();
        naive::reached(graph, natural.header, None).iter().any(ends)
    };
    let back_edge = |source: Block, target: Block| {
        loops.iter().any(|natural| natural.header == target && natural.body.contains(&source))
    };
    let forward: Vec<(Block, Block)> = alive
        .iter()
        .flat_map(|&block| graph.successors(block).iter().map(move |&target| (block, target)))
        .filter(|&(source, target)| !back_edge(source, target))
        .collect();
    // The loop below ignores back edges and repeatedly removes a block without predecessors. If a block remains, there
    // is a cycle without back edges.
    let mut left = alive.clone();
    while let Some(&first) =
        left.iter().find(|&&block| !forward.iter().any(|edge| edge.1 == block && left.contains(&edge.0)))
    {
        left.remove(&first);
    }
    left.is_empty() && loops.iter().all(leaves)
}

/// Checks the floating-point frequencies, the reference frequencies and the integer frequencies against their
/// definitions.
pub(super) fn check(input: &FrequencyInput, result: &BlockFrequencies, reference: impl Fn(Block) -> Scaled) {
    let (expected, even) = (frequencies(input, false), frequencies(input, true));
    for block in input.graph.blocks() {
        let (frequency, reference) = (result.scaled(block), reference(block));
        let Some(range) = expected.get(&block) else {
            assert!(frequency.is_zero() && reference.is_zero() && result.integer(block) == 0);
            continue;
        };
        assert!(range.has(frequency), "{block}: {frequency:?} is not {}", shown(range));
        assert!(even[&block].has(reference), "{block}: {reference:?} is not {}", shown(&even[&block]));
    }
    if is_plain(input.graph) {
        for (block, (numerator, denominator)) in visits(input) {
            let Range { low, high } = &expected[&block];
            let exact = (numerator << FRACTION) / denominator;
            assert!(*low <= &exact + 1u32 && exact <= *high, "{block} runs {exact} times, over 2^{FRACTION}");
        }
    }
    check_integers(input, result);
}

/// Checks the integer frequencies. All frequencies are multiplied by the same factor, and each product is truncated to
/// an integer. The factor maps the smallest frequency to 8, or the largest frequency to a power of two. The factor and
/// the products are rounded to 64 bits.
fn check_integers(input: &FrequencyInput, result: &BlockFrequencies) {
    const SHIFT: i32 = 4096;
    let wide = |number: Scaled| BigInt::from(number.digits()) << (SHIFT + i32::from(number.exponent()));
    let reached = naive::reached(input.graph, input.graph.entry(), None);
    let all: Vec<BigInt> = reached.iter().map(|&block| wide(result.scaled(block))).collect();
    let (least, greatest) = (all.iter().min().expect("the entry"), all.iter().max().expect("the entry"));
    let (factor, divisor) = match input.scaling {
        FrequencyScaling::SmallestToEight if *greatest < (least * 3u32) << 60 => (BigInt::from(8), least),
        FrequencyScaling::SmallestToEight => (BigInt::from(1) << 64, greatest),
        FrequencyScaling::LargestTo54Bits => (BigInt::from(1) << 54, greatest),
    };
    for (&block, number) in reached.iter().zip(&all) {
        let exact = (number * &factor / divisor).clamp(1.into(), u64::MAX.into());
        let integer = BigInt::from(result.integer(block));
        let off = (&integer - &exact).magnitude().clone();
        assert!(off <= BigUint::from(1u32) + (exact.magnitude() >> 61), "{block}: {integer} is not {exact}");

        let (entries, entry) = (u64::MAX / 3, BigInt::from(result.entry_integer()));
        let count: BigInt = (&integer * entries * 2 + &entry) / (entry * 2);
        assert_eq!(
            BigInt::from(result.count(block, entries)),
            count.min(u64::MAX.into()),
            "count of {block}"
        );
    }
}

fn shown(range: &Range) -> String {
    let number = |number: &BigInt| number >> (FRACTION - 64);
    format!("between {} and {}, over 2^64", number(&range.low), number(&range.high))
}
