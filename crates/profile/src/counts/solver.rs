//! Computes the execution counts of all blocks and edges of a function from the counts of its branches.
//!
//! The counts of a block's incoming edges add up to the count of the block, and so do the counts of its outgoing
//! edges. Suppose that the count of a block is known, and that exactly one incoming edge has an unknown count. The
//! count of this edge is the block's count minus the counts of the other incoming edges. Likewise, if exactly one
//! outgoing edge of a block has an unknown count, this count is the block's count minus the counts of the other
//! outgoing edges. By these rules, most edges without a counter get a count. Examples are the edges of blocks with one
//! successor, and the edges of switches that a front end generates for cleanups. Other counts remain unknown.
//!
//! [`Solver::solve_with_unknowns`] also computes with unknown counts. Suppose that block 0 runs 9 times and branches to
//! the blocks 1 and 2, and that block 1 jumps to block 2. If nothing else is known, the edge to block 1 has an unknown
//! count `x`. The counts of the edges into block 2 are `x` and `9 - x`, so block 2 runs 9 times.
//!
//! Some calls do not return to their block, because of `longjmp` or an exception. The computation ignores such calls:
//! it assumes that each execution of a block reaches the terminator of the block. The count of each edge is determined
//! at most once. Without unknown counts, the time is proportional to the number of edges; a sum may contain all unknown
//! counts.

use std::collections::BTreeMap;

/// The execution counts of the blocks and edges of a function. Each count is exact, or `None` if it is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// The counts of the blocks, in the order of their numbers.
    pub blocks: Vec<Option<u64>>,
    /// The counts of the edges, in the order in which the solver got them.
    pub edges: Vec<Option<u64>>,
}

/// A constant plus multiples of unknown counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sum {
    /// The constant.
    number: i128,
    /// The factor of each unknown count in the sum. The key identifies the unknown count. No factor is 0.
    unknowns: BTreeMap<usize, i64>,
}

impl Sum {
    fn number(number: u64) -> Self {
        Sum { number: number.into(), ..Sum::default() }
    }

    fn unknown(number: usize) -> Self {
        Sum { number: 0, unknowns: BTreeMap::from([(number, 1)]) }
    }

    fn plus(&self, factor: i64, other: &Sum) -> Sum {
        let mut sum = self.clone();
        sum.number += other.number * i128::from(factor);
        for (&unknown, times) in &other.unknowns {
            let all = sum.unknowns.entry(unknown).or_default();
            *all += times * factor;
            if *all == 0 {
                sum.unknowns.remove(&unknown);
            }
        }
        sum
    }

    /// Returns `self - other`. If the difference is a known negative number, returns 0.
    fn minus(&self, other: &Sum) -> Sum {
        let mut difference = self.plus(-1, other);
        if difference.unknowns.is_empty() {
            difference.number = difference.number.max(0);
        }
        difference
    }

    fn is_zero(&self) -> bool {
        self.number == 0 && self.unknowns.is_empty()
    }

    /// The value, unless it depends on unknown counts.
    fn value(&self) -> Option<u64> {
        self.unknowns.is_empty().then(|| u64::try_from(self.number.max(0)).unwrap_or(u64::MAX))
    }
}

/// The incoming or the outgoing edges of a block.
#[derive(Clone, Debug, Default)]
struct BlockEdges {
    edges: Vec<usize>,
    unset: usize,
    /// The sum of the counts that are set.
    sum: Sum,
}

/// The edges from which [`Solver`] computes the count of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Only the incoming edges. If a call throws an exception, the outgoing edges of the block are executed less often
    /// than the incoming edges.
    Forward,
    /// The incoming and the outgoing edges.
    Both,
}

/// Computes the counts of a control-flow graph from known counts.
#[derive(Debug)]
pub struct Solver {
    direction: Direction,
    /// The block at which each edge begins, and the block at which it ends.
    ends: Vec<[usize; 2]>,
    entries: Sum,
    into: Vec<BlockEdges>,
    out: Vec<BlockEdges>,
    blocks: Vec<Option<Sum>>,
    edges: Vec<Option<Sum>>,
    pending: Vec<usize>,
}

impl Solver {
    /// Creates a solver for the graph of a function. `ends` contains the two blocks of each edge. Block 0 is the entry,
    /// and `entries` is the number of calls of the function.
    pub fn new(blocks: usize, ends: Vec<[usize; 2]>, entries: u64, direction: Direction) -> Self {
        let mut into = vec![BlockEdges::default(); blocks];
        let mut out = into.clone();
        for (edge, &[from, to]) in ends.iter().enumerate() {
            out[from].edges.push(edge);
            into[to].edges.push(edge);
        }
        for set in into.iter_mut().chain(&mut out) {
            set.unset = set.edges.len();
        }
        Solver {
            direction,
            into,
            out,
            entries: Sum::number(entries),
            blocks: vec![None; blocks],
            edges: vec![None; ends.len()],
            ends,
            pending: (0..blocks).collect(),
        }
    }

    /// The edges that leave `block`.
    pub fn edges_of(&self, block: usize) -> &[usize] {
        &self.out[block].edges
    }

    /// Sets the count of `block`.
    pub fn set_block(&mut self, block: usize, count: u64) {
        self.blocks[block] = Some(Sum::number(count));
    }

    /// Sets the count of `edge`, unless the count is set already.
    pub fn set_edge(&mut self, edge: usize, count: u64) {
        self.set(edge, Sum::number(count));
    }

    fn set(&mut self, edge: usize, count: Sum) {
        if self.edges[edge].is_some() {
            return;
        }
        let [from, to] = self.ends[edge];
        for set in [&mut self.out[from], &mut self.into[to]] {
            set.unset -= 1;
            set.sum = set.sum.plus(1, &count);
        }
        self.edges[edge] = Some(count);
        self.pending.extend([from, to]);
    }

    /// Sets the counts that are known only if no call throws an exception. `blocks` are the blocks that end with a call
    /// that may throw. The last edge of such a block leads to the handler.
    pub fn solve_without_exceptions(&mut self, blocks: impl Iterator<Item = usize>) {
        for block in blocks {
            if let Some(&unwind) = self.out[block].edges.last() {
                self.set_edge(unwind, 0);
                self.solve();
            }
        }
    }

    /// Sets the counts that follow from other counts.
    pub fn solve(&mut self) {
        while let Some(block) = self.pending.pop() {
            self.balance(block);
        }
    }

    /// Sets all counts. If a count does not follow from other counts, a variable represents the count. For example, the
    /// two edges of an `if` without a counter have unknown counts. Nevertheless, the count of the block after the `if`
    /// is known.
    pub fn solve_with_unknowns(&mut self) {
        let mut unknowns = 0;
        for is_last in [false, true] {
            for block in 0..self.blocks.len() {
                self.solve();
                // The edges into a loop are known before its back edges.
                while let Some(edge) = match &self.blocks[block] {
                    Some(_) => self.unset_edge(&self.out[block]),
                    None if is_last => self.unset_edge(&self.into[block]),
                    None => None,
                } {
                    self.set(edge, Sum::unknown(unknowns));
                    unknowns += 1;
                    self.solve();
                }
            }
        }
    }

    fn unset_edge(&self, edges: &BlockEdges) -> Option<usize> {
        edges.edges.iter().copied().find(|&edge| self.edges[edge].is_none())
    }

    /// Whether the edges that leave a block are executed more often than the block, by more than a thousandth of its
    /// count. Calls that do not return only make these edges less frequent, so the given counts are wrong, or the block
    /// calls a function that returns several times, as `setjmp` does.
    pub fn contradicts(&self) -> bool {
        let exceeds = |(count, out): (&Option<Sum>, &BlockEdges)| {
            let (Some(count), Some(sum)) = (count.as_ref().and_then(Sum::value), out.sum.value()) else {
                return false;
            };
            !out.edges.is_empty() && sum > count.saturating_add(count / 1000)
        };
        self.blocks.iter().zip(&self.out).any(exceeds)
    }

    /// The counts that are known.
    pub fn flow(&self) -> Flow {
        let values = |counts: &[Option<Sum>]| counts.iter().map(|count| count.as_ref()?.value()).collect();
        Flow { blocks: values(&self.blocks), edges: values(&self.edges) }
    }

    /// Determines the count of `block` and the counts of its edges, as far as possible.
    fn balance(&mut self, block: usize) {
        let entries = if block == 0 { self.entries.clone() } else { Sum::default() };
        if self.blocks[block].is_none() {
            let is_left = self.direction == Direction::Both && !self.out[block].edges.is_empty();
            self.blocks[block] = match () {
                () if is_left && self.out[block].unset == 0 => Some(self.out[block].sum.clone()),
                () if self.into[block].unset == 0 => Some(self.into[block].sum.plus(1, &entries)),
                () => None,
            };
        }
        let Some(count) = &self.blocks[block] else { return };
        let into = self.into[block].determined(&self.edges, &count.minus(&entries));
        let determined = into.or_else(|| self.out[block].determined(&self.edges, count));
        if let Some((edges, rest)) = determined {
            edges.into_iter().for_each(|edge| self.set(edge, rest.clone()));
        }
    }
}

impl BlockEdges {
    /// The edges without a count, and the count that each of these edges must have. `total` is the sum of the counts of
    /// all edges. `None` if no count is missing, or if `total` does not determine the missing counts. `total`
    /// determines a single missing count. If the known counts add up to `total`, each missing count is 0.
    fn determined(&self, counts: &[Option<Sum>], total: &Sum) -> Option<(Vec<usize>, Sum)> {
        let rest = total.minus(&self.sum);
        if self.unset == 0 || (self.unset > 1 && !rest.is_zero()) {
            return None;
        }
        Some((self.edges.iter().copied().filter(|&edge| counts[edge].is_none()).collect(), rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_counts_cancel() {
        // Block 1 has no counter. Blocks 2 and 3 are a loop without a counter.
        let mut solver =
            Solver::new(5, vec![[0, 1], [0, 2], [1, 2], [2, 3], [3, 2], [3, 4]], 9, Direction::Forward);
        solver.solve_with_unknowns();
        let flow = solver.flow();
        assert_eq!(flow.blocks, [Some(9), None, None, None, Some(9)]);
        assert_eq!(flow.edges, [None, None, None, None, None, Some(9)]);
    }

    #[test]
    fn edges_do_not_run_more_often_than_their_block() {
        let contradicts = |counter: u64| {
            let mut solver = Solver::new(3, vec![[0, 1], [0, 2]], 10_000, Direction::Forward);
            solver.set_block(1, counter);
            solver.solve_with_unknowns();
            solver.contradicts()
        };
        assert_eq!([4, 10_000, 10_009, 10_011, u64::MAX].map(contradicts), [false, false, false, true, true]);
    }

    #[test]
    fn calls_that_do_not_return_reduce_only_later_counts() {
        // Block 1 runs 9 times, but only 4 executions reach the counter in block 2.
        let solve = |direction| {
            let mut solver = Solver::new(3, vec![[0, 1], [1, 2]], 9, direction);
            solver.set_block(2, 4);
            solver.solve();
            solver.flow().blocks
        };
        assert_eq!(solve(Direction::Forward), [Some(9), Some(9), Some(4)]);
        assert_ne!(solve(Direction::Both)[1], Some(9));
    }
}
