//! Priority queue for elimination. The queue returns the nodes with the least cost first.
//!
//! Nodes with similar costs are in one doubly linked list, so removing or moving a node takes constant time. Within a
//! list, the node that was added last is removed first: it is a neighbour of the node that was eliminated last.

/// Marks the absence of a node or list.
const NONE: u32 = u32::MAX;
/// Each cost below this limit has its own list.
const DISTINCT: u64 = 32;
/// The number of lists. From cost 32 on, each power of two has eight lists.
const LISTS: usize = DISTINCT as usize + (64 - 5) * 8;

/// The nodes that are not eliminated yet, ordered by the cost of their elimination.
#[derive(Default)]
pub(super) struct Queue {
    heads: Vec<u32>,
    /// The list of each node, and the previous and next node in this list.
    links: Vec<Link>,
    /// All lists with a lower index are empty.
    lowest: usize,
}

#[derive(Clone, Copy)]
struct Link {
    list: u32,
    previous: u32,
    next: u32,
}

impl Queue {
    /// Empties the queue, and allocates memory for `count` nodes.
    pub(crate) fn start(&mut self, count: usize) {
        self.heads.clear();
        self.heads.resize(LISTS, NONE);
        self.links.clear();
        self.links.resize(count, Link { list: NONE, previous: NONE, next: NONE });
        self.lowest = LISTS;
    }

    /// Adds `node`, or moves it to the list of `cost`.
    pub(crate) fn set(&mut self, node: u32, cost: u64) {
        let list = list_of(cost);
        if self.links[node as usize].list == list as u32 {
            return;
        }
        self.remove(node);
        let next = std::mem::replace(&mut self.heads[list], node);
        if next != NONE {
            self.links[next as usize].previous = node;
        }
        self.links[node as usize] = Link { list: list as u32, previous: NONE, next };
        self.lowest = self.lowest.min(list);
    }

    /// Removes and returns a node of the lowest list that is not empty.
    pub(crate) fn pop(&mut self) -> Option<u32> {
        let above = &self.heads[self.lowest..];
        let list = self.lowest + above.iter().position(|&head| head != NONE)?;
        self.lowest = list;
        let node = self.heads[list];
        self.remove(node);
        Some(node)
    }

    fn remove(&mut self, node: u32) {
        let Link { list, previous, next } = self.links[node as usize];
        if list == NONE {
            return;
        }
        match previous {
            NONE => self.heads[list as usize] = next,
            previous => self.links[previous as usize].next = next,
        }
        if next != NONE {
            self.links[next as usize].previous = previous;
        }
        self.links[node as usize].list = NONE;
    }
}

/// The index of the list for `cost`.
fn list_of(cost: u64) -> usize {
    if cost < DISTINCT {
        return cost as usize;
    }
    let power = cost.ilog2();
    let eighth = (cost >> (power - 3)) & 7;
    DISTINCT as usize + (power as usize - 5) * 8 + eighth as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_queue_returns_the_latest_node_of_the_least_cost() {
        let mut queue = Queue::default();
        queue.start(5);
        for (node, cost) in [(0, 7), (1, 3), (2, 900), (3, 3), (4, u64::MAX)] {
            queue.set(node, cost);
        }
        queue.set(0, 2);
        queue.set(3, 3);
        queue.set(4, 901);
        let order: Vec<u32> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, [0, 3, 1, 4, 2]);
    }

    #[test]
    fn lists_are_in_the_order_of_costs() {
        let costs = (0..2000).chain((11..64).map(|power| 1 << power)).chain([u64::MAX]);
        let lists: Vec<usize> = costs.map(list_of).collect();
        assert!(lists.is_sorted() && lists.last() == Some(&(LISTS - 1)));
    }
}
