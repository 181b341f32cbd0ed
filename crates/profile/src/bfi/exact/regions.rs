//! Finds the irreducible regions of a loop or function. Each region is a strongly connected component with at least two
//! nodes.

use cranelift_entity::PrimaryMap;

use super::flow::ExitFlows;
use super::levels::{Destination, Level, LevelNode};
use crate::bfi::irreducible::row;
use crate::cfg::unstable::SccFinder;
use crate::cfg::{table, Block};

/// The region number of a node outside all irreducible regions.
const ALONE: u32 = u32::MAX;

/// The irreducible regions of one level. The memory is reused for the next level.
#[derive(Default)]
pub(super) struct IrreducibleRegions {
    /// The index of each node in the level. For blocks that are not nodes of this level, the table
    /// contains an index from an earlier level.
    places: PrimaryMap<Block, u32>,
    /// The edges within the level in compressed sparse rows, by node index.
    edge_ends: Vec<u32>,
    targets: Vec<u32>,
    finder: SccFinder,
    /// For each node, its region, and its index among the nodes of this region.
    regions: Vec<(u32, u32)>,
    /// The nodes of all regions, grouped by region, in ascending order.
    members: Vec<u32>,
    member_ends: Vec<u32>,
}

impl IrreducibleRegions {
    /// Starts a function.
    pub(crate) fn start(&mut self, blocks: usize) {
        if self.places.len() < blocks {
            self.places = table(blocks, 0);
        }
    }

    /// Finds the regions of `level`. `nodes` are the nodes of the level, in reverse postorder.
    pub(crate) fn find(&mut self, level: Level, nodes: &[Block], exits: &ExitFlows) {
        self.collect_edges(level, nodes, exits);
        let IrreducibleRegions { edge_ends, targets, finder, regions, members, member_ends, .. } = self;
        regions.clear();
        regions.resize(nodes.len(), (ALONE, 0));
        members.clear();
        member_ends.clear();
        let successor = |place: u32, edge: usize| row(edge_ends, targets, place as usize).get(edge).copied();
        finder.run(nodes.len(), 0, successor, |found| {
            if found.len() < 2 {
                return;
            }
            let (first, region) = (members.len(), member_ends.len() as u32);
            members.extend_from_slice(found);
            members[first..].sort_unstable();
            for (number, &place) in (0..).zip(&members[first..]) {
                regions[place as usize] = (region, number);
            }
            member_ends.push(members.len() as u32);
        });
    }

    fn collect_edges(&mut self, level: Level, nodes: &[Block], exits: &ExitFlows) {
        for (place, &node) in (0..).zip(nodes) {
            self.places[node] = place;
        }
        self.edge_ends.clear();
        self.targets.clear();
        for &node in nodes {
            let mut add = |target| {
                if let Destination::On(block) = level.destination(target) {
                    self.targets.push(self.places[block]);
                }
            };
            match level.node(node) {
                LevelNode::Block(block) => {
                    level.function.graph.successors(block).iter().copied().for_each(&mut add)
                }
                LevelNode::Loop(inner) => exits.places(inner).for_each(|place| add(exits.exit(place).target)),
            }
            self.edge_ends.push(self.targets.len() as u32);
        }
    }

    /// The region of the node with index `place`, or `None` if the node is outside all regions.
    pub(crate) fn at(&self, place: usize) -> Option<u32> {
        Some(self.regions[place].0).filter(|&region| region != ALONE)
    }

    /// The indices of the nodes of `region`, in ascending order.
    pub(crate) fn members(&self, region: u32) -> &[u32] {
        let first = region.checked_sub(1).map_or(0, |before| self.member_ends[before as usize]);
        &self.members[first as usize..self.member_ends[region as usize] as usize]
    }

    /// The index of the node of `block` among the nodes of `region`, or `None` if the node is outside the region.
    pub(crate) fn number(&self, region: u32, block: Block) -> Option<u32> {
        let (own, number) = self.regions[self.places[block] as usize];
        (own == region).then_some(number)
    }
}
