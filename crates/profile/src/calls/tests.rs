//! Tests with small call graphs whose counts are known, and with random call graphs.

use cranelift_entity::{EntityRef, PrimaryMap};
use num_bigint::BigInt;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::Config;

use super::entries::Equations;
use super::graph::CallGraph;
use super::{CallNode, EntryCounts};
use crate::bfi::Scaled;
use crate::cfg::test_support;

fn solve_graph(graph: CallGraph) -> EntryCounts {
    let equations = Equations::new(graph);
    let counts = equations.solve();
    equations.with_counts(counts)
}

/// A call graph as data. A call is a tuple: caller, callee, digits of the weight, and exponent of the weight.
#[derive(Clone, Debug)]
struct TestGraph {
    starts: Vec<u64>,
    calls: Vec<(usize, usize, u64, i16)>,
}

impl TestGraph {
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
        let counts = solve_graph(graph.clone());
        (graph, counts)
    }
}

#[test]
fn counts_add_up_along_calls() {
    // Function main calls f three times and g once. In half of its executions, f calls g.
    let test_graph =
        TestGraph { starts: vec![1, 0, 0, 0], calls: vec![(0, 1, 3, 0), (0, 2, 1, 0), (1, 2, 1, -1)] };
    assert_eq!(test_graph.counts(), ["1.0", "3.0", "2.5", "0.0"]);
}

#[test]
fn a_converging_recursion_has_no_factor() {
    // Function main calls f twice, and f calls itself in 1/16 of the executions of f. Therefore f runs
    // 2 / (1 - 1/16) = 2.1333 times. In a quarter of its executions, f calls g.
    let test_graph =
        TestGraph { starts: vec![1, 0, 0], calls: vec![(0, 1, 2, 0), (1, 1, 1, -4), (1, 2, 1, -2)] };
    assert_eq!(test_graph.counts(), ["1.0", "2.1333", "0.53333"]);
    // Function f calls g three times. In 1/32 of its executions, g calls f. The solution of f = 1 + 3/32 f is 32/29.
    let test_graph = TestGraph { starts: vec![1, 0], calls: vec![(0, 1, 3, 0), (1, 0, 1, -5), (1, 0, 0, 0)] };
    assert_eq!(test_graph.counts(), ["1.1034", "3.3103"]);
    let (graph, counts) = test_graph.solved();
    assert!(counts.recursions().all(|facts| facts.factor.is_none() && facts.members.len() == 2));
    assert!(graph.nodes().all(|node| counts.recursion(node).is_some()));
}

#[test]
fn a_diverging_recursion_gets_a_factor() {
    // Each execution of f calls f twice. The factor 1/16 reduces the weight of the recursive calls from 2 to 1/8, so f
    // runs 1 / (1 - 1/8) times.
    let test_graph = TestGraph { starts: vec![1, 0], calls: vec![(0, 0, 2, 0), (0, 1, 3, 0)] };
    assert_eq!(test_graph.counts(), ["1.1429", "3.4286"]);
    let (_, counts) = test_graph.solved();
    assert_eq!(counts.factor(CallNode::new(0), CallNode::new(0)), Scaled::new(1, -4));
    assert_eq!(counts.factor(CallNode::new(0), CallNode::new(1)), Scaled::ONE);
}

#[test]
fn functions_without_called_callers_have_the_count_0() {
    let test_graph =
        TestGraph { starts: vec![1, 0, 0], calls: vec![(1, 2, 1, 0), (2, 1, 1, 3), (2, 0, 1, 0)] };
    assert_eq!(test_graph.counts(), ["1.0", "0.0", "0.0"]);
}

/// The graphs are a path, a cycle of all functions, and a path of functions that also call themselves. The stack depth
/// of the solver must not depend on the length of call chains.
#[test]
fn deep_call_graphs_do_not_overflow_the_stack() {
    let count = if cfg!(miri) { 100 } else { 100_000 };
    let row: Vec<_> = (1..count).map(|callee| (callee - 1, callee, 1, 0)).collect();
    let ring: Vec<_> = row.iter().copied().chain([(count - 1, 0, 1, -4)]).collect();
    let alone: Vec<_> =
        row.iter().copied().chain((0..count).map(|function| (function, function, 1, -3))).collect();
    let mut starts = vec![0; count];
    starts[0] = 1;
    let last = |calls| {
        let (_, counts) = TestGraph { starts: starts.clone(), calls }.solved();
        counts.of(CallNode::new(count - 1))
    };
    assert_eq!(last(row), Scaled::ONE);
    assert_eq!(format!("{:.10}", last(ring)), format!("{:.10}", Scaled::new(16, 0) / Scaled::new(15, 0)));
    assert!(last(alone) > Scaled::new(1, 15));
}

/// The functions call each other through pointers of one type. The component is so large that it is solved by
/// iteration.
#[test]
fn a_component_solved_by_iteration_can_have_no_inflow() {
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
        solve_graph(CallGraph::new(starts, &calls))
    };
    assert!(counts(Scaled::ZERO).of(CallNode::new(count)).is_zero());
    // The number of calls at each recursion depth is an eighth of the number at the previous depth.
    assert_eq!(format!("{:.6}", counts(Scaled::ONE).of(CallNode::new(count))), "1.14286");
}

/// Each of 20,000 functions calls the next function twice, and the last function calls the first.
#[test]
fn back_calls_get_the_factor_0_if_forward_calls_overflow() {
    let count = 20_000;
    let on = (1..count).map(|callee| (callee - 1, callee, 2, 0));
    let test_graph = TestGraph {
        starts: (0..count).map(|function| u64::from(function == 0)).collect(),
        calls: on.chain([(count - 1, 0, 1, 0)]).collect(),
    };
    let (_, counts) = test_graph.solved();
    assert!(counts.factor(CallNode::new(count - 1), CallNode::new(0)).is_zero());
    assert_eq!(counts.of(CallNode::new(0)), Scaled::ONE);
    assert_eq!(counts.of(CallNode::new(9)), Scaled::new(1, 9));
    assert_eq!(counts.of(CallNode::new(count - 1)), Scaled::LARGEST);
}

/// Call graphs in which most functions call each other.
fn test_graphs() -> impl Strategy<Value = TestGraph> {
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
        TestGraph { calls: calls.collect(), starts }
    })
}

/// All numbers in the equations are multiples of 2^`UNIT`. A weight and a factor have 64 bits each.
const UNIT: i32 = -512;

fn in_units(number: Scaled) -> BigInt {
    BigInt::from(number.digits()) << (i32::from(number.exponent()) - UNIT)
}

/// The equations for the entry counts of `graph`, with the factors of `counts`. Each row has the coefficients and the
/// constant of an equation.
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

/// Solves the equations in integers. Returns the numerators and their common denominator. Source: Erwin Bareiss,
/// "Sylvester's identity and multistep integer-preserving Gaussian elimination", Mathematics of Computation 22, 1968.
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

/// Runs 2000 cases, unless `PROPTEST_CASES` is set.
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
    fn counts_solve_the_equations(test_graph in test_graphs()) {
        let (graph, counts) = test_graph.solved();
        let (numerators, denominator) = solve(equations(&graph, &counts)).expect("the equations have one solution");
        for (node, numerator) in graph.nodes().zip(&numerators) {
            // count x denominator equals the numerator, with a relative error of at most 2^-36.
            let found = in_units(counts.of(node)) * &denominator;
            let right = numerator << -UNIT;
            let (off, size) = (found.clone() - &right, right.magnitude().clone());
            let count = counts.of(node);
            prop_assert!(off.magnitude() << 36u32 <= size, "count {count} of {node}, not {right} / {denominator}");
            prop_assert_eq!(found.sign(), right.sign());
        }
    }
}

proptest! {
    #![proptest_config(test_support::config())]

    /// If the estimate reports no `factor` for a recursion, the equations for the recursion have a positive solution.
    #[test]
    fn a_recursion_without_a_factor_converges(test_graph in test_graphs()) {
        let (graph, counts) = test_graph.solved();
        for facts in counts.recursions() {
            let inside = |node: CallNode| facts.members.contains(&node);
            let calls: Vec<_> = test_graph.calls.iter().copied()
                .filter(|&(caller, callee, ..)| inside(CallNode::new(caller)) && inside(CallNode::new(callee)))
                .collect();
            let starts = test_graph.starts.iter().map(|_| 1).collect();
            let alone = TestGraph { starts, calls };
            prop_assert!(facts.members.iter().all(|&member| !graph.edges(member).is_empty()));
            let ends = solve(equations(&alone.graph(), &alone_counts(&graph))).is_some_and(|(numerators, denominator)| {
                numerators.iter().all(|numerator| numerator.sign() == denominator.sign())
            });
            prop_assert!(ends || facts.factor.is_some());
            prop_assert!(facts.factor.is_none_or(|factor| !factor.is_zero() && factor < Scaled::ONE));
        }
    }
}

/// The entry counts after all calls are removed from `graph`. Because there is no recursion, no weight of a call is
/// reduced.
fn alone_counts(graph: &CallGraph) -> EntryCounts {
    solve_graph(CallGraph::new(graph.nodes().map(|_| Scaled::ONE).collect(), &[]))
}
