//! Computes the execution counts of all blocks and edges of a function from the counts of its branches.

use super::BranchCounts;
use crate::base::graph::{loop_contains, loops_around};
use bpa_core::counts::{Direction, Flow, Solver};
use bpa_schema::{Digits, Function, Terminator};

/// Computes the counts of a function that was entered `entries` times. `counts` returns the edge counts of the branch
/// at the end of a block.
pub fn solve<'a>(function: &Function, entries: u64, counts: impl Fn(usize) -> Option<&'a [u64]>) -> Flow {
    let blocks = function.blocks.len();
    let ends = function.edges.iter().map(|edge| [edge.from, edge.to]).collect();
    let mut solver = Solver::new(blocks, ends, entries, Direction::Both);
    for block in 0..blocks {
        let edges = solver.edges_of(block).to_vec();
        if let Some(counts) = counts(block).filter(|counts| counts.len() == edges.len()) {
            edges.into_iter().zip(counts).for_each(|(edge, &count)| solver.set_edge(edge, count));
        }
    }
    solver.solve();
    let may_throw = |&block: &usize| matches!(function.blocks[block].terminator, Some(Terminator::Invoke));
    solver.solve_without_exceptions((0..blocks).filter(may_throw));
    solver.flow()
}

/// Replaces the estimated frequency of each block and loop by the profiled frequency. A frequency is a number of
/// executions per call of the function. If a count is unknown, the estimate remains, except in loops that no profiled
/// execution leaves: for such loops, LLVM assumes 4096 iterations, so their frequencies are removed.
pub fn measure(function: &mut Function, flow: &Flow, entries: u64) {
    if entries == 0 {
        return;
    }
    let relative = |count: u64| count as f64 / entries as f64;
    let is_assumed = assumed_loops(function);
    for (block, count) in function.blocks.iter_mut().zip(&flow.blocks) {
        match count {
            Some(count) => {
                block.count = Some(Digits(*count));
                block.frequency.iter_mut().for_each(|frequency| frequency.value = relative(*count));
            }
            None if block.innermost.is_some_and(|place| is_assumed[place]) => {
                (block.count, block.frequency) = (None, None)
            }
            None => {}
        }
    }
    for (place, &is_assumed) in is_assumed.iter().enumerate() {
        let known = loop_counts(function, flow, place);
        let nested = &mut function.loops[place];
        match known {
            Some([entered, ran]) => {
                let values = [relative(entered), if entered > 0 { ran as f64 / entered as f64 } else { 0.0 }];
                let numbers = [&mut nested.entries, &mut nested.scale].into_iter().flatten();
                numbers.zip(values).for_each(|(number, value)| number.value = value);
            }
            None if is_assumed => (nested.entries, nested.scale) = (None, None),
            None => {}
        }
    }
}

/// For each loop, whether all edges that leave the loop, or all edges that leave a loop around it, have the
/// probability 0.
fn assumed_loops(function: &Function) -> Vec<bool> {
    let mut is_never_left = vec![true; function.loops.len()];
    for edge in function.edges.iter().filter(|edge| edge.numerator > 0) {
        loops_around(function, function.blocks[edge.from].innermost)
            .take_while(|&place| !loop_contains(function, place, edge.to))
            .for_each(|place| is_never_left[place] = false);
    }
    let is_assumed = |place| loops_around(function, Some(place)).any(|around| is_never_left[around]);
    (0..function.loops.len()).map(is_assumed).collect()
}

/// The number of entries into a loop, and the number of executions of its headers.
fn loop_counts(function: &Function, flow: &Flow, place: usize) -> Option<[u64; 2]> {
    let nested = &function.loops[place];
    let mut entered: u64 = 0;
    for (edge, count) in function.edges.iter().zip(&flow.edges) {
        if nested.headers.contains(&edge.to) && !loop_contains(function, place, edge.from) {
            entered = entered.checked_add((*count)?)?;
        }
    }
    let ran = nested.headers.iter().map(|&header| flow.blocks[header]);
    Some([entered, ran.sum::<Option<u64>>()?])
}

/// The edge counts of a branch for [`solve`], or `None` if the counts are approximate.
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
        let flow = solve(&function, 10, of);
        assert_eq!(flow.blocks, [Some(10), Some(40), Some(30), None, Some(10)]);
        assert_eq!(flow.edges, [Some(10), Some(30), Some(10), None, None, None]);
        // If the switch has counts, the counts of all edges are known.
        let of = |block: usize| match block {
            1 => Some(&[30u64, 10][..]),
            2 => Some(&[7, 23][..]),
            _ => None,
        };
        assert_eq!(solve(&function, 10, of).blocks[3], Some(7));
    }

    #[test]
    fn edges_out_of_an_unexecuted_block_are_unexecuted() {
        let function = function(4, &[[0, 1], [0, 2], [1, 3], [1, 2]]);
        let flow = solve(&function, 5, |block| (block == 0).then_some(&[0u64, 5][..]));
        assert_eq!(flow.edges, [Some(0), Some(5), Some(0), Some(0)]);
        assert_eq!(flow.blocks[3], Some(0));
    }

    /// Block 0 calls a function and then enters a loop. Block 1 is the header of the loop, and block 2 calls a function
    /// in each iteration.
    #[test]
    fn calls_without_counters_do_not_throw() {
        let mut function = function(6, &[[0, 1], [0, 4], [1, 2], [1, 5], [2, 3], [2, 4], [3, 1]]);
        for block in [0, 2] {
            function.blocks[block].terminator = Some(Terminator::Invoke);
        }
        let flow = solve(&function, 1, |block| (block == 1).then_some(&[1000u64, 1][..]));
        assert_eq!(flow.blocks, [1, 1001, 1000, 1000, 0, 1].map(Some));
    }

    #[test]
    fn frequencies_are_replaced_by_profiled_ones() {
        let mut function = function(3, &[[0, 1], [0, 2]]);
        let flow = solve(&function, 10, |block| (block == 0).then_some(&[4u64, 6][..]));
        measure(&mut function, &flow, 10);
        let frequencies: Vec<f64> = function.blocks.iter().map(|block| block.times_per_call()).collect();
        assert_eq!(frequencies, [1.0, 0.4, 0.6]);
    }
}
