//! Finds the irreducible regions of one level.
//!
//! A level is a loop or the function. An irreducible region of a level is a strongly connected component of at least
//! two nodes of the level. Each inner loop is a single node. Edges to the level's header are ignored. The headers of a
//! region are:
//!
//! 1. its entries, which are the nodes with a predecessor outside the region;
//! 2. each node N with a predecessor P that satisfies three conditions: P is in the region, P is not an entry, and the
//!    RPO index of P is at least the RPO index of N. A cycle without an entry always has such a node N.
//!
//! If an edge of the region does not start at an entry and does not end at a header, its target has a higher RPO index
//! than its source.

use cranelift_entity::PrimaryMap;

use super::rpo::RpoIndex;
use crate::cfg::table;
use crate::cfg::unstable::SccFinder;

/// The component number of a node that is alone in its strongly connected component.
const ALONE: u32 = u32::MAX;

/// The graph of one level, and the components of this graph. The memory is reused for the next level.
///
/// LLVM: `IrreducibleGraph`.
#[derive(Default)]
pub(super) struct IrreducibleFinder {
    /// The nodes of the level, in ascending order. The first node is the entry.
    nodes: Vec<RpoIndex>,
    /// The index of each node in `nodes`. For blocks that are not nodes of this level, the table
    /// contains an index from an earlier level.
    places: PrimaryMap<RpoIndex, u32>,
    /// Edges in compressed sparse rows, by index in `nodes`.
    edge_ends: Vec<u32>,
    targets: Vec<u32>,

    search: SccFinder,
    /// The nodes of all components, grouped by component.
    members: Vec<u32>,
    member_ends: Vec<u32>,
    component: Vec<u32>,
    entered: Vec<bool>,
    reached_backwards: Vec<bool>,

    headers: Vec<RpoIndex>,
    others: Vec<RpoIndex>,
}

impl IrreducibleFinder {
    /// Removes the nodes and edges of the previous level. `indices` is the number of blocks of the function.
    ///
    /// LLVM: `IrreducibleGraph::initialize`.
    pub(crate) fn start(&mut self, indices: usize) {
        if self.places.len() < indices {
            self.places = table(indices, 0);
        }
        self.nodes.clear();
        self.edge_ends.clear();
        self.targets.clear();
    }

    /// Adds a node. The caller adds all nodes in ascending order, before the first edge.
    ///
    /// LLVM: `IrreducibleGraph::addNode`, `IrreducibleGraph::indexNodes`.
    pub(crate) fn add_node(&mut self, node: RpoIndex) {
        self.places[node] = self.nodes.len() as u32;
        self.nodes.push(node);
    }

    /// The number of nodes of the level.
    pub(crate) fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The node with index `place`.
    pub(crate) fn node(&self, place: usize) -> RpoIndex {
        self.nodes[place]
    }

    /// Adds an edge from the current node to `target`. The two nodes must be in the same loop or function.
    ///
    /// LLVM: `IrreducibleGraph::addEdge`.
    pub(crate) fn add_edge(&mut self, target: RpoIndex) {
        self.targets.push(self.places[target]);
    }

    /// Ends the edge list of the current node.
    pub(crate) fn end_node(&mut self) {
        self.edge_ends.push(self.targets.len() as u32);
    }

    /// Calls `emit` with the headers and the other nodes of each irreducible region. Each list is in ascending order.
    ///
    /// If an edge leads from region A to region B, B comes before A. The caller solves regions in this order. When the
    /// caller solves a region, each exit of this region leads to a solved region or to a block outside all regions.
    ///
    /// LLVM: `BlockFrequencyInfoImplBase::analyzeIrreducible`.
    pub(crate) fn find(&mut self, mut emit: impl FnMut(&[RpoIndex], &[RpoIndex])) {
        self.find_components();
        self.find_headers();
        let mut first = 0;
        for &end in &self.member_ends {
            self.headers.clear();
            self.others.clear();
            for &member in &self.members[first..end as usize] {
                let place = member as usize;
                let is_header = self.entered[place] || self.reached_backwards[place];
                let list = if is_header { &mut self.headers } else { &mut self.others };
                list.push(self.nodes[place]);
            }
            self.headers.sort_unstable();
            self.others.sort_unstable();
            emit(&self.headers, &self.others);
            first = end as usize;
        }
    }

    fn find_components(&mut self) {
        let IrreducibleFinder { search, members, member_ends, component, edge_ends, targets, .. } = self;
        members.clear();
        member_ends.clear();
        component.clear();
        component.resize(edge_ends.len(), ALONE);
        let successor = |place: u32, edge: usize| row(edge_ends, targets, place as usize).get(edge).copied();
        search.run(edge_ends.len(), 0, successor, |found| {
            if found.len() < 2 {
                return;
            }
            found.iter().for_each(|&place| component[place as usize] = member_ends.len() as u32);
            members.extend_from_slice(found);
            member_ends.push(members.len() as u32);
        });
    }

    /// LLVM: `findIrreducibleHeaders`.
    fn find_headers(&mut self) {
        self.entered.clear();
        self.entered.resize(self.nodes.len(), false);
        for (source, target) in edges(&self.edge_ends, &self.targets) {
            self.entered[target] |= self.component[source] != self.component[target];
        }
        self.reached_backwards.clear();
        self.reached_backwards.resize(self.nodes.len(), false);
        for (source, target) in edges(&self.edge_ends, &self.targets) {
            let inside = self.component[source] == self.component[target];
            self.reached_backwards[target] |= inside && source >= target && !self.entered[source];
        }
    }
}

/// The edges out of the node with index `place`.
pub(super) fn row<'a>(edge_ends: &[u32], targets: &'a [u32], place: usize) -> &'a [u32] {
    let first = place.checked_sub(1).map_or(0, |before| edge_ends[before] as usize);
    &targets[first..edge_ends[place] as usize]
}

/// All edges, as pairs of node indices.
fn edges<'a>(edge_ends: &'a [u32], targets: &'a [u32]) -> impl Iterator<Item = (usize, usize)> + 'a {
    (0..edge_ends.len()).flat_map(move |place| {
        row(edge_ends, targets, place).iter().map(move |&target| (place, target as usize))
    })
}
