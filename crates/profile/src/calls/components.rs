//! Strongly connected components of a call graph, callers first.

use cranelift_entity::PrimaryMap;

use super::graph::{CallGraph, CallNode};
use crate::cfg::table;
use crate::cfg::unstable::SccFinder;

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
