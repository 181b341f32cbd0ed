//! The paths through cleanups, such as calls of destructors.
//!
//! Several paths lead to a cleanup: the end of the scope, `break`, `continue` and `return`. Before clang jumps to the
//! cleanup, it stores a number for the path in the variable `cleanup.dest.slot`. After the cleanup, a `switch` on this
//! variable selects the path again. No counter measures the edges of this `switch`. In the graph of [`States`], each
//! number has its own copy of the cleanup, so the counts of the edges follow from the counts of the paths.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

/// What a block does with the variable `cleanup.dest.slot`, which selects the path after a cleanup. The default is a block that does not use the variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cleanup {
    /// Whether the block reads the variable before it stores a number.
    pub is_read: bool,
    /// The last number that the block stores: `Some(None)` if the number is not a constant, `None` if the block stores
    /// nothing.
    pub stored: Option<Option<i64>>,
    /// If the block ends in a `switch` on the variable: the number of each successor except the first, which is the
    /// default.
    pub cases: Option<Vec<i64>>,
}

/// A block and the number in the variable. The number is `None` if it is unknown or if no later block reads it.
type State = (usize, Option<i64>);

/// The graph of the states that are reachable from the entry, which is state 0.
#[derive(Debug, Default)]
pub(super) struct States {
    pub(super) states: Vec<State>,
    /// The two states of each edge.
    pub(super) ends: Vec<[usize; 2]>,
    /// For each edge, its block and its place among the successors of the block.
    pub(super) edges: Vec<(usize, usize)>,
}

impl States {
    /// `successors` and `uses` have an item for each block of a function.
    pub(super) fn new(successors: &[&[usize]], uses: &[&Cleanup]) -> Self {
        let is_live = live(successors, uses);
        let entry = (0..uses.len().min(1)).map(|entry| (entry, None));
        let mut found = States { states: entry.collect(), ..States::default() };
        let mut numbers = FxHashMap::from_iter([((0, None), 0)]);
        let mut next = 0;
        while let Some(&(block, number)) = found.states.get(next) {
            let number = uses[block].stored.unwrap_or(number);
            let taken = number.zip(uses[block].cases.as_ref()).map(|(number, cases)| {
                cases.iter().position(|&case| case == number).map_or(0, |case| case + 1)
            });
            for (place, &to) in successors[block].iter().enumerate() {
                if taken.is_some_and(|taken| taken != place) {
                    continue;
                }
                let state = (to, number.filter(|_| is_live[to]));
                let target = *numbers.entry(state).or_insert_with(|| {
                    found.states.push(state);
                    found.states.len() - 1
                });
                found.ends.push([next, target]);
                found.edges.push((block, place));
            }
            next += 1;
        }
        found
    }

    /// The blocks that have several states.
    pub(super) fn shared(&self) -> BTreeSet<usize> {
        let mut seen = BTreeSet::new();
        self.states.iter().map(|state| state.0).filter(|&block| !seen.insert(block)).collect()
    }
}

/// For each block, whether the number in the variable is read after the beginning of the block.
fn live(successors: &[&[usize]], uses: &[&Cleanup]) -> Vec<bool> {
    let mut predecessors = vec![Vec::new(); uses.len()];
    for (block, targets) in successors.iter().enumerate() {
        targets.iter().for_each(|&to| predecessors[to].push(block));
    }
    let mut is_live = vec![false; uses.len()];
    let mut work: Vec<usize> = (0..uses.len()).filter(|&block| uses[block].is_read).collect();
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut is_live[block], true) {
            work.extend(predecessors[block].iter().filter(|&&from| uses[from].stored.is_none()));
        }
    }
    is_live
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Block 0 branches to the end of the scope (block 1) and to `break` (block 2). Both lead through the cleanup,
    /// block 3, to its `switch`, block 4.
    #[test]
    fn each_number_has_its_own_path_through_the_cleanup() {
        let stored = |number| Cleanup { stored: Some(Some(number)), ..Cleanup::default() };
        let read = Cleanup { is_read: true, cases: Some(vec![0]), ..Cleanup::default() };
        let (none, one, two) = (Cleanup::default(), stored(0), stored(7));
        let successors: [&[usize]; 7] = [&[1, 2], &[3], &[3], &[4], &[6, 5], &[], &[]];
        let states = States::new(&successors, &[&none, &one, &two, &none, &read, &none, &none]);
        let reached: BTreeSet<State> = states.states.iter().copied().collect();
        let copies = [(3, Some(0)), (3, Some(7)), (4, Some(0)), (4, Some(7))];
        let single = [0, 1, 2, 5, 6].map(|block| (block, None));
        assert_eq!(reached, copies.into_iter().chain(single).collect());
        assert_eq!(states.shared(), BTreeSet::from([3, 4]));
        let ends = |number| {
            let from = states.states.iter().position(|&state| state == (4, Some(number))).expect("a state");
            let of_state = states.ends.iter().filter(|ends| ends[0] == from);
            of_state.map(|ends| states.states[ends[1]].0).collect::<Vec<_>>()
        };
        assert_eq!((ends(0), ends(7)), (vec![5], vec![6]));
    }

    #[test]
    fn an_unknown_number_can_take_every_edge() {
        let unknown = Cleanup { stored: Some(None), is_read: true, cases: Some(vec![1]) };
        let (successors, none): ([&[usize]; 3], _) = ([&[1, 2], &[], &[]], Cleanup::default());
        let states = States::new(&successors, &[&unknown, &none, &none]);
        assert_eq!(states.edges, [(0, 0), (0, 1)]);
        assert!(States::new(&[], &[]).states.is_empty());
    }
}
