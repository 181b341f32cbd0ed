//! The natural and irreducible loops of a function, in one nest, with the numbers that determine block frequencies.
//!
//! The solver finds irreducible loops and their headers only when it distributes mass. This nest is therefore separate
//! from the loop forest in [`cfg`](crate::cfg). The nest is also separate from the `regions` of the solver, because the
//! nest contains only results, and is used after the solver has been dropped.
//!
//! The nest explains the frequency of a block as a product. The first factor is the number of executions of the block
//! in each iteration of the innermost loop. The second factor is the number of iterations of this loop for each call of
//! the function.

use std::ops::Add;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{entity_impl, PrimaryMap};

use super::analysis::{FrequencyAnalysis, FrequencyInput};
use super::distribution::Evidence;
use super::flow::Flow;
use super::frequencies::BlockFrequencies;
use super::mass::Mass;
use super::regions::Region;
use super::scaled::Scaled;
use crate::bpi::Probability;
use crate::cfg::{table, Block, Graph};
use crate::dialect::IrreducibleMass;
use crate::facts;

/// A loop, natural or irreducible. An outer loop has a lower number than the loops inside it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NestedLoop(u32);
entity_impl!(NestedLoop, "nested");

/// All loops of a function: the number of iterations of each loop, and the [share](BlockShare) of each block.
#[derive(Clone, Debug, Default)]
pub struct LoopNest {
    pub(super) loops: PrimaryMap<NestedLoop, LoopData>,
    pub(super) innermost: PrimaryMap<Block, PackedOption<NestedLoop>>,
    pub(super) shares: PrimaryMap<Block, Option<BlockShare>>,
}

/// The share of a block or of an inner loop: its executions or entries for each iteration of the loop around it.
#[derive(Clone, Copy, Debug)]
pub struct BlockShare {
    /// Whether the block, or the first header of the inner loop, is a header of the loop around it.
    pub is_header: bool,
    /// The executions or entries for each iteration of the loop around, at most 1. Outside all loops, this field is the
    /// number for each call of the function.
    pub per_iteration: Scaled,
}

#[derive(Clone, Debug)]
pub(super) struct LoopData {
    pub headers: Vec<Block>,
    pub parent: Option<NestedLoop>,
    pub depth: u32,
    pub has_weights: bool,
    pub entries: Scaled,
    pub scale: Scaled,
    pub leaving: Scaled,
    pub share: BlockShare,
    pub is_infinite: bool,
    /// The mean number of loop iterations per call of the function.
    pub iterations: Scaled,
}

impl LoopNest {
    /// All loops. An outer loop comes before the loops inside it.
    pub fn loops(&self) -> impl DoubleEndedIterator<Item = NestedLoop> + ExactSizeIterator + use<> {
        self.loops.keys()
    }

    /// The innermost loop around `block`.
    pub fn innermost(&self, block: Block) -> Option<NestedLoop> {
        self.innermost[block].expand()
    }

    /// The headers of `nested`. A natural loop has one header. An irreducible loop has several headers.
    pub fn headers(&self, nested: NestedLoop) -> &[Block] {
        &self.loops[nested].headers
    }

    /// Whether `nested` has several headers.
    pub fn is_irreducible(&self, nested: NestedLoop) -> bool {
        self.headers(nested).len() > 1
    }

    /// Whether header weights (`!irr_loop` metadata) determine how the mass of `nested` is distributed.
    pub fn has_weights(&self, nested: NestedLoop) -> bool {
        self.loops[nested].has_weights
    }

    /// The innermost loop around `nested`.
    pub fn parent(&self, nested: NestedLoop) -> Option<NestedLoop> {
        self.loops[nested].parent
    }

    /// The nesting depth of `nested`: 1 for an outermost loop.
    pub fn depth(&self, nested: NestedLoop) -> u32 {
        self.loops[nested].depth
    }

    /// How often `nested` is entered for each call of the function.
    pub fn entries(&self, nested: NestedLoop) -> Scaled {
        self.loops[nested].entries
    }

    /// The number of iterations of `nested` each time it is entered. An iteration is an execution of a header, or an
    /// entry into the inner loop that starts at a header. However, in an irreducible loop, the algorithm of LLVM 24
    /// counts every execution of a block and every entry into an inner loop as an iteration.
    pub fn scale(&self, nested: NestedLoop) -> Scaled {
        self.loops[nested].scale
    }

    /// The probability that an iteration of `nested` is the last one. The [scale](Self::scale) is the inverse of this
    /// probability, unless the loop is infinite.
    pub fn leaving(&self, nested: NestedLoop) -> Scaled {
        self.loops[nested].leaving
    }

    /// The entries into `nested` for each iteration of the loop around it.
    pub fn loop_share(&self, nested: NestedLoop) -> BlockShare {
        self.loops[nested].share
    }

    /// Whether the probability of leaving `nested` is 0. The scale of such a loop is LLVM's constant for infinite loops.
    /// Edges can leave the loop, if LLVM's algorithm rounds their probability to 0.
    pub fn is_infinite(&self, nested: NestedLoop) -> bool {
        self.loops[nested].is_infinite
    }

    /// The executions of `block` for each iteration of the innermost loop, or `None` if the block is unreachable.
    pub fn share(&self, block: Block) -> Option<BlockShare> {
        self.shares[block]
    }

    /// Whether `block` is in `nested`.
    pub fn contains(&self, nested: NestedLoop, block: Block) -> bool {
        // The loops around `nested` have lower numbers than `nested`, so the search stops before these loops.
        self.around(block).take_while(|&around| around >= nested).any(|around| around == nested)
    }

    /// Whether `block` is a header of an irreducible loop.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::isIrrLoopHeader`.
    pub fn is_irreducible_header(&self, block: Block) -> bool {
        self.around(block).any(|nested| self.is_irreducible(nested) && self.headers(nested).contains(&block))
    }

    /// Computes the entries and iterations of each loop again, from `frequencies` instead of LLVM's masses.
    /// In an infinite loop, [exact](super::FrequencyMethod::Exact) frequencies lose 1/4096 of the flow that returns to
    /// a header. The number of iterations is therefore smaller than the sum of the entering and the returning flow.
    pub(crate) fn with_frequencies(
        mut self,
        graph: &Graph,
        probabilities: &[Probability],
        frequencies: &BlockFrequencies,
    ) -> Self {
        self.count_entries(graph, probabilities, frequencies);
        let has_exit = self.loops_with_exits(graph);
        for nested in self.loops() {
            // A header of this loop is a block, or starts an inner loop.
            let runs = self.headers(nested).iter().map(|&header| {
                let inner = self.around(header).find(|&inner| self.parent(inner) == Some(nested));
                inner.map_or(frequencies.scaled(header), |inner| self.entries(inner))
            });
            let iterations = runs.fold(Scaled::ZERO, Add::add);
            let around = self.parent(nested).map_or(Scaled::ONE, |parent| self.loops[parent].iterations);
            let place = &mut self.loops[nested];
            place.iterations = iterations;
            place.scale = iterations / place.entries;
            place.is_infinite = !has_exit[nested];
            // In every other loop, the flow that leaves the loop equals the flow that enters it.
            place.leaving = if place.is_infinite { Scaled::ZERO } else { place.entries / iterations };
            place.share.per_iteration = place.entries / around;
        }
        for (block, share) in self.shares.iter_mut() {
            let iterations =
                self.innermost[block].expand().map_or(Scaled::ONE, |around| self.loops[around].iterations);
            if let Some(share) = share {
                share.per_iteration = frequencies.scaled(block) / iterations;
            }
        }
        self
    }

    /// Whether edges leave each loop.
    pub fn loops_with_exits(&self, graph: &Graph) -> PrimaryMap<NestedLoop, bool> {
        let mut has_exit: PrimaryMap<NestedLoop, bool> = table(self.loops.len(), false);
        for source in graph.blocks() {
            for &target in graph.successors(source) {
                let (mut around, mut of_target) = (self.innermost(source), self.innermost(target));
                while let Some(left) = around {
                    // Loops inside `left` have higher numbers than `left`.
                    while let Some(entered) = of_target.filter(|&entered| entered > left) {
                        of_target = self.parent(entered);
                    }
                    if of_target == around {
                        break;
                    }
                    has_exit[left] = true;
                    around = self.parent(left);
                }
            }
        }
        has_exit
    }

    /// Computes the flow that enters each loop.
    fn count_entries(
        &mut self,
        graph: &Graph,
        probabilities: &[Probability],
        frequencies: &BlockFrequencies,
    ) {
        self.loops.values_mut().for_each(|place| place.entries = Scaled::ZERO);
        let mut headed: PrimaryMap<Block, Vec<NestedLoop>> = table(graph.block_count(), Vec::new());
        for (nested, place) in self.loops.iter() {
            place.headers.iter().for_each(|&header| headed[header].push(nested));
        }
        for &nested in &headed[graph.entry()] {
            self.loops[nested].entries = Scaled::ONE;
        }
        for source in graph.blocks() {
            let weights = &probabilities[graph.edges(source)];
            let weight = |probability: &Probability| u64::from(probability.numerator().max(1));
            let sum = Scaled::new(weights.iter().map(weight).sum(), 0);
            for (&target, probability) in graph.successors(source).iter().zip(weights) {
                let passed = frequencies.scaled(source) * (Scaled::new(weight(probability), 0) / sum);
                for &nested in &headed[target] {
                    if !self.contains(nested, source) {
                        self.loops[nested].entries = self.loops[nested].entries + passed;
                    }
                }
            }
        }
    }

    /// The loops around `block`, innermost first.
    pub fn around(&self, block: Block) -> impl Iterator<Item = NestedLoop> + '_ {
        std::iter::successors(self.innermost(block), |&inner| self.parent(inner))
    }
}

impl FrequencyAnalysis {
    /// Computes the loop nest of a function.
    pub(crate) fn compute_nest(&mut self, input: &FrequencyInput) -> LoopNest {
        let FrequencyInput { probabilities, header_weights, .. } = *input;
        self.solve(input, Evidence::Given { probabilities, header_weights });
        let Flow { rpo, regions, .. } = &self.flow;
        let mut nest = LoopNest {
            loops: PrimaryMap::new(),
            innermost: table(input.graph.block_count(), None.into()),
            shares: table(input.graph.block_count(), None),
        };
        // Stores the share of each block. If a block is in a loop, the code below replaces the share of the block.
        for ((_, block), mass) in rpo.iter().zip(regions.block_masses()) {
            nest.shares[block] = Some(BlockShare { is_header: false, per_iteration: mass.to_scaled() });
        }
        // The parent of a region A is the region that contains A as a single node. The order of discovery does not
        // determine the parent: an irreducible region can be inside a loop that was found earlier.
        let mut parents: PrimaryMap<Region, PackedOption<NestedLoop>> = table(regions.count(), None.into());
        let mut heads_parent: PrimaryMap<Region, bool> = table(regions.count(), false);
        for region in regions.outermost_first() {
            let parent = parents[region].expand();
            let depth = parent.map_or(1, |parent| nest.depth(parent) + 1);
            let headers = (0..regions.header_count(region)).map(|place| regions.header(region, place));
            let headers: Vec<Block> = headers.map(|header| rpo.block(header)).collect();
            let weight = |&block: &Block| facts::header_weight(header_weights, block);
            let has_weights = headers.len() > 1
                && match input.irreducible {
                    IrreducibleMass::ByHeaders => headers.iter().any(|header| weight(header).is_some()),
                    IrreducibleMass::ByNodes => {
                        let mut nodes = regions.nodes_of(region).map(|(node, _)| rpo.block(node));
                        nodes.any(|node| weight(&node).is_some_and(|weight| weight > 0))
                    }
                };
            let iterations_around = parent.map_or(Scaled::ONE, |parent| nest.loops[parent].iterations);
            let entering = regions.entering_mass(region).to_scaled();
            let (scale, back) = (regions.scale(region), regions.total_back_mass(region));
            let leaving = Mass::FULL.minus(back);
            // Each multiplication rounds. `frequencies::unpack` multiplies the same factors in the same order, and
            // therefore gets the same results.
            let (entries, iterations) = (iterations_around * entering, iterations_around * scale * entering);
            let number = nest.loops.push(LoopData {
                headers,
                parent,
                depth,
                has_weights,
                entries,
                scale,
                leaving: leaving.to_scaled(),
                share: BlockShare { is_header: heads_parent[region], per_iteration: entering },
                is_infinite: leaving == Mass::EMPTY,
                iterations,
            });
            for (place, (node, package)) in regions.nodes_of(region).enumerate() {
                match package {
                    Some(inner) => {
                        parents[inner] = number.into();
                        heads_parent[inner] = place < regions.header_count(region);
                    }
                    None => {
                        let block = rpo.block(node);
                        let is_header = place < regions.header_count(region);
                        let per_iteration = regions.block_mass(node).to_scaled();
                        nest.innermost[block] = number.into();
                        nest.shares[block] = Some(BlockShare { is_header, per_iteration });
                    }
                }
            }
        }
        nest
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::test_function::TestFunction;
    use super::super::FrequencyAnalysis;
    use super::*;
    use crate::cfg::parse_graph;
    use crate::cfg::test_support::{config, pictures};

    fn nest_of(function: &TestFunction) -> LoopNest {
        FrequencyAnalysis::default().compute_nest(&function.input())
    }

    /// An outer loop contains an inner loop and an irreducible loop.
    #[test]
    fn natural_and_irreducible_loops_nest() {
        let (function, block) = TestFunction::new(
            "entry -> outer; outer -> inner a b; inner -> inner latch; a -> b; b -> a latch; latch -> outer end; end",
        );
        let nest = nest_of(&function);
        let [outer, inner, both] = ["outer", "inner", "a"].map(|name| nest.innermost(block(name)).unwrap());
        assert_eq!(nest.loops().len(), 3);
        assert_eq!(nest.innermost(block("b")), Some(both));
        assert_eq!(nest.innermost(block("latch")), Some(outer));
        assert_eq!((nest.innermost(block("entry")), nest.innermost(block("end"))), (None, None));
        assert_eq!([outer, inner, both].map(|nested| nest.parent(nested)), [None, Some(outer), Some(outer)]);
        assert_eq!([outer, inner, both].map(|nested| nest.depth(nested)), [1, 2, 2]);
        assert_eq!(nest.headers(inner), [block("inner")]);
        assert_eq!(nest.headers(both), [block("a"), block("b")]);
        assert_eq!([outer, inner, both].map(|nested| nest.is_irreducible(nested)), [false, false, true]);
        let numbers =
            |nested| [nest.entries(nested), nest.scale(nested)].map(|number| format!("{number:.5}"));
        assert_eq!(numbers(outer), ["1.0", "2.0"]);
        assert_eq!(numbers(inner), ["0.66667", "2.0"]);
        assert_eq!(numbers(both), ["1.3333", "4.0"]);
        assert!(nest.contains(outer, block("b")) && nest.contains(both, block("b")));
        assert!(!nest.contains(inner, block("b")) && !nest.contains(inner, block("latch")));
    }

    /// The header of the inner loop is also a header of the irreducible loop around it.
    #[test]
    fn a_loop_and_the_loop_around_it_may_have_the_same_header() {
        let (function, block) = TestFunction::new("entry -> a b; a -> a b; b -> a end; end");
        let nest = nest_of(&function);
        let [inner, around] = ["a", "b"].map(|name| nest.innermost(block(name)).unwrap());
        assert_eq!(nest.headers(around), [block("a"), block("b")]);
        assert_eq!((nest.headers(inner), nest.parent(inner)), (&[block("a")][..], Some(around)));
    }

    proptest! {
        #![proptest_config(config())]

        /// The frequency of a block is exactly the product of two numbers: the executions of the block for each
        /// iteration of its loop, and the iterations of the loop. Every reachable block has a share.
        #[test]
        fn share_times_iterations_equals_the_frequency(
            picture in pictures(), seed in any::<u32>(), llvm24 in any::<bool>()
        ) {
            let (graph, _) = parse_graph(&picture).unwrap();
            let mut weight = seed;
            let mut next = || {
                weight = weight.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                weight >> 20 | 1
            };
            let weights: Vec<u32> = (0..graph.edge_count()).map(|_| next()).collect();
            let function = TestFunction::weighted(graph, &weights);
            let function = if llvm24 { function.llvm24() } else { function };
            let (nest, frequencies) = (nest_of(&function), function.frequencies());
            for block in function.graph.blocks() {
                let product = nest.share(block).map(|share| {
                    let iterations = nest.innermost(block).map_or(Scaled::ONE, |nested| nest.loops[nested].iterations);
                    iterations * share.per_iteration
                });
                prop_assert_eq!(product.unwrap_or(Scaled::ZERO), frequencies.scaled(block), "{}", block);
            }
        }
    }
}
