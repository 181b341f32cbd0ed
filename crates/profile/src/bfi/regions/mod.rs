//! The state of natural loops and irreducible regions while masses are computed.
//!
//! A *region* is a natural loop, or an irreducible set of blocks that is solved as a loop with several headers. Inner
//! regions are solved first. A solved region becomes a single node (*package*): in the enclosing region or function,
//! the node of the region's first header represents all blocks of the region. A *level* is a region or the function.
//! The *nodes* of a level are the blocks that are in no inner region, and one node for each inner region.
//!
//! Regions differ from the loops of [`LoopForest`](crate::cfg::LoopForest) in two properties. Irreducible regions are
//! added while levels are solved. A node of a level can represent a whole inner region. A
//! [`LoopNest`](super::nest::LoopNest) contains only results, so its loops are not regions.

mod packaging;

use std::ops::Range;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{entity_impl, PrimaryMap};

use super::distribution::EdgeKind;
use crate::bfi::rpo::{ReversePostorder, RpoIndex};
use crate::bfi::{Mass, Scaled};
use crate::cfg::unstable::{refill, refill_with};
use crate::cfg::{table, Loop, LoopForest};

/// A region. Natural loops have the same numbers as in the loop forest. Irreducible regions have higher numbers than
/// natural loops, and are numbered in the order in which they are found.
///
/// LLVM: `BlockFrequencyInfoImplBase::LoopData`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Region(u32);
entity_impl!(Region, "region");

/// The error for a level with an irreducible region that is not yet replaced by a single node. The solver detects the
/// region at an edge whose target has a lower RPO index than the source and is not a header.
#[derive(Debug)]
pub(super) struct Irreducible;

/// All regions of a function, the nodes of each region, and the nodes of the function.
///
/// LLVM: `BlockFrequencyInfoImplBase::WorkingData`.
#[derive(Default)]
pub(super) struct Regions {
    nodes: PrimaryMap<RpoIndex, Node>,
    shapes: PrimaryMap<Region, Shape>,
    /// For each region, the mass of the single node that represents the region in the enclosing region or function.
    ///
    /// LLVM: `LoopData::Mass`.
    package_masses: PrimaryMap<Region, Mass>,
    scales: PrimaryMap<Region, Scaled>,
    /// The nodes of all regions. Each region has one range: first its headers, then its other nodes. The headers are in
    /// ascending order, and so are the other nodes.
    ///
    /// LLVM: `LoopData::Nodes`, `LoopData::members`.
    members: Vec<Member>,
    /// The mass that returns to each header, grouped by region.
    ///
    /// LLVM: `LoopData::BackedgeMass`.
    back_masses: Vec<Mass>,
    /// The mass that leaves each region. The list is a stack: see [`Regions::package`].
    ///
    /// LLVM: `LoopData::Exits`.
    exits: Vec<Exit>,
    /// Solved regions in the order in which they were solved. Inner regions come before outer regions.
    packaged: Vec<Region>,
}

/// The state of a reachable block. If the block is the node of a solved region, the struct also has the state of this
/// region. The fields are in one struct because they are accessed together.
#[derive(Clone)]
struct Node {
    /// The mass of the block within the innermost region around the block, or within the function if no region contains
    /// the block.
    mass: Mass,
    /// If the block is a node, `representative` is the same block. Otherwise, `representative` is the next block in the
    /// chain from the block to the node that represents it. To find this node, follow `representative` from block to
    /// block.
    representative: RpoIndex,
    /// The region that this node represents, or `None` if the node is a single block. If the node represents several
    /// nested regions, the field has the outermost region.
    package: PackedOption<Region>,
    /// The region that directly contains the node, or `None` if no region contains the node.
    ///
    /// LLVM: `WorkingData::Loop`, `WorkingData::getContainingLoop`, `WorkingData::isDoubleLoopHeader`.
    level: PackedOption<Region>,
}

/// The parent of a region, and the ranges of the region in the flat tables.
///
/// LLVM: `BlockFrequencyInfoImplBase::LoopData`.
#[derive(Clone)]
struct Shape {
    /// LLVM: `LoopData::Parent`.
    parent: PackedOption<Region>,
    first_member: u32,
    end_member: u32,
    headers: u32,
    first_back_mass: u32,
    first_exit: u32,
    end_exit: u32,
    /// The index in `exits` at which the exits of the inner regions start. After this region has become a single node,
    /// the exits of the inner regions are no longer needed.
    exits_floor: u32,
}

/// A node of a region.
#[derive(Clone, Copy)]
struct Member {
    node: RpoIndex,
    /// The inner region that this node represents in the enclosing region, or `None` if the node is a single block.
    package: PackedOption<Region>,
}

/// The mass that flows out of a region to the block `target`.
#[derive(Clone, Copy)]
pub(super) struct Exit {
    pub target: RpoIndex,
    pub mass: Mass,
}

impl Regions {
    /// The node that currently represents `block`.
    ///
    /// LLVM: `WorkingData::getResolvedNode`, `WorkingData::isPackaged`.
    pub(crate) fn representative(&mut self, block: RpoIndex) -> RpoIndex {
        let mut node = block;
        while self.nodes[node].representative != node {
            // Path halving shortens the chain of representatives. Therefore this loop takes little time, even if many
            // regions are nested.
            let above = self.nodes[self.nodes[node].representative].representative;
            self.nodes[node].representative = above;
            node = above;
        }
        node
    }

    /// Whether `block` is a node of `level`. Such a node represents a single block, or a solved region that is directly
    /// in `level`.
    pub(crate) fn is_node_of(&self, block: RpoIndex, level: Option<Region>) -> bool {
        let node = &self.nodes[block];
        node.representative == block && node.level.expand() == level
    }

    /// The kind of an edge from node `source` to node `target` in `level`.
    ///
    /// The headers of an irreducible region are solved before its other nodes. Therefore an edge from a header can lead
    /// to a node with a lower number.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::addToDist`.
    pub(crate) fn classify(
        &self,
        level: Option<Region>,
        source: RpoIndex,
        target: RpoIndex,
    ) -> Result<EdgeKind, Irreducible> {
        if self.nodes[target].level.expand() != level {
            return Ok(EdgeKind::Exit);
        }
        let is_header = |node| level.is_some_and(|region| self.header_place(region, node).is_some());
        if is_header(target) {
            Ok(EdgeKind::Back)
        } else if target < source && !is_header(source) {
            Err(Irreducible)
        } else {
            Ok(EdgeKind::Local)
        }
    }

    /// The index of `node` among the headers of `region`.
    ///
    /// LLVM: `LoopData::isHeader`, `LoopData::getHeaderIndex`.
    fn header_place(&self, region: Region, node: RpoIndex) -> Option<usize> {
        match self.headers(region) {
            [only] => (only.node == node).then_some(0),
            several => several.binary_search_by_key(&node, |member| member.node).ok(),
        }
    }

    fn headers(&self, region: Region) -> &[Member] {
        let Shape { first_member, headers, .. } = self.shapes[region];
        &self.members[first_member as usize..(first_member + headers) as usize]
    }

    /// The header with index `place` in `region`. If the region is solved, the node of its first header represents the
    /// region.
    ///
    /// LLVM: `LoopData::getHeader`.
    pub(crate) fn header(&self, region: Region, place: usize) -> RpoIndex {
        self.headers(region)[place].node
    }

    /// The number of headers of `region`. A natural loop has one header.
    ///
    /// LLVM: `LoopData::NumHeaders`, `LoopData::isIrreducible`.
    pub(crate) fn header_count(&self, region: Region) -> usize {
        self.shapes[region].headers as usize
    }

    /// The indices of the nodes of `region`, for calls of [`Regions::member`]. Headers come first.
    ///
    /// LLVM: `LoopData::Nodes`, `LoopData::members`.
    pub(crate) fn member_places(&self, region: Region) -> Range<usize> {
        let Shape { first_member, end_member, .. } = self.shapes[region];
        first_member as usize..end_member as usize
    }

    /// The node with index `place`.
    pub(crate) fn member(&self, place: usize) -> RpoIndex {
        self.members[place].node
    }

    /// The solved region that `node` represents, or `None` if `node` is a block.
    ///
    /// LLVM: `WorkingData::getPackagedLoop`, `WorkingData::isAPackage`, `WorkingData::isADoublePackage`.
    pub(crate) fn package_of(&self, node: RpoIndex) -> Option<Region> {
        self.nodes[node].package.expand()
    }

    /// The mass of `node` in the innermost unsolved region that contains the node, or in the function.
    ///
    /// LLVM: `WorkingData::Mass`, `WorkingData::getMass`.
    pub(crate) fn mass(&self, node: RpoIndex) -> Mass {
        let Node { mass, package, .. } = self.nodes[node];
        package.expand().map_or(mass, |package| self.package_masses[package])
    }

    /// The mass of `node` in the innermost unsolved region that contains the node, or in the function.
    ///
    /// LLVM: `WorkingData::Mass`, `WorkingData::getMass`.
    fn mass_mut(&mut self, node: RpoIndex) -> &mut Mass {
        let node = &mut self.nodes[node];
        match node.package.expand() {
            Some(package) => &mut self.package_masses[package],
            None => &mut node.mass,
        }
    }

    /// Sets the mass of `node` in the innermost unsolved region that contains the node, or in the function.
    pub(crate) fn set_mass(&mut self, node: RpoIndex, mass: Mass) {
        *self.mass_mut(node) = mass;
    }

    /// The mass that returned to the header with index `place` in `region`.
    pub(crate) fn back_mass(&self, region: Region, place: usize) -> Mass {
        self.back_masses[self.shapes[region].first_back_mass as usize + place]
    }

    /// The sum of the masses that returned to the headers of `region`.
    pub(crate) fn total_back_mass(&self, region: Region) -> Mass {
        let masses = (0..self.header_count(region)).map(|place| self.back_mass(region, place));
        masses.fold(Mass::EMPTY, Mass::plus)
    }

    /// Delivers `mass` to `target` along an edge of kind `kind` in `level`.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::distributeMass`.
    #[inline(always)] // Two call sites call this method for each edge.
    pub(crate) fn deliver(&mut self, level: Option<Region>, target: RpoIndex, kind: EdgeKind, mass: Mass) {
        match (kind, level) {
            (EdgeKind::Back, Some(region)) => {
                let place = self.header_place(region, target).expect("the target of a back edge is a header");
                let back = &mut self.back_masses[self.shapes[region].first_back_mass as usize + place];
                *back = back.plus(mass);
            }
            (EdgeKind::Exit, Some(region)) => self.record_exit(region, target, mass),
            _ => {
                let sum = self.mass_mut(target);
                *sum = sum.plus(mass);
            }
        }
    }

    /// Records that `mass` leaves `region` along an edge to `target`. `region` must be the region that is being solved.
    pub(crate) fn record_exit(&mut self, region: Region, target: RpoIndex, mass: Mass) {
        self.exits.push(Exit { target, mass });
        self.shapes[region].end_exit = self.exits.len() as u32;
    }

    /// Sets the sum of the masses that return to the headers of `region`.
    pub(crate) fn record_back_mass(&mut self, region: Region, mass: Mass) {
        self.back_masses[self.shapes[region].first_back_mass as usize] = mass;
    }

    /// The indices of `region`'s exits, for [`Regions::exit`].
    pub(crate) fn exit_places(&self, region: Region) -> Range<usize> {
        let Shape { first_exit, end_exit, .. } = self.shapes[region];
        first_exit as usize..end_exit as usize
    }

    /// The exit with index `place`.
    pub(crate) fn exit(&self, place: usize) -> Exit {
        self.exits[place]
    }

    /// All solved regions that have become single nodes. Outer regions come before inner regions.
    pub(crate) fn outermost_first(&self) -> impl Iterator<Item = Region> + '_ {
        self.packaged.iter().rev().copied()
    }

    /// The number of iterations of each region per entry into the region.
    ///
    /// LLVM: `LoopData::Scale`.
    pub(crate) fn scales(&self) -> impl Iterator<Item = Scaled> + '_ {
        self.scales.values().copied()
    }

    /// The number of iterations of `region` each time the region is entered.
    pub(crate) fn scale(&self, region: Region) -> Scaled {
        self.scales[region]
    }

    /// The mass that entered `region` from the enclosing region or function.
    pub(crate) fn entering_mass(&self, region: Region) -> Mass {
        self.package_masses[region]
    }

    /// The mass of each block within the innermost region around the block. If no region
    /// contains the block, the item is the mass of the block within the function.
    pub(crate) fn block_masses(&self) -> impl Iterator<Item = Mass> + '_ {
        self.nodes.values().map(|node| node.mass)
    }

    /// The mass of the block `node` within the innermost region around the block. If no region contains
    /// the block, the result is the mass of the block within the function.
    pub(crate) fn block_mass(&self, node: RpoIndex) -> Mass {
        self.nodes[node].mass
    }

    /// The nodes of `region`. If a node represents an inner region, the node is returned together with this inner
    /// region.
    pub(crate) fn nodes_of(&self, region: Region) -> impl Iterator<Item = (RpoIndex, Option<Region>)> + '_ {
        self.members[self.member_places(region)].iter().map(|member| (member.node, member.package.expand()))
    }

    /// The number of regions.
    pub(crate) fn count(&self) -> usize {
        self.shapes.len()
    }
}

impl Region {
    /// The region of a natural loop.
    pub(crate) fn of_loop(natural: Loop) -> Self {
        Region(natural.as_u32())
    }
}

impl Regions {
    /// Creates a region for each natural loop in `loops`. The new regions are not solved, and all masses are 0.
    ///
    /// LLVM: `BlockFrequencyInfoImpl::initializeLoops`.
    pub(crate) fn reset(&mut self, rpo: &ReversePostorder, loops: &LoopForest) {
        let nodes = rpo.iter().map(|(index, block)| Node {
            mass: Mass::EMPTY,
            representative: index,
            package: None.into(),
            level: loops.innermost(block).map(Region::of_loop).into(),
        });
        refill_with(&mut self.nodes, nodes);
        self.exits.clear();
        self.packaged.clear();
        self.lay_out_loops(loops);
        self.collect_members(rpo, loops);
    }

    /// Allocates the nodes of each natural loop: the blocks directly in the loop, and the headers of its inner loops.
    fn lay_out_loops(&mut self, loops: &LoopForest) {
        let mut sizes: PrimaryMap<Region, u32> = table(loops.count(), 0);
        for level in self.nodes.values().filter_map(|node| node.level.expand()) {
            sizes[level] += 1;
        }
        for parent in loops.loops().filter_map(|inner| loops.parent(inner)) {
            sizes[Region::of_loop(parent)] += 1;
        }
        self.shapes.clear();
        refill(&mut self.package_masses, loops.count(), Mass::EMPTY);
        refill(&mut self.scales, loops.count(), Scaled::ONE);
        self.back_masses.clear();
        self.back_masses.resize(loops.count(), Mass::EMPTY);
        let mut first_member = 0;
        for (region, &size) in sizes.iter() {
            let parent = loops.parent(Loop::from_u32(region.as_u32())).map(Region::of_loop).into();
            self.shapes.push(Shape::new(parent, first_member, 1, region.as_u32()));
            first_member += size;
        }
        let unfilled = Member { node: RpoIndex::from_u32(0), package: None.into() };
        self.members.clear();
        self.members.resize(first_member as usize, unfilled);
    }

    /// Stores the nodes of the natural loops, in ascending order. The first node of each loop is its header.
    fn collect_members(&mut self, rpo: &ReversePostorder, loops: &LoopForest) {
        for (index, block) in rpo.iter() {
            let Some(innermost) = loops.innermost(block) else { continue };
            self.append_member(Region::of_loop(innermost), index);
            if loops.header(innermost) == block {
                if let Some(parent) = loops.parent(innermost) {
                    self.append_member(Region::of_loop(parent), index);
                }
            }
        }
    }

    fn append_member(&mut self, region: Region, node: RpoIndex) {
        let end = &mut self.shapes[region].end_member;
        self.members[*end as usize].node = node;
        *end += 1;
    }

    /// Adds an irreducible region to the level `parent`. The region must have at least two headers. `headers` and
    /// `others` must be in ascending order.
    ///
    /// LLVM: `createIrreducibleLoop`.
    pub(crate) fn add_irreducible(
        &mut self,
        parent: Option<Region>,
        headers: &[RpoIndex],
        others: &[RpoIndex],
    ) -> Region {
        let shape = Shape::new(
            parent.into(),
            self.members.len() as u32,
            headers.len() as u32,
            self.back_masses.len() as u32,
        );
        let region = self.shapes.push(shape);
        self.package_masses.push(Mass::EMPTY);
        self.scales.push(Scaled::ONE);
        self.back_masses.resize(self.back_masses.len() + headers.len(), Mass::EMPTY);
        for &node in headers.iter().chain(others) {
            self.members.push(Member { node, package: None.into() });
            self.nodes[node].level = region.into();
        }
        self.shapes[region].end_member = self.members.len() as u32;
        region
    }
}

impl Shape {
    fn new(parent: PackedOption<Region>, first_member: u32, headers: u32, first_back_mass: u32) -> Self {
        Shape {
            parent,
            first_member,
            end_member: first_member,
            headers,
            first_back_mass,
            first_exit: 0,
            end_exit: 0,
            exits_floor: 0,
        }
    }
}
