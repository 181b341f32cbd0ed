//! The executions of blocks: the true executions, from the weights in the IR, and the executions that LLVM implies.

use std::mem::replace;
use std::ops::Range;

use cranelift_entity::{EntityRef, PrimaryMap};

use super::{Executions, FRACTION};
use crate::bfi::{FrequencyMethod, Scaled};
use crate::bpi::Probability;
use crate::cfg::{table, Block};
use crate::counts::{Direction, Solver};
use crate::facts::Terminator;
use crate::profile::Profile;

/// The executions of each block of a function that is entered `entries` times, according to its weights.
///
/// In LLVM's profiles, weights are counts. The executions then follow from the counts, as far as possible. All other
/// executions are the exact solution of the flow equations. The weights are used as they are, without LLVM's limits. Two
/// cases count as never executed: an edge after which the function never returns, and an exception.
///
/// The result is `None` for a block whose executions depend on a branch without weights, and in a loop that never ends
/// according to its weights.
pub fn true_executions(profile: &Profile, entries: u64) -> PrimaryMap<Block, Option<u64>> {
    let weighted = Weighted::new(profile, entries);
    let counts = weighted.solve(&weighted.numerators);
    let mut known: PrimaryMap<Block, Option<u64>> = counts.values().map(|&count| Some(count)).collect();
    // If other probabilities of the open branches change the executions of a block, they are unknown.
    for is_reversed in [false, true].into_iter().filter(|_| !weighted.open.is_empty()) {
        let mut other = weighted.numerators.clone();
        for edges in &weighted.open {
            let sum = edges.len() * (edges.len() + 1) / 2;
            for (place, &edge) in edges.iter().enumerate() {
                let part = if is_reversed { edges.len() - place } else { place + 1 };
                other[edge] = (Probability::DENOMINATOR as usize / sum * part) as u32;
            }
        }
        for (block, &count) in &weighted.solve(&other) {
            if counts[block].abs_diff(count) > 1 + counts[block] / MOST_CHANGE {
                known[block] = None;
            }
        }
    }
    for (block, &count) in &counts {
        if count / INFINITE >= entries.max(1) {
            known[block] = None;
        }
    }
    if let Some(flow) = weighted.flow(&known) {
        for (block, count) in flow.into_iter().enumerate() {
            let executions = &mut known[Block::new(block)];
            *executions = count.or(*executions);
        }
    }
    known
}

/// A loop with this number of iterations never ends: the weights of its exits are 0.
const INFINITE: u64 = 1 << 28;

/// The executions that the profile of a function implies if the function is entered `entries` times: entry count times
/// frequency. The frequencies are not rounded to LLVM's integers, because a correct pass can change their common
/// factor.
pub fn implied_executions(profile: &Profile, entries: u64) -> PrimaryMap<Block, Executions> {
    let exact = with_exact_frequencies(profile, profile.branch_probabilities().probabilities().to_vec());
    let (llvm, exact) = (profile.block_frequencies(), exact.block_frequencies());
    let times = Scaled::new(entries, 0) * Scaled::new(FRACTION, 0);
    let count = |frequency: Scaled| (frequency * times).to_nearest_u64();
    let executions =
        |block| Executions { llvm: count(llvm.scaled(block)), exact: count(exact.scaled(block)) };
    profile.blocks().map(executions).collect()
}

/// The same function with other probabilities, and with frequencies that solve the flow equations.
fn with_exact_frequencies(profile: &Profile, edges: Vec<Probability>) -> Profile {
    let builder = Profile::builder(profile.facts().clone(), profile.dialect());
    builder.method(FrequencyMethod::Exact).build_from(edges)
}

/// Executions that change by at most this fraction count as known.
const MOST_CHANGE: u64 = 10_000;

/// The weights of a function, as numerators of probabilities.
struct Weighted<'a> {
    profile: &'a Profile,
    entries: u64,
    numerators: Vec<u32>,
    /// The possible edges of each executable branch without weights.
    open: Vec<Vec<usize>>,
    /// The edges that are never executed.
    never: Vec<usize>,
}

impl<'a> Weighted<'a> {
    fn new(profile: &'a Profile, entries: u64) -> Self {
        let (facts, graph) = (profile.facts(), profile.facts().graph());
        let edges = profile.branch_probabilities().probabilities();
        let numerators = edges.iter().map(|edge| edge.numerator()).collect();
        let mut weighted = Weighted { profile, entries, numerators, open: Vec::new(), never: Vec::new() };
        let returns = returning(profile);
        for block in graph.blocks().filter(|&block| graph.successors(block).len() > 1) {
            let edges = graph.edges(block);
            if let Some(weights) = weighted.weights(block) {
                scale(weights, &mut weighted.numerators[edges]);
                continue;
            }
            let terminator = facts.blocks()[block].terminator;
            let may_run = |(edge, &to): (usize, &Block)| match terminator {
                Terminator::Invoke => edge == graph.edges(block).start,
                _ => returns[to],
            };
            let (open, never): (Vec<_>, Vec<_>) =
                edges.zip(graph.successors(block)).partition(|&edge| may_run(edge));
            let numbers =
                |edges: Vec<(usize, &Block)>| edges.into_iter().map(|(edge, _)| edge).collect::<Vec<_>>();
            if !open.is_empty() {
                weighted.never.extend(numbers(never));
            }
            if open.len() > 1 {
                weighted.open.push(numbers(open));
            }
        }
        weighted
    }

    /// The weights of a branch, unless all are 0.
    fn weights(&self, block: Block) -> Option<&'a [u32]> {
        self.profile.facts().weights(block).filter(|weights| weights.iter().any(|&weight| weight > 0))
    }

    /// Solves the flow equations with these numerators.
    fn solve(&self, numerators: &[u32]) -> PrimaryMap<Block, u64> {
        let edges = numerators.iter().map(|&numerator| Probability::from_numerator(numerator)).collect();
        let exact = with_exact_frequencies(self.profile, edges);
        let (frequencies, times) = (exact.block_frequencies(), Scaled::new(self.entries, 0));
        let count = |block| (frequencies.scaled(block) * times).to_nearest_u64();
        exact.blocks().map(count).collect()
    }

    /// The executions of blocks that follow from weights which are counts. The result is `None` if the weights are not
    /// counts, or if they contradict each other.
    fn flow(&self, known: &PrimaryMap<Block, Option<u64>>) -> Option<Vec<Option<u64>>> {
        let graph = self.profile.facts().graph();
        let excess = self.excess(known)?;
        let ends = graph
            .blocks()
            .flat_map(|from| graph.successors(from).iter().map(move |to| [from.index(), to.index()]));
        let mut solver = Solver::new(graph.block_count(), ends.collect(), self.entries, Direction::Both);
        self.never.iter().for_each(|&edge| solver.set_edge(edge, 0));
        for block in graph.blocks() {
            // Weights that passes have written are no counts.
            let Some(weights) = self.weights(block).filter(|weights| fits(weights, known[block])) else {
                continue;
            };
            let edges: Range<usize> = graph.edges(block);
            for (edge, &weight) in edges.zip(weights) {
                solver.set_edge(edge, u64::from(weight.saturating_sub(excess)));
            }
        }
        solver.solve_with_unknowns();
        (!solver.contradicts()).then(|| solver.flow().blocks)
    }

    /// Front ends add 1 to each count. Returns what was added to the counts, or `None` if the weights are not counts:
    /// they differ from the exact solution in a tenth of the known blocks.
    fn excess(&self, known: &PrimaryMap<Block, Option<u64>>) -> Option<u32> {
        let (mut blocks, mut agreeing, mut differences) = (0_u64, 0_u64, [0_u64; 2]);
        for (block, &count) in known {
            let Some(weights) = self.weights(block) else { continue };
            let Some(count) = count else { continue };
            let sum = sum(weights);
            blocks += 1;
            if fits(weights, Some(count)) {
                agreeing += 1;
                differences[0] += sum.abs_diff(count);
                differences[1] += sum.abs_diff(count + weights.len() as u64);
            }
        }
        (agreeing > 0 && agreeing * 10 >= blocks * 9).then_some(u32::from(differences[1] < differences[0]))
    }
}

fn sum(weights: &[u32]) -> u64 {
    weights.iter().map(|&weight| u64::from(weight)).sum()
}

/// Whether weights can be the counts of a block that is executed `count` times. Front ends add 1 to each count.
fn fits(weights: &[u32], count: Option<u64>) -> bool {
    let sum = sum(weights);
    count.is_none_or(|count| {
        [sum, sum.saturating_sub(weights.len() as u64)].iter().any(|sum| sum.abs_diff(count) <= count / 200)
    })
}

/// Scales weights to numerators, as exactly as possible.
fn scale(weights: &[u32], numerators: &mut [u32]) {
    let sum = sum(weights);
    let whole = u64::from(Probability::DENOMINATOR);
    let (factor, shift) = if sum <= whole { (whole / sum, 0) } else { (1, (sum / whole).ilog2() + 1) };
    for (numerator, &weight) in numerators.iter_mut().zip(weights) {
        *numerator = ((u64::from(weight) * factor) >> shift) as u32;
    }
}

/// For each block, whether the function can return after the block.
fn returning(profile: &Profile) -> PrimaryMap<Block, bool> {
    let (facts, graph) = (profile.facts(), profile.facts().graph());
    let mut returns = table(graph.block_count(), false);
    let ends = |&block: &Block| {
        graph.successors(block).is_empty() && facts.blocks()[block].terminator != Terminator::Unreachable
    };
    let mut open: Vec<Block> = graph.blocks().filter(ends).collect();
    while let Some(block) = open.pop() {
        if !replace(&mut returns[block], true) {
            open.extend(graph.predecessors(block));
        }
    }
    returns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::parse_graph;
    use crate::dialect::Dialect;
    use crate::facts::FunctionFacts;

    /// The executions of the blocks of a function that is entered 1,000 times.
    fn executions(graph: &str, weights: &[(&str, &[u32])], end: Terminator) -> Vec<Option<u64>> {
        let (graph, block) = parse_graph(graph).unwrap();
        let mut builder = FunctionFacts::builder(graph);
        builder.terminator(block("end"), end);
        let mut facts = builder.build().unwrap();
        for (name, weights) in weights {
            facts.set_weights(block(name), weights);
        }
        let profile = Profile::new(facts, Dialect::named("16").unwrap());
        true_executions(&profile, 1000).values().copied().collect()
    }

    #[test]
    fn weights_determine_executions() {
        let counts = executions(
            "entry -> loop; loop -> loop end; end",
            &[("loop", &[999_999, 1])],
            Terminator::Return,
        );
        assert_eq!(counts, [Some(1000), Some(1_000_000_000), Some(1000)]);
        // LLVM limits the probability of `end`.
        let counts = executions("entry -> go end; go; end", &[("entry", &[1, 3])], Terminator::Unreachable);
        assert_eq!(counts, [Some(1000), Some(250), Some(750)]);
        let large =
            executions("entry -> a end; a; end", &[("entry", &[u32::MAX, u32::MAX])], Terminator::Return);
        assert_eq!(large, [Some(1000), Some(500), Some(500)]);
    }

    #[test]
    fn executions_that_depend_on_a_prediction_are_unknown() {
        let diamond = executions("entry -> a b; a -> end; b -> end; end", &[], Terminator::Return);
        assert_eq!(diamond, [Some(1000), None, None, Some(1000)]);
        let exit = executions("entry -> go end; go; end", &[], Terminator::Unreachable);
        assert_eq!(exit, [Some(1000), Some(1000), Some(0)]);
    }

    #[test]
    fn weights_that_a_pass_has_written_are_no_counts() {
        // All weights are counts except those of `late`, which are probabilities.
        let graph = "entry -> b1 end; b1 -> b2 end; b2 -> b3 end; b3 -> b4 end; b4 -> b5 end; b5 -> b6 end; \
                     b6 -> b7 end; b7 -> b8 end; b8 -> late end; late -> end rest; rest; end";
        let names = ["entry", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8"];
        let mut weights: Vec<(&str, &[u32])> = names.iter().map(|&name| (name, &[1000, 0][..])).collect();
        weights.push(("late", &[0, 1 << 31]));
        let counts = executions(graph, &weights, Terminator::Return);
        assert!(counts.iter().all(|count| count.is_some_and(|count| count <= 1000)), "{counts:?}");
    }

    #[test]
    fn counts_of_other_branches_determine_a_branch_without_weights() {
        // `cleanup` has no weights. The loop runs 5,000 times, according to the counts of `loop`.
        let graph = "entry -> loop; loop -> a b; a -> cleanup; b -> cleanup; cleanup -> latch end; latch -> loop; end";
        for (excess, weights) in [(0, [1500, 3500]), (1, [1501, 3501])] {
            let first = [1000 + excess, excess];
            let graph = graph.replace("entry -> loop", "entry -> start end; start -> loop");
            let counts = executions(&graph, &[("entry", &first), ("loop", &weights)], Terminator::Return);
            let expected = [1000, 1000, 5000, 1500, 3500, 5000, 4000, 1000].map(Some);
            let near = |one: &(Option<u64>, Option<u64>)| one.0.unwrap().abs_diff(one.1.unwrap()) <= 2;
            assert!(counts.iter().copied().zip(expected).all(|pair| near(&pair)), "{excess}: {counts:?}");
        }
        // Weights of another scale are no counts.
        let graph = graph.replace("entry -> loop", "entry -> start end; start -> loop");
        let counts = executions(&graph, &[("entry", &[7, 0]), ("loop", &[3, 7])], Terminator::Return);
        assert_eq!((counts[0], counts[2]), (Some(1000), None));
    }
}
