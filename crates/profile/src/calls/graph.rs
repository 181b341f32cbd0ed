//! The call graph with the weight of each call, and its strongly connected components, callers first.

use cranelift_entity::{entity_impl, EntityRef, PrimaryMap};

use crate::bfi::Scaled;
use crate::cfg::table;
use crate::cfg::unstable::SccFinder;

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

/// The strongly connected components of a call graph. A component comes after the components that call it.
///
/// In each component, the search for components visits one node N before all other nodes. The nodes are in reverse
/// postorder of a depth-first search that starts at N. A call to a later node is therefore a forward call. A call to
/// the same node or to an earlier node closes a cycle.
pub(super) struct Components {
    members: Vec<CallNode>,
    ends: Vec<u32>,
}

impl Components {
    /// Finds the components of `graph`.
    pub(crate) fn of(graph: &CallGraph) -> Self {
        let mut found = Components { members: Vec::new(), ends: Vec::new() };
        found.find(graph);
        found.order(graph);
        found
    }

    fn find(&mut self, graph: &CallGraph) {
        let (started, others): (Vec<CallNode>, Vec<CallNode>) =
            graph.nodes().partition(|&node| !graph.start(node).is_zero());
        let first = [started, others].concat();
        // An extra node has edges to all nodes. One search from this node therefore finds all components.
        let count = graph.node_count() as u32;
        let successor = |node: u32, edge: usize| match node {
            _ if node == count => first.get(edge).map(|node| node.as_u32()),
            _ => graph.edges(CallNode::from_u32(node)).get(edge).map(|edge| edge.callee.as_u32()),
        };
        SccFinder::default().run(count as usize + 1, count, successor, |component| {
            if component != [count] {
                self.members.extend(component.iter().map(|&node| CallNode::from_u32(node)));
                self.ends.push(self.members.len() as u32);
            }
        });
    }

    /// Sorts the nodes of each component. Before the call, each component must begin with the node that the search
    /// visited before all other nodes of the component.
    fn order(&mut self, graph: &CallGraph) {
        let mut component_of: PrimaryMap<CallNode, u32> = table(graph.node_count(), 0);
        // For each node, the number of its component. The numbers of components start at 1. Visited nodes have the
        // number 0.
        for place in 0..self.ends.len() {
            for &member in self.component(place) {
                component_of[member] = place as u32 + 1;
            }
        }
        let mut postorder = Vec::new();
        let mut path: Vec<(CallNode, usize)> = Vec::new();
        for place in 0..self.ends.len() {
            let own = place as u32 + 1;
            let root = self.component(place)[0];
            postorder.clear();
            component_of[root] = 0;
            path.push((root, 0));
            while let Some((node, next)) = path.last_mut() {
                match graph.edges(*node).get(*next) {
                    Some(edge) => {
                        *next += 1;
                        if component_of[edge.callee] == own {
                            component_of[edge.callee] = 0;
                            path.push((edge.callee, 0));
                        }
                    }
                    None => {
                        postorder.push(*node);
                        path.pop();
                    }
                }
            }
            let end = self.ends[place] as usize;
            let ordered = &mut self.members[end - postorder.len()..end];
            ordered.iter_mut().zip(postorder.iter().rev()).for_each(|(place, &node)| *place = node);
        }
    }

    /// All components, callers first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[CallNode]> {
        (0..self.ends.len()).rev().map(|place| self.component(place))
    }

    fn component(&self, place: usize) -> &[CallNode] {
        let first = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.members[first as usize..self.ends[place] as usize]
    }
}
