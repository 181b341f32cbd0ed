//! Distributes mass in every loop, inner loops first, and then in the function.
//!
//! A level is the function or a loop. In a level, each inner region is a single node. A level is usually acyclic
//! without the edges to its headers. The headers start with full mass. In reverse postorder, each node passes its mass
//! to its successors. The mass that returns to the headers determines the number of iterations of the region. In
//! the enclosing level, the solved region is a single node. The mass that leaves the region determines the weights of
//! the edges of this node.
//!
//! If a level still has a cycle, the level has an irreducible region. This region is found, solved and replaced by a
//! single node, and then the level is solved again. See LLVM's "Block Frequency Terminology".

mod irreducible;
mod power_iteration;

use super::dense_order::DenseOrder;
use super::distribution::{Distribution, EdgeKind, Evidence};
use super::irreducible::IrreducibleFinder;
use super::regions::{Irreducible, Region, Regions};
use super::rpo::{ReversePostorder, RpoIndex};
use super::{Mass, Scaled};
use crate::cfg::{Graph, LoopForest, SpanningTree};
use crate::dialect::{HashProbing, IrreducibleMass};
use power_iteration::PowerIteration;

/// Computes the masses of a function. The memory is reused for the next function.
#[derive(Default)]
pub(super) struct Flow {
    pub rpo: ReversePostorder,
    pub regions: Regions,
    distribution: Distribution,
    finder: IrreducibleFinder,
    unweighted: DenseOrder,
    iteration: PowerIteration,
}

/// The data from which the masses of a function are computed.
#[derive(Clone, Copy)]
pub(super) struct FlowInput<'a> {
    pub graph: &'a Graph,
    pub tree: &'a SpanningTree,
    pub loops: &'a LoopForest,
    pub evidence: Evidence<'a>,
    pub irreducible: IrreducibleMass,
    pub probing: HashProbing,
}

impl Flow {
    /// Computes all masses and scales, and stores them in `regions`.
    ///
    /// LLVM: `BlockFrequencyInfoImpl::computeMassInLoops`.
    pub(crate) fn run(&mut self, input: &FlowInput) {
        self.rpo.compute(input.graph, input.tree);
        self.regions.reset(&self.rpo, input.loops);
        self.distribution.probe(input.probing);
        self.unweighted.probe(input.probing);
        for natural in input.loops.loops().rev() {
            self.solve_loop(input, Region::of_loop(natural));
        }
        self.solve_function(input);
    }

    /// LLVM: `BlockFrequencyInfoImpl::computeMassInLoop`.
    fn solve_loop(&mut self, input: &FlowInput, region: Region) {
        self.regions.open(region);
        if self.pass_through_loop(input, region).is_err() {
            self.regions.abandon(region);
            self.package_irreducible(input, Some(region));
            self.regions.open(region);
            self.regions.drop_packaged_members(region);
            let solved = self.pass_through_loop(input, region);
            debug_assert!(solved.is_ok(), "{LEVELS_BECOME_ACYCLIC}");
        }
        self.finish(input, region);
    }

    /// LLVM: `BlockFrequencyInfoImpl::computeMassInFunction`.
    fn solve_function(&mut self, input: &FlowInput) {
        if self.pass_through_function(input).is_err() {
            self.package_irreducible(input, None);
            let solved = self.pass_through_function(input);
            debug_assert!(solved.is_ok(), "{LEVELS_BECOME_ACYCLIC}");
        }
    }

    fn pass_through_loop(&mut self, input: &FlowInput, region: Region) -> Result<(), Irreducible> {
        self.regions.set_mass(self.regions.header(region, 0), Mass::FULL);
        self.pass_members_on(input, region)
    }

    /// LLVM: `BlockFrequencyInfoImpl::tryToComputeMassInFunction`.
    fn pass_through_function(&mut self, input: &FlowInput) -> Result<(), Irreducible> {
        let entry = self.regions.representative(RpoIndex::from_u32(0));
        self.regions.set_mass(entry, Mass::FULL);
        for index in (0..self.rpo.count() as u32).map(RpoIndex::from_u32) {
            if self.regions.is_node_of(index, None) {
                self.pass_on(input, None, index)?;
            }
        }
        Ok(())
    }

    /// Finds and solves the irreducible regions of `level`, and makes each region a single node.
    ///
    /// LLVM: `BlockFrequencyInfoImpl::computeIrreducibleMass`.
    fn package_irreducible(&mut self, input: &FlowInput, level: Option<Region>) {
        self.collect_level(input, level);
        let first = self.regions.count() as u32;
        self.finder.find(|headers, others| {
            self.regions.add_irreducible(level, headers, others);
        });
        for region in (first..self.regions.count() as u32).map(Region::from_u32) {
            match input.irreducible {
                IrreducibleMass::ByHeaders => self.split_among_headers(input, region),
                IrreducibleMass::ByNodes => self.iterate_over_nodes(input, region),
            }
        }
    }

    /// Adds the nodes and edges of `level` to the finder, and resets the mass of the nodes.
    ///
    /// Skips edges to the header of `level`, because a cycle through this header is not a new irreducible region.
    ///
    /// LLVM: `IrreducibleGraph::addNodesInLoop`, `IrreducibleGraph::addNodesInFunction`.
    fn collect_level(&mut self, input: &FlowInput, level: Option<Region>) {
        self.finder.start(self.rpo.count());
        match level {
            Some(region) => {
                let places = self.regions.member_places(region);
                places.for_each(|place| self.finder.add_node(self.regions.member(place)));
            }
            None => {
                let indices = self.rpo.iter().map(|(index, _)| index);
                indices
                    .filter(|&index| self.regions.is_node_of(index, None))
                    .for_each(|node| self.finder.add_node(node));
            }
        }
        let header = level.map(|region| self.regions.header(region, 0));
        for place in 0..self.finder.node_count() {
            let node = self.finder.node(place);
            self.regions.set_mass(node, Mass::EMPTY);
            self.collect_edges(input, level, header, node);
        }
    }

    /// LLVM: `IrreducibleGraph::addEdges`, `BlockEdgesAdder`.
    fn collect_edges(
        &mut self,
        input: &FlowInput,
        level: Option<Region>,
        header: Option<RpoIndex>,
        node: RpoIndex,
    ) {
        let Flow { rpo, regions, finder, .. } = self;
        let mut add_edge = |target: RpoIndex| {
            if regions.is_node_of(target, level) && Some(target) != header {
                finder.add_edge(target);
            }
        };
        match regions.package_of(node) {
            Some(package) => {
                regions.exit_places(package).for_each(|place| add_edge(regions.exit(place).target))
            }
            None => {
                let successors = input.graph.successors(rpo.block(node));
                successors.iter().for_each(|&successor| add_edge(rpo.of(successor)));
            }
        }
        finder.end_node();
    }

    fn pass_members_on(&mut self, input: &FlowInput, region: Region) -> Result<(), Irreducible> {
        for place in self.regions.member_places(region) {
            self.pass_on(input, Some(region), self.regions.member(place))?;
        }
        Ok(())
    }

    /// Distributes the mass of `node` among its outgoing edges.
    ///
    /// LLVM: `BlockFrequencyInfoImpl::propagateMassToSuccessors`,
    /// `BlockFrequencyInfoImplBase::addLoopSuccessorsToDist`.
    fn pass_on(
        &mut self,
        input: &FlowInput,
        level: Option<Region>,
        node: RpoIndex,
    ) -> Result<(), Irreducible> {
        match self.regions.package_of(node) {
            Some(package) => {
                self.distribution.clear();
                for place in self.regions.exit_places(package) {
                    let exit = self.regions.exit(place);
                    self.add_edge(level, node, exit.target, exit.mass.0)?;
                }
            }
            None => {
                let (edges, successors) = input.graph.outgoing(self.rpo.block(node));
                if let [only] = *successors {
                    let (target, kind) = self.resolve(level, node, self.rpo.of(only))?;
                    self.regions.deliver(level, target, kind, self.regions.mass(node));
                    return Ok(());
                }
                self.distribution.clear();
                for (place, &successor) in edges.zip(successors) {
                    let weight = input.evidence.edge_weight(place);
                    self.add_edge(level, node, self.rpo.of(successor), weight)?;
                }
            }
        }
        let mass = self.regions.mass(node);
        let Flow { distribution, regions, .. } = self;
        distribution.split(mass, |target, kind, part| regions.deliver(level, target, kind, part));
        Ok(())
    }

    /// Adds an edge of `source` to the distribution. The weight of the edge is at least 1, even if its probability is
    /// 0.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::addToDist`.
    #[inline(always)] // Two call sites call this method for each edge.
    fn add_edge(
        &mut self,
        level: Option<Region>,
        source: RpoIndex,
        target: RpoIndex,
        weight: u64,
    ) -> Result<(), Irreducible> {
        let (target, kind) = self.resolve(level, source, target)?;
        self.distribution.add(target, kind, weight.max(1));
        Ok(())
    }

    /// The target node and the kind of an edge of `source`.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::addToDist`.
    #[inline(always)] // Two call sites call this method for each edge.
    fn resolve(
        &mut self,
        level: Option<Region>,
        source: RpoIndex,
        target: RpoIndex,
    ) -> Result<(RpoIndex, EdgeKind), Irreducible> {
        let target = self.regions.representative(target);
        Ok((target, self.regions.classify(level, source, target)?))
    }

    fn finish(&mut self, input: &FlowInput, region: Region) {
        let scale = match input.evidence.loops_repeat() {
            true => scale_of(self.regions.total_back_mass(region)),
            false => Scaled::ONE,
        };
        self.regions.package(region, scale);
    }
}

/// Claim: a loop or function (a level) is acyclic after each of its irreducible regions has become a single node.
///
/// 1. An edge u -> v to a block with a lower index in reverse postorder leads to an ancestor in the depth-first tree.
///    So u and v are on a cycle.
/// 2. Let u and v be in one level, and let this cycle avoid the header of the level. Then u and v are in one strongly
///    connected component. Hence u and v are in one solved region.
/// 3. The single node for a solved region has the lowest index of the region's blocks. The source of every edge into a
///    component has a lower index than all blocks of the component. Let each solved region be a single node.
///    Then every edge to a node with a lower index leads to the header of the level.
const LEVELS_BECOME_ACYCLIC: &str = "the level still has a cycle after its irreducible regions are packaged";

/// The mean number of iterations of a region per entry into the region. This number is 1 divided by the mass that
/// leaves the region. For an infinite loop, the number is 4096.
///
/// LLVM: `BlockFrequencyInfoImplBase::computeLoopScale`.
fn scale_of(back_mass: Mass) -> Scaled {
    match Mass::FULL.minus(back_mass) {
        Mass::EMPTY => Scaled::new(1, 12),
        leaving => leaving.to_scaled().inverse(),
    }
}
