//! Creates regions: natural loops at the start, and irreducible regions when they are found.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::PrimaryMap;

use super::{Member, Node, Region, Regions, Shape};
use crate::bfi::rpo::{ReversePostorder, RpoIndex};
use crate::bfi::{Mass, Scaled};
use crate::cfg::unstable::{refill, refill_with};
use crate::cfg::{table, Loop, LoopForest};

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
