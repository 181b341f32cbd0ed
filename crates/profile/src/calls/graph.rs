//! Who calls whom, and how often for each time that the caller is called.

use std::ops::Range;

use cranelift_entity::{entity_impl, EntityRef, PrimaryMap};

use crate::bfi::Scaled;

/// A function, or what a call through a pointer may reach: one of several functions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallNode(u32);
entity_impl!(CallNode, "fn");

/// What one node calls another by: one call, or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallEdge {
    /// Who is called.
    pub callee: CallNode,
    /// How often, for each time that the caller is called.
    pub weight: Scaled,
}

/// A call graph: edges in compressed sparse rows, by caller. Parallel edges stay apart.
#[derive(Clone, Debug, Default)]
pub struct CallGraph {
    /// Where the edges of each node end.
    ends: PrimaryMap<CallNode, u32>,
    edges: Vec<CallEdge>,
    /// How often each node is called from outside.
    starts: PrimaryMap<CallNode, Scaled>,
}

impl CallGraph {
    /// The graph of nodes that are called from outside as often as `starts` says, with an edge for each of `calls`:
    /// caller, callee, and how often for each time that the caller is called. Calls that never happen are left out.
    ///
    /// # Panics
    ///
    /// If a call names a node that `starts` does not have.
    pub fn new(starts: PrimaryMap<CallNode, Scaled>, calls: &[(CallNode, CallNode, Scaled)]) -> Self {
        let happen = || calls.iter().filter(|call| !call.2.is_zero());
        let mut ends: PrimaryMap<CallNode, u32> = starts.values().map(|_| 0).collect();
        for &(caller, callee, _) in happen() {
            assert!(starts.is_valid(callee), "a call of a node that is there");
            ends[caller] += 1;
        }
        // From sizes to starts; filling moves each on to the end.
        let mut next = 0;
        for place in ends.values_mut() {
            next += std::mem::replace(place, next);
        }
        let nothing = CallEdge { callee: CallNode::new(0), weight: Scaled::ZERO };
        let mut edges = vec![nothing; next as usize];
        for &(caller, callee, weight) in happen() {
            let place = &mut ends[caller];
            edges[*place as usize] = CallEdge { callee, weight };
            *place += 1;
        }
        CallGraph { ends, edges, starts }
    }

    /// The number of nodes.
    pub fn node_count(&self) -> usize {
        self.starts.len()
    }

    /// All nodes.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = CallNode> + ExactSizeIterator {
        (0..self.node_count() as u32).map(CallNode::from_u32)
    }

    /// What `node` calls.
    pub fn edges(&self, node: CallNode) -> &[CallEdge] {
        &self.edges[self.places(node)]
    }

    /// How often `node` is called from outside.
    pub fn start(&self, node: CallNode) -> Scaled {
        self.starts[node]
    }

    fn places(&self, node: CallNode) -> Range<usize> {
        let first = node.index().checked_sub(1).map_or(0, |before| self.ends[CallNode::new(before)]);
        first as usize..self.ends[node] as usize
    }
}
