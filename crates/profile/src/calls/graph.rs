//! The call graph with the weight of each call.

use std::ops::Range;

use cranelift_entity::{entity_impl, EntityRef, PrimaryMap};

use crate::bfi::Scaled;

/// A node of the call graph: a function, or the possible callees of a call through a pointer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallNode(u32);
entity_impl!(CallNode, "fn");

/// One or more calls from one node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CallEdge {
    /// The callee.
    pub callee: CallNode,
    /// The number of executions of this call for each call of the caller.
    pub weight: Scaled,
}

/// A call graph. The graph stores edges in compressed sparse rows, by caller. Parallel edges are stored separately.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallGraph {
    /// For each node, the index in `edges` at which the outgoing edges of the node end.
    ends: PrimaryMap<CallNode, u32>,
    edges: Vec<CallEdge>,
    /// The number of calls of each node from outside the module.
    starts: PrimaryMap<CallNode, Scaled>,
}

impl CallGraph {
    /// Creates a graph with an edge for each of `calls`. For each node, `starts` contains the number of calls from
    /// outside the module. A call is a tuple: the caller, the callee, and the frequency of the call. The
    /// frequency is the number of times that one execution of the caller executes the call. Calls with the frequency 0
    /// are ignored.
    ///
    /// # Panics
    ///
    /// Panics if a call has a caller or callee that is not in `starts`.
    pub(crate) fn new(starts: PrimaryMap<CallNode, Scaled>, calls: &[(CallNode, CallNode, Scaled)]) -> Self {
        let happen = || calls.iter().filter(|call| !call.2.is_zero());
        let mut ends: PrimaryMap<CallNode, u32> = starts.values().map(|_| 0).collect();
        for &(caller, callee, _) in happen() {
            assert!(starts.is_valid(callee), "the callee {callee} is not a node of the graph");
            ends[caller] += 1;
        }
        // Convert the size of each row to the start index of the row. The loop over the calls then adds 1 to
        // `ends[caller]` for each outgoing edge of `caller`. After this loop, `ends[caller]` is the end of the row.
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
    pub(crate) fn node_count(&self) -> usize {
        self.starts.len()
    }

    /// All nodes.
    pub(crate) fn nodes(&self) -> impl DoubleEndedIterator<Item = CallNode> + ExactSizeIterator + use<> {
        (0..self.node_count() as u32).map(CallNode::from_u32)
    }

    /// The outgoing edges of `node`.
    pub(crate) fn edges(&self, node: CallNode) -> &[CallEdge] {
        &self.edges[self.places(node)]
    }

    /// The number of calls of `node` from outside the module.
    pub(crate) fn start(&self, node: CallNode) -> Scaled {
        self.starts[node]
    }

    /// The number of calls of each node from outside the module.
    pub(crate) fn starts(&self) -> &PrimaryMap<CallNode, Scaled> {
        &self.starts
    }

    /// Replaces the number of calls of each node from outside the module.
    pub(crate) fn set_starts(&mut self, starts: PrimaryMap<CallNode, Scaled>) {
        self.starts = starts;
    }

    fn places(&self, node: CallNode) -> Range<usize> {
        let first = node.index().checked_sub(1).map_or(0, |before| self.ends[CallNode::new(before)]);
        first as usize..self.ends[node] as usize
    }
}
