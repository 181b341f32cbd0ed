//! The call graph with the weight of each call.

use cranelift_entity::{entity_impl, EntityRef, PrimaryMap};

use crate::bfi::Scaled;
use crate::cfg::table;

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

/// A list of items for each node, in compressed sparse rows.
#[derive(Clone, Debug)]
pub(super) struct Rows<T> {
    /// For each node, the index in `items` at which the row of the node ends.
    ends: PrimaryMap<CallNode, u32>,
    items: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Rows { ends: PrimaryMap::new(), items: Vec::new() }
    }
}

impl<T: Copy> Rows<T> {
    /// Creates the rows of `count` nodes. Each item of `pairs` is added to the row of its node.
    ///
    /// # Panics
    ///
    /// Panics if the index of a node is not less than `count`.
    pub(super) fn new(count: usize, pairs: impl Iterator<Item = (CallNode, T)> + Clone) -> Self {
        let mut ends: PrimaryMap<CallNode, u32> = table(count, 0);
        pairs.clone().for_each(|(node, _)| ends[node] += 1);
        // Convert the size of each row to the start index of the row. The loop over the pairs then adds 1 to
        // `ends[node]` for each item of `node`. After this loop, `ends[node]` is the end of the row.
        let mut next = 0;
        for place in ends.values_mut() {
            next += std::mem::replace(place, next);
        }
        let any = pairs.clone().next();
        let mut items = any.map_or(Vec::new(), |(_, item)| vec![item; next as usize]);
        for (node, item) in pairs {
            let place = &mut ends[node];
            items[*place as usize] = item;
            *place += 1;
        }
        Rows { ends, items }
    }

    /// The items of `node`.
    pub(super) fn row(&self, node: CallNode) -> &[T] {
        let first = node.index().checked_sub(1).map_or(0, |before| self.ends[CallNode::new(before)]);
        &self.items[first as usize..self.ends[node] as usize]
    }
}

/// A call graph. Parallel edges are stored separately.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallGraph {
    /// The outgoing edges of each node.
    edges: Rows<CallEdge>,
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
        let happen = calls.iter().filter(|call| !call.2.is_zero());
        let edges = happen.map(|&(caller, callee, weight)| {
            assert!(starts.is_valid(callee), "the callee {callee} is not a node of the graph");
            (caller, CallEdge { callee, weight })
        });
        CallGraph { edges: Rows::new(starts.len(), edges), starts }
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
        self.edges.row(node)
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
}
