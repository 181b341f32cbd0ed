//! Small call graphs whose counts can be worked out by hand, and any call graph against its equations.

use cranelift_entity::{EntityRef, PrimaryMap};
use num_bigint::BigInt;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::Config;

use super::graph::CallGraph;
use super::{CallNode, EntryCounts};
use crate::bfi::Scaled;
use crate::cfg::test_support;

/// A call graph as data: starts, and calls as caller, callee, digits and exponent of the weight.
#[derive(Clone, Debug)]
struct Drawing {
    starts: Vec<u64>,
    calls: Vec<(usize, usize, u64, i16)>,
}

impl Drawing {
    fn graph(&self) -> CallGraph {
        let starts: PrimaryMap<CallNode, Scaled> =
            self.starts.iter().map(|&start| Scaled::new(start, 0)).collect();
        let calls: Vec<_> = self
            .calls
            .iter()
            .map(|&(caller, callee, digits, exponent)| {
                (CallNode::new(caller), CallNode::new(callee), Scaled::new(digits, exponent))
            })
            .collect();
        CallGraph::new(starts, &calls)
    }

    fn counts(&self) -> Vec<String> {
        let (graph, counts) = self.solved();
        graph.nodes().map(|node| format!("{:.5}", counts.of(node))).collect()
    }

    fn solved(&self) -> (CallGraph, EntryCounts) {
        let graph = self.graph();
        let counts = EntryCounts::solve(&graph);
        (graph, counts)
    }
}

#[test]
fn counts_add_up_along_calls() {
    // main calls f three times and g once; f calls g in half of its calls.
    let drawing =
        Drawing { starts: vec![1, 0, 0, 0], calls: vec![(0, 1, 3, 0), (0, 2, 1, 0), (1, 2, 1, -1)] };
    assert_eq!(drawing.counts(), ["1.0", "3.0", "2.5", "0.0"]);
}

#[test]
fn a_recursion_that_ends_by_itself_is_solved() {
    // f is called twice and calls itself in a 16th of its calls: 2 / (1 - 1/16). g: a quarter of that.
    let drawing = Drawing { starts: vec![1, 0, 0], calls: vec![(0, 1, 2, 0), (1, 1, 1, -4), (1, 2, 1, -2)] };
    assert_eq!(drawing.counts(), ["1.0", "2.1333", "0.53333"]);
    // f calls g three times, and one call of g in 32 calls f: f = 1 + 3/32 f, which is 32/29.
    let drawing = Drawing { starts: vec![1, 0], calls: vec![(0, 1, 3, 0), (1, 0, 1, -5), (1, 0, 0, 0)] };
    assert_eq!(drawing.counts(), ["1.1034", "3.3103"]);
    let (graph, counts) = drawing.solved();
    assert!(counts.recursions().all(|facts| facts.factor.is_none() && facts.members.len() == 2));
    assert!(graph.nodes().all(|node| counts.recursion(node).is_some()));
}

#[test]
fn a_recursion_that_would_run_for_ever_counts_less() {
    // f calls itself twice: that counts a 16th, so that f runs 1 / (1 - 1/8) times.
    let drawing = Drawing { starts: vec![1, 0], calls: vec![(0, 0, 2, 0), (0, 1, 3, 0)] };
    assert_eq!(drawing.counts(), ["1.1429", "3.4286"]);
    let (_, counts) = drawing.solved();
    assert_eq!(counts.factor(CallNode::new(0), CallNode::new(0)), Scaled::new(1, -4));
    assert_eq!(counts.factor(CallNode::new(0), CallNode::new(1)), Scaled::ONE);
}

#[test]
fn what_nobody_calls_is_not_called() {
    let drawing = Drawing { starts: vec![1, 0, 0], calls: vec![(1, 2, 1, 0), (2, 1, 1, 3), (2, 0, 1, 0)] };
    assert_eq!(drawing.counts(), ["1.0", "0.0", "0.0"]);
}

/// A row, a ring of all, and a row of functions that call themselves: nothing here recurs as deep as functions call.
#[test]
fn size_and_depth_are_no_matter() {
    let count = if cfg!(miri) { 100 } else { 100_000 };
    let row: Vec<_> = (1..count).map(|callee| (callee - 1, callee, 1, 0)).collect();
    let ring: Vec<_> = row.iter().copied().chain([(count - 1, 0, 1, -4)]).collect();
    let alone: Vec<_> =
        row.iter().copied().chain((0..count).map(|function| (function, function, 1, -3))).collect();
    let mut starts = vec![0; count];
    starts[0] = 1;
    let last = |calls| {
        let (_, counts) = Drawing { starts: starts.clone(), calls }.solved();
        counts.of(CallNode::new(count - 1))
    };
    assert_eq!(last(row), Scaled::ONE);
    assert_eq!(format!("{:.10}", last(ring)), format!("{:.10}", Scaled::new(16, 0) / Scaled::new(15, 0)));
    assert!(last(alone) > Scaled::new(1, 15));
}

/// So large and tangled that it is iterated: many functions behind one pointer, all of which call through it.
#[test]
fn what_is_iterated_may_never_be_called() {
    let count = if cfg!(miri) { 10 } else { 10_000 };
    let share = Scaled::ONE / Scaled::new(count as u64, 0);
    let calls: Vec<_> = (0..count)
        .map(CallNode::new)
        .flat_map(|function| {
            let pointer = CallNode::new(count);
            [(function, pointer, Scaled::ONE), (pointer, function, share)]
        })
        .collect();
    let counts = |start| {
        let mut starts: PrimaryMap<CallNode, Scaled> = (0..=count).map(|_| Scaled::ZERO).collect();
        starts[CallNode::new(0)] = start;
        EntryCounts::solve(&CallGraph::new(starts, &calls))
    };
    assert!(counts(Scaled::ZERO).of(CallNode::new(count)).is_zero());
    // An eighth comes back each time.
    assert_eq!(format!("{:.6}", counts(Scaled::ONE).of(CallNode::new(count))), "1.14286");
}

/// Each of twenty thousand functions calls the next twice, and the last back to the first.
#[test]
fn where_calls_multiply_beyond_all_numbers_those_back_count_nothing() {
    let count = 20_000;
    let on = (1..count).map(|callee| (callee - 1, callee, 2, 0));
    let drawing = Drawing {
        starts: (0..count).map(|function| u64::from(function == 0)).collect(),
        calls: on.chain([(count - 1, 0, 1, 0)]).collect(),
    };
    let (_, counts) = drawing.solved();
    assert!(counts.factor(CallNode::new(count - 1), CallNode::new(0)).is_zero());
    assert_eq!(counts.of(CallNode::new(0)), Scaled::ONE);
    assert_eq!(counts.of(CallNode::new(9)), Scaled::new(1, 9));
    assert_eq!(counts.of(CallNode::new(count - 1)), Scaled::LARGEST);
}

/// Call graphs in which most functions call each other.
fn drawings() -> impl Strategy<Value = Drawing> {
    let index = any::<prop::sample::Index>;
    let weight = prop_oneof![
        4 => (1u64..100, -8i16..-4),
        2 => (1u64..1 << 31, -31i16..-25),
        1 => (1u64.., -64i16..-50),
        1 => (1u64..10, -1i16..6)
    ];
    (vec(0u64..4, 1..10), vec((index(), index(), weight), 0..24)).prop_map(|(starts, calls)| {
        let count = starts.len();
        let calls = calls.into_iter().map(|(caller, callee, (digits, exponent))| {
            (caller.index(count), callee.index(count), digits, exponent)
        });
        Drawing { calls: calls.collect(), starts }
    })
}

/// All numbers of the equations are multiples of this power of two: 64 digits of a weight and 64 of a factor.
const UNIT: i32 = -512;

fn in_units(number: Scaled) -> BigInt {
    BigInt::from(number.digits()) << (i32::from(number.exponent()) - UNIT)
}

/// The equations of `graph`, each as the numbers before the unknowns and what they come to, with the factors that
/// `counts` applies_to.
fn equations(graph: &CallGraph, counts: &EntryCounts) -> Vec<Vec<BigInt>> {
    let width = graph.node_count();
    let mut rows = vec![vec![BigInt::ZERO; width + 1]; width];
    for node in graph.nodes() {
        rows[node.index()][node.index()] += in_units(Scaled::ONE);
        rows[node.index()][width] = in_units(graph.start(node));
        for edge in graph.edges(node) {
            let counted = in_units(edge.weight) * in_units(counts.factor(node, edge.callee));
            rows[edge.callee.index()][node.index()] -= counted >> -UNIT;
        }
    }
    rows
}

/// Solves the equations in whole numbers, as numerators and the denominator of all (Erwin Bareiss, "Sylvester's identity
/// and multistep integer-preserving Gaussian elimination", Mathematics of Computation 22, 1968).
fn solve(mut rows: Vec<Vec<BigInt>>) -> Option<(Vec<BigInt>, BigInt)> {
    let count = rows.len();
    let mut previous = BigInt::from(1);
    for pivot in 0..count {
        let found = (pivot..count).find(|&row| rows[row][pivot] != BigInt::ZERO)?;
        rows.swap(pivot, found);
        for row in (0..count).filter(|&row| row != pivot) {
            for column in (0..=count).rev().filter(|&column| column != pivot) {
                let (kept, taken) =
                    (&rows[row][column] * &rows[pivot][pivot], &rows[row][pivot] * &rows[pivot][column]);
                rows[row][column] = (kept - taken) / &previous;
            }
            rows[row][pivot] = BigInt::ZERO;
        }
        previous = rows[pivot][pivot].clone();
    }
    Some((rows.iter().map(|row| row[count].clone()).collect(), previous))
}

/// Two thousand graphs, unless another number is asked for.
fn config() -> Config {
    let usual = Config { failure_persistence: None, ..Config::default() };
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => usual,
        None => Config { cases: 2000, ..usual },
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn counts_solve_the_equations(drawing in drawings()) {
        let (graph, counts) = drawing.solved();
        let (numerators, denominator) = solve(equations(&graph, &counts)).expect("one solution");
        for (node, numerator) in graph.nodes().zip(&numerators) {
            // count x denominator is the numerator, but for one part in 2^60.
            let found = in_units(counts.of(node)) * &denominator;
            let right = numerator << -UNIT;
            let (off, size) = (found.clone() - &right, right.magnitude().clone());
            prop_assert!(off.magnitude() << 60u32 <= size, "{node}: {} for {right} / {denominator}", counts.of(node));
            prop_assert_eq!(found.sign(), right.sign());
        }
    }
}

proptest! {
    #![proptest_config(test_support::config())]

    /// Where nothing counts less, calls end by themselves; where something does, it is because they would not, or would
    /// only after many more.
    #[test]
    fn recursions_count_less_only_where_they_must(drawing in drawings()) {
        let (graph, counts) = drawing.solved();
        for facts in counts.recursions() {
            let inside = |node: CallNode| facts.members.contains(&node);
            let calls: Vec<_> = drawing.calls.iter().copied()
                .filter(|&(caller, callee, ..)| inside(CallNode::new(caller)) && inside(CallNode::new(callee)))
                .collect();
            let starts = drawing.starts.iter().map(|_| 1).collect();
            let alone = Drawing { starts, calls };
            prop_assert!(facts.members.iter().all(|&member| !graph.edges(member).is_empty()));
            let ends = solve(equations(&alone.graph(), &alone_counts(&graph))).is_some_and(|(numerators, denominator)| {
                numerators.iter().all(|numerator| numerator.sign() == denominator.sign())
            });
            prop_assert!(ends || facts.factor.is_some());
            prop_assert!(facts.factor.is_none_or(|factor| !factor.is_zero() && factor < Scaled::ONE));
        }
    }
}

/// Counts of a graph of the same nodes without calls: no factor is less than 1.
fn alone_counts(graph: &CallGraph) -> EntryCounts {
    EntryCounts::solve(&CallGraph::new(graph.nodes().map(|_| Scaled::ONE).collect(), &[]))
}
