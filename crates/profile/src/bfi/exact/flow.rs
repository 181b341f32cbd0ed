//! The exact solver solves every loop and the function, inner loops first. The solver then visits the loops again,
//! outer loops first. For each block of a loop, the solver multiplies two numbers: the executions of the block per
//! iteration, and the iterations per call of the function.

use std::ops::Range;

use cranelift_entity::PrimaryMap;

use super::elimination::Elimination;
use super::levels::{Destination, Function, Level, LevelNode, Levels};
use super::real::Real;
use super::regions::IrreducibleRegions;
use crate::bpi::Probability;
use crate::cfg::unstable::refill;
use crate::cfg::{table, Block, ControlFlow, Loop};

/// An infinite loop has 2^12 = 4096 iterations per entry into the loop, as in LLVM.
///
/// LLVM: `BlockFrequencyInfoImplBase::computeLoopScale`.
const INFINITE_LOOP_POWER: u32 = 12;

/// The solver of a function. The memory is reused for the next function.
#[derive(Default)]
pub(in crate::bfi) struct ExactFlow {
    levels: Levels,
    /// The flow into each node in one iteration of the innermost loop around the node. If no loop contains the node,
    /// the flow into the node in one call of the function. For the header of a loop, this is the flow into the loop.
    arrived: PrimaryMap<Block, Real>,
    /// For each loop, the mean number of iterations per entry into the loop.
    iterations: PrimaryMap<Loop, Real>,
    exits: ExitFlows,
    regions: IrreducibleRegions,
    region: Elimination,
    edges: Vec<ExitFlow>,
    /// For each loop, the mean number of iterations per call of the function.
    totals: PrimaryMap<Loop, Real>,
}

impl ExactFlow {
    /// Calls `emit` with every reachable block and its frequency.
    pub(in crate::bfi) fn run(
        &mut self,
        graph: &ControlFlow,
        probabilities: &[Probability],
        emit: impl FnMut(Block, Real),
    ) {
        let loops = graph.loops();
        let function = Function { graph, loops, probabilities };
        self.levels.compute(graph.tree(), loops);
        refill(&mut self.arrived, graph.block_count(), Real::ZERO);
        refill(&mut self.iterations, loops.count(), Real::ZERO);
        self.exits.start(graph.block_count(), loops.count());
        self.regions.start(graph.block_count());
        for natural in loops.loops().rev() {
            let level = Level { function, natural: Some(natural) };
            self.pass(level, loops.header(natural), Real::ONE);
            self.solve(level);
            let leaving = self.exits.close(natural, loops.parent(natural));
            // All weights are above 0. The sum is therefore 0 only if no edge leaves the loop.
            self.iterations[natural] = match leaving.is_zero() {
                true => Real::new(1, INFINITE_LOOP_POWER as i32),
                false => Real::ONE / leaving,
            };
        }
        self.arrived[graph.entry()] = Real::ONE;
        self.solve(Level { function, natural: None });
        self.multiply(graph, emit);
    }

    /// The flow that enters the node of `block` in one iteration of the innermost loop around the node. If the node is
    /// in no loop, the result is the flow in one call of the function. The result describes the function of the last
    /// call of `run`.
    pub(in crate::bfi) fn arrived(&self, block: Block) -> Real {
        self.arrived[block]
    }

    /// Propagates the flow through the nodes of `level`. The caller has already distributed the header's flow among the
    /// header's successors.
    fn solve(&mut self, level: Level) {
        let places = self.levels.places(level.natural);
        let header = usize::from(level.natural.is_some());
        let irreducible = !level.function.loops.is_reducible();
        if irreducible {
            self.regions.find(level, self.levels.nodes(places.clone()), &self.exits);
        }
        for place in header..places.len() {
            match irreducible.then(|| self.regions.at(place)).flatten() {
                None => {
                    let node = self.levels.node(places.start + place);
                    self.pass(level, node, self.arrived[node]);
                }
                // In reverse postorder, all predecessors of a region come before its first node.
                Some(region) if self.regions.members(region)[0] as usize == place => {
                    self.solve_region(level, places.start, region);
                }
                Some(_) => {}
            }
        }
    }

    /// Passes the flow `mass` from `node` to its successors.
    fn pass(&mut self, level: Level, node: Block, mass: Real) {
        match level.node(node) {
            LevelNode::Block(block) => {
                let edges = level.function.edges(block);
                let sum: u64 = edges.clone().map(|(_, weight)| u64::from(weight)).sum();
                match level.function.graph.successors(block) {
                    &[target] => self.deliver(level, target, mass),
                    _ if sum == u64::from(Probability::DENOMINATOR) => {
                        edges.for_each(|(target, weight)| {
                            self.deliver(level, target, mass.times(weight, -31))
                        });
                    }
                    [] => {}
                    _ => {
                        let mass = mass / Real::new(sum, 0);
                        edges.for_each(|(target, weight)| self.deliver(level, target, mass.times(weight, 0)));
                    }
                }
            }
            LevelNode::Loop(inner) => {
                let mass = mass * self.iterations[inner];
                for place in self.exits.places(inner) {
                    let ExitFlow { target, share } = self.exits.exit(place);
                    self.deliver(level, target, mass * share);
                }
            }
        }
    }

    fn deliver(&mut self, level: Level, target: Block, mass: Real) {
        match level.destination(target) {
            Destination::On(block) => self.arrived[block] += mass,
            Destination::Back => {}
            Destination::Out(block) => self.exits.add(block, mass),
        }
    }

    /// Solves `region`, and adds the flow out of the region to the region's successors. The nodes of the level start at
    /// index `first`.
    fn solve_region(&mut self, level: Level, first: usize, region: u32) {
        let count = self.regions.members(region).len();
        let node = |flow: &Self, number: usize| {
            flow.levels.node(first + flow.regions.members(region)[number] as usize)
        };
        self.region.start(count);
        for number in 0..count {
            let from = node(self, number);
            self.collect_edges(level, from);
            self.region.add_inflow(number as u32, self.arrived[from]);
            for &ExitFlow { target, share } in &self.edges {
                match self.number(level, region, target) {
                    Some(to) => self.region.add_edge(number as u32, to, share),
                    None => self.region.add_leaving(number as u32, share),
                }
            }
        }
        if self.region.is_infinite() {
            self.region.leak(INFINITE_LOOP_POWER);
        }
        self.region.solve();
        for number in 0..count {
            let from = node(self, number);
            let mass = self.region.solution()[number];
            self.arrived[from] = mass;
            self.collect_edges(level, from);
            for place in 0..self.edges.len() {
                let ExitFlow { target, share } = self.edges[place];
                if self.number(level, region, target).is_none() {
                    self.deliver(level, target, mass * share);
                }
            }
        }
    }

    /// The index of `target` among the nodes of `region`, or `None` if `target` is outside the region.
    fn number(&self, level: Level, region: u32, target: Block) -> Option<u32> {
        match level.destination(target) {
            Destination::On(block) => self.regions.number(region, block),
            Destination::Back | Destination::Out(_) => None,
        }
    }

    /// Collects the outgoing edges of `node` into `edges`. Each share is a fraction of the flow into the node.
    fn collect_edges(&mut self, level: Level, node: Block) {
        self.edges.clear();
        match level.node(node) {
            LevelNode::Block(block) => {
                let edges = level.function.edges(block);
                let sum: u64 = edges.clone().map(|(_, weight)| u64::from(weight)).sum();
                let share = |weight: u32| match sum == u64::from(Probability::DENOMINATOR) {
                    true => Real::new(weight.into(), -31),
                    false => Real::new(weight.into(), 0) / Real::new(sum, 0),
                };
                self.edges.extend(edges.map(|(target, weight)| ExitFlow { target, share: share(weight) }));
            }
            LevelNode::Loop(inner) => {
                let iterations = self.iterations[inner];
                let exits = self.exits.places(inner).map(|place| self.exits.exit(place));
                self.edges.extend(
                    exits.map(|ExitFlow { target, share }| ExitFlow { target, share: iterations * share }),
                );
            }
        }
    }

    /// For each loop, multiplies the flow in one iteration by the number of iterations. Outer loops come before inner
    /// loops.
    fn multiply(&mut self, graph: &ControlFlow, mut emit: impl FnMut(Block, Real)) {
        let loops = graph.loops();
        self.totals.clear();
        for natural in loops.loops() {
            let around = loops.parent(natural).map_or(Real::ONE, |parent| self.totals[parent]);
            self.totals.push(around * self.arrived[loops.header(natural)] * self.iterations[natural]);
        }
        for &block in graph.tree().postorder().iter().rev() {
            let frequency = match loops.innermost(block) {
                None => self.arrived[block],
                Some(natural) if loops.header(natural) == block => self.totals[natural],
                Some(natural) => self.totals[natural] * self.arrived[block],
            };
            emit(block, frequency);
        }
    }
}

/// The flow from a loop to `target` in one iteration of the loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExitFlow {
    pub target: Block,
    pub share: Real,
}

/// The exits of all solved loops, except the loops inside another solved loop.
///
/// Loops are solved in descending order of their numbers, so inner loops come before outer loops. When a loop is
/// solved, the exits of its inner loops are therefore at the end of the list. The exits of the solved loop then replace
/// the exits of its inner loops.
#[derive(Default)]
pub(super) struct ExitFlows {
    all: Vec<ExitFlow>,
    /// For each solved loop, the range of its exits in the list `all`. For each unsolved loop, the index in the list
    /// `all` where the exits of its inner loops start.
    places: PrimaryMap<Loop, (u32, u32)>,
    /// The exits of the current loop, one for each target.
    own: Vec<ExitFlow>,
    /// If the current loop has an exit to a block, the index of this exit in `own`. For other blocks, the table
    /// contains an index from an earlier loop. Before you use the index of a block, check that the exit in `own` at
    /// this index leads to the block.
    own_places: PrimaryMap<Block, u32>,
}

impl ExitFlows {
    /// Starts a function.
    pub(crate) fn start(&mut self, blocks: usize, loops: usize) {
        self.all.clear();
        refill(&mut self.places, loops, (u32::MAX, u32::MAX));
        self.own.clear();
        if self.own_places.len() < blocks {
            self.own_places = table(blocks, 0);
        }
    }

    /// Adds flow of an edge from the current loop to `target`, which is outside the loop.
    pub(crate) fn add(&mut self, target: Block, share: Real) {
        let place = &mut self.own_places[target];
        match self.own.get_mut(*place as usize) {
            Some(exit) if exit.target == target => exit.share += share,
            _ => {
                *place = self.own.len() as u32;
                self.own.push(ExitFlow { target, share });
            }
        }
    }

    /// Stores the exits of the solved loop `natural`, and removes the exits of the loops inside `natural`. `parent` is
    /// the parent loop of `natural`. Returns how much of the flow of one iteration leaves `natural`.
    pub(crate) fn close(&mut self, natural: Loop, parent: Option<Loop>) -> Real {
        let start = self.places[natural].0.min(self.all.len() as u32);
        self.all.truncate(start as usize);
        self.all.append(&mut self.own);
        self.places[natural] = (start, self.all.len() as u32);
        if let Some(parent) = parent {
            let inside = &mut self.places[parent].0;
            *inside = start.min(*inside);
        }
        self.all[start as usize..].iter().fold(Real::ZERO, |sum, exit| sum + exit.share)
    }

    /// The indices of the exits of the solved loop `natural`.
    pub(crate) fn places(&self, natural: Loop) -> Range<usize> {
        let (start, end) = self.places[natural];
        start as usize..end as usize
    }

    /// The exit with index `place`.
    pub(crate) fn exit(&self, place: usize) -> ExitFlow {
        self.all[place]
    }
}
