//! Computes the execution counts of all blocks and edges of a function from the counts of its branches.
//!
//! The counts of a block's incoming edges add up to the count of the block, and so do the counts of its outgoing
//! edges. Suppose that the count of a block is known, and that exactly one incoming edge has an unknown count. The
//! count of this edge is the block's count minus the counts of the other incoming edges. Likewise, if exactly one
//! outgoing edge of a block has an unknown count, this count is the block's count minus the counts of the other
//! outgoing edges. By these rules, most edges without a counter get a count. Examples are the edges of blocks with one
//! successor, and the edges of switches that a front end generates for cleanups. Other counts remain unknown.
//!
//! Some calls do not return to their block, because of `longjmp` or an exception. The computation of counts assumes
//! that a block that begins to execute also executes its terminator. The count of each edge is determined at most once,
//! so the time is proportional to the number of edges.

use super::BranchCounts;
use bpa_schema::{Digits, Function};

/// The execution counts of the blocks and edges of a function. Each count is exact, or `None` if it is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    pub blocks: Vec<Option<u64>>,
    /// The counts of the edges, in the order of `Function::edges`.
    pub edges: Vec<Option<u64>>,
}

impl Flow {
    /// Computes the counts of a function that was entered `entries` times. `counts` returns the edge counts of the
    /// branch at the end of a block.
    pub fn new<'a>(function: &Function, entries: u64, counts: impl Fn(usize) -> Option<&'a [u64]>) -> Self {
        let blocks = function.blocks.len();
        let mut solver = Solver {
            ends: function.edges.iter().map(|edge| [edge.from, edge.to]).collect(),
            entries,
            into: vec![BlockEdges::default(); blocks],
            out: vec![BlockEdges::default(); blocks],
            flow: Flow { blocks: vec![None; blocks], edges: vec![None; function.edges.len()] },
            pending: Vec::new(),
        };
        for (edge, &[from, to]) in solver.ends.iter().enumerate() {
            solver.out[from].edges.push(edge);
            solver.into[to].edges.push(edge);
        }
        for set in solver.into.iter_mut().chain(&mut solver.out) {
            set.unknown = set.edges.len();
        }
        for block in 0..blocks {
            let edges = solver.out[block].edges.clone();
            if let Some(counts) = counts(block).filter(|counts| counts.len() == edges.len()) {
                edges.into_iter().zip(counts).for_each(|(edge, &count)| solver.set_edge(edge, count));
            }
        }
        solver.pending.extend(0..blocks);
        while let Some(block) = solver.pending.pop() {
            solver.balance(block);
        }
        solver.flow
    }
}

/// The incoming or the outgoing edges of a block.
#[derive(Clone, Default)]
struct BlockEdges {
    edges: Vec<usize>,
    unknown: usize,
    sum: u64,
}

struct Solver {
    ends: Vec<[usize; 2]>,
    entries: u64,
    into: Vec<BlockEdges>,
    out: Vec<BlockEdges>,
    flow: Flow,
    pending: Vec<usize>,
}

impl Solver {
    fn set_edge(&mut self, edge: usize, count: u64) {
        if self.flow.edges[edge].replace(count).is_some() {
            return;
        }
        let [from, to] = self.ends[edge];
        for set in [&mut self.out[from], &mut self.into[to]] {
            set.unknown -= 1;
            set.sum = set.sum.saturating_add(count);
        }
        self.pending.extend([from, to]);
    }

    /// Determines the count of `block` and the counts of its unknown edges, as far as possible.
    fn balance(&mut self, block: usize) {
        let entries = if block == 0 { self.entries } else { 0 };
        if self.flow.blocks[block].is_none() {
            let is_left = !self.out[block].edges.is_empty();
            self.flow.blocks[block] = match () {
                () if is_left && self.out[block].unknown == 0 => Some(self.out[block].sum),
                () if self.into[block].unknown == 0 => Some(self.into[block].sum.saturating_add(entries)),
                () => None,
            };
        }
        let Some(count) = self.flow.blocks[block] else { return };
        let into = self.into[block].determined(&self.flow.edges, count.saturating_sub(entries));
        let determined = into.or_else(|| self.out[block].determined(&self.flow.edges, count));
        if let Some((edges, rest)) = determined {
            edges.into_iter().for_each(|edge| self.set_edge(edge, rest));
        }
    }
}

impl BlockEdges {
    /// The edges without a known count, and the count that each of these edges must have. `total` is the sum of the
    /// counts of all edges. `None` if `total` does not determine the unknown counts. `total` determines these counts if
    /// only one count is unknown, or if the sum of the known counts is already `total`.
    fn determined(&self, known: &[Option<u64>], total: u64) -> Option<(Vec<usize>, u64)> {
        let rest = total.saturating_sub(self.sum);
        if self.unknown == 0 || (self.unknown > 1 && rest > 0) {
            return None;
        }
        Some((self.edges.iter().copied().filter(|&edge| known[edge].is_none()).collect(), rest))
    }
}

/// Replaces the estimated frequency of each block and loop by the profiled frequency. If a count is unknown, the
/// estimate remains. A frequency is a number of executions per call of the function.
pub fn measure(function: &mut Function, flow: &Flow, entries: u64) {
    if entries == 0 {
        return;
    }
    let relative = |count: u64| count as f64 / entries as f64;
    for (block, count) in function.blocks.iter_mut().zip(&flow.blocks) {
        if let Some(count) = count {
            block.count = Some(Digits(*count));
            if let Some(frequency) = &mut block.frequency {
                frequency.value = relative(*count);
            }
        }
    }
    for place in 0..function.loops.len() {
        if let Some([entered, ran]) = loop_counts(function, flow, place) {
            let nested = &mut function.loops[place];
            let values = [relative(entered), if entered > 0 { ran as f64 / entered as f64 } else { 0.0 }];
            for (number, value) in [&mut nested.entries, &mut nested.scale].into_iter().flatten().zip(values)
            {
                number.value = value;
            }
        }
    }
}

/// The number of entries into a loop, and the number of executions of its headers.
fn loop_counts(function: &Function, flow: &Flow, place: usize) -> Option<[u64; 2]> {
    let nested = &function.loops[place];
    let is_inside = |block: usize| {
        let innermost = function.blocks[block].innermost;
        std::iter::successors(innermost, |&place| function.loops[place].parent).any(|around| around == place)
    };
    let mut entered: u64 = 0;
    for (edge, count) in function.edges.iter().zip(&flow.edges) {
        if nested.headers.contains(&edge.to) && !is_inside(edge.from) {
            entered = entered.checked_add((*count)?)?;
        }
    }
    let ran = nested.headers.iter().map(|&header| flow.blocks[header]);
    Some([entered, ran.sum::<Option<u64>>()?])
}

/// The edge counts of a branch for [`Flow::new`], or `None` if the counts are approximate.
pub fn exact_edges(counts: &BranchCounts) -> Option<&[u64]> {
    (!counts.is_approximate).then(|| counts.edges())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(blocks: usize, edges: &[[usize; 2]]) -> Function<'static> {
        let blocks =
            vec![r#"{"name":"%b","loop":null,"frequency":{"digits":"1","exponent":0,"value":1.0}}"#; blocks]
                .join(",");
        let edge = |[from, to]: &[usize; 2]| {
            format!(
                r#"{{"from":{from},"to":{to},"successor":0,"numerator":0,"percent":0.0,"weight":1,"rule":"even"}}"#
            )
        };
        let edges = edges.iter().map(edge).collect::<Vec<_>>().join(",");
        let head =
            r#""format":3,"analysis":"rust-bfi","llvm":22,"module":"m","function":"f","entry_count":null"#;
        let text = format!(r#"{{{head},"blocks":[{blocks}],"edges":[{edges}],"loops":[]}}"#);
        serde_json::from_reader(text.as_bytes()).expect("a function")
    }

    #[test]
    fn unknown_edges_follow_from_their_neighbours() {
        // Blocks 1 and 2 are a loop. Block 2 ends in a switch without counts.
        let function = function(5, &[[0, 1], [1, 2], [1, 4], [2, 3], [2, 1], [3, 1]]);
        let of = |block: usize| (block == 1).then_some(&[30u64, 10][..]);
        let flow = Flow::new(&function, 10, of);
        assert_eq!(flow.blocks, [Some(10), Some(40), Some(30), None, Some(10)]);
        assert_eq!(flow.edges, [Some(10), Some(30), Some(10), None, None, None]);
        // If the switch has counts, the counts of all edges are known.
        let of = |block: usize| match block {
            1 => Some(&[30u64, 10][..]),
            2 => Some(&[7, 23][..]),
            _ => None,
        };
        assert_eq!(Flow::new(&function, 10, of).blocks[3], Some(7));
    }

    #[test]
    fn edges_out_of_an_unexecuted_block_are_unexecuted() {
        let function = function(4, &[[0, 1], [0, 2], [1, 3], [1, 2]]);
        let flow = Flow::new(&function, 5, |block| (block == 0).then_some(&[0u64, 5][..]));
        assert_eq!(flow.edges, [Some(0), Some(5), Some(0), Some(0)]);
        assert_eq!(flow.blocks[3], Some(0));
    }

    #[test]
    fn frequencies_are_replaced_by_profiled_ones() {
        let mut function = function(3, &[[0, 1], [0, 2]]);
        let flow = Flow::new(&function, 10, |block| (block == 0).then_some(&[4u64, 6][..]));
        measure(&mut function, &flow, 10);
        let frequencies: Vec<f64> = function.blocks.iter().map(|block| block.times_per_call()).collect();
        assert_eq!(frequencies, [1.0, 0.4, 0.6]);
    }
}
