//! Tests with small functions whose frequencies are known, and with random functions.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::bfi::properties::{any_function, function_of, reducible, Lists};
use crate::bfi::test_function::TestFunction;
use crate::bfi::{naive, BlockFrequencies, FrequencyAnalysis, Scaled};
use crate::cfg::test_support::config;
use crate::dialect::FrequencyScaling;
use crate::facts;

fn exact(function: &TestFunction) -> BlockFrequencies {
    FrequencyAnalysis::default().compute_exact(&function.input())
}

/// The printed frequency of each named block.
fn texts(text: &str, names: &str) -> Vec<String> {
    let (function, block) = TestFunction::new(text);
    let frequencies = exact(&function);
    names.split_whitespace().map(|name| frequencies.text(block(name)).to_string()).collect()
}

#[test]
fn the_integer_of_a_loop_is_exact() {
    // For the block `loop`, LLVM's algorithm computes the integer 255 instead of 256.
    assert_eq!(
        texts("entry -> loop; loop -> loop end : 31 1; end", "entry loop end"),
        ["float = 1.0, int = 8", "float = 32.0, int = 256", "float = 1.0, int = 8"]
    );
}

/// The function has nested irreducible regions. The headers of the region at depth N are `aN` and `bN`. Each header
/// gets half of the flow into the region, and the flow leaves the region through `xN`. From `xN`, half of the flow goes
/// to the first header of the enclosing region. Each region has two iterations, and is entered twice as often as the
/// region around it.
#[test]
#[cfg_attr(miri, ignore = "too large for Miri")]
fn deep_nests_are_solved_without_recursion() {
    let depth = 20_000;
    let mut text = String::from("entry -> a0 b0;");
    for level in 0..depth {
        let (inner, outer) = (level + 1, level);
        text += &format!(
            "a{outer} -> a{inner} b{outer}; b{outer} -> b{inner} a{outer}; x{inner} -> a{outer} x{outer};"
        );
    }
    text += &format!("a{depth} -> b{depth} x{depth}; b{depth} -> a{depth} x{depth}; x0 -> end; end");
    let (function, block) = TestFunction::new(&text);
    let frequencies = exact(&function);
    assert_eq!(frequencies.scaled(block("end")), Scaled::ONE);
    assert_eq!(frequencies.scaled(block("x1")), Scaled::new(2, 0));
    assert_eq!(frequencies.scaled(block("x4000")), Scaled::new(1, 4000));
}

/// The greatest relative error of LLVM's frequencies.
fn worst_error(function: &TestFunction) -> Scaled {
    let (frequencies, solution) = (function.frequencies(), exact(function));
    let reached = function.graph.blocks().filter(|&block| function.reaches(block));
    let errors = reached.map(|block| {
        let right = solution.scaled(block);
        right.abs_difference(frequencies.scaled(block)) / right
    });
    errors.max().expect("an entry")
}

#[test]
fn with_exact_header_weights_llvm_computes_the_exact_solution() {
    // The exact frequencies of `a`, `b` and `c` have the ratio 6:4:3. Block `a` is the header of the inner loop of `a`
    // and `c`. For each call of the function, `a` runs 3 times: the edge from `c` contributes 3/2, and the edges that
    // enter the inner loop contribute 3/2.
    let (mut function, block) = TestFunction::new("entry -> a b; a -> b c; b -> a end; c -> a; end");
    assert!(worst_error(&function) > Scaled::new(1, -4));
    let planned = FrequencyAnalysis::default().plan_header_weights(&function.input(), false);
    assert_eq!(planned, [(block("a"), 920_350_135), (block("b"), 1_227_133_513)]);
    function.header_weights = planned;
    assert!(worst_error(&function) < Scaled::new(1, -28));
    // The second plan is empty, because no other weights reduce the errors of the frequencies further.
    assert_eq!(FrequencyAnalysis::default().plan_header_weights(&function.input(), true), []);
}

/// Computes header weights with the algorithms of LLVM 24. Returns the weights of the named blocks, scaled so that
/// their sum is 1, and the greatest error of the frequencies with these weights.
fn llvm24_plan(text: &str, names: &str) -> (Vec<String>, Scaled) {
    let (function, block) = TestFunction::new(text);
    let mut function = function.llvm24();
    assert!(worst_error(&function) > Scaled::new(1, -4));
    function.header_weights = FrequencyAnalysis::default().plan_header_weights(&function.input(), false);
    let weights =
        names.split_whitespace().map(|name| facts::header_weight(&function.header_weights, block(name)));
    let weights: Vec<_> = weights.map(|weight| Scaled::new(weight.expect("a weight"), -62)).collect();
    assert_eq!(weights.len(), function.header_weights.len());
    (weights.iter().map(|share| format!("{share:.5}")).collect(), worst_error(&function))
}

/// If some nodes had no weight, the flow from the headers would not reach distant nodes within LLVM's limit of
/// iterations.
#[test]
fn nodes_far_from_headers_have_weights() {
    let mut text = String::from("entry -> a b; a -> c0; b -> a end;");
    (0..40).for_each(|place| text += &format!("c{place} -> c{};", place + 1));
    text += "c40 -> b; end";
    let names: Vec<String> = (0..41).map(|place| format!("c{place}")).collect();
    let (_, error) = llvm24_plan(&text, &format!("a b {}", names.join(" ")));
    assert!(error < Scaled::new(1, -52), "{error:?}");
}

/// Multiplies the weights by powers of two from a wide range. As a result, flow rarely leaves some regions and rarely
/// enters some blocks.
fn spread(lists: Lists, sizes: &[u32]) -> Lists {
    let mut sizes = sizes.iter().cycle();
    let mut spread = |weight: u32| (weight << sizes.next().unwrap()).max(u32::from(weight > 0));
    lists
        .into_iter()
        .map(|edges| edges.into_iter().map(|(target, weight)| (target, spread(weight))).collect())
        .collect()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn exact_frequencies_satisfy_the_flow_equations(
        lists in prop_oneof![any_function(), reducible()],
        sizes in vec(0u32..18, 1..40),
        newer: bool,
    ) {
        let mut function = function_of(&spread(lists, &sizes));
        if newer {
            function.scaling = FrequencyScaling::LargestTo54Bits;
        }
        naive::check_exact(&function.input(), &exact(&function));
    }

    /// With the planned weights, the greatest error of LLVM's frequencies does not increase.
    #[test]
    fn planned_weights_do_not_increase_the_greatest_error(
        lists in any_function(),
        given in vec(prop::option::weighted(0.1, 1u64..9), 24),
        overwrite: bool,
        newer: bool,
    ) {
        let mut function = function_of(&lists);
        if newer {
            function = function.llvm24();
        }
        let blocks = function.graph.blocks().zip(given);
        function.header_weights = blocks.filter_map(|(block, weight)| Some((block, weight?))).collect();
        let mut analysis = FrequencyAnalysis::default();
        let planned = analysis.plan_header_weights(&function.input(), overwrite);
        let (solution, before) = (exact(&function), worst_error(&function));
        let nest = function.nest();
        for &(block, weight) in &planned {
            let mut around = nest.around(block);
            let is_node = newer && around.any(|nested| nest.is_irreducible(nested));
            prop_assert!((is_node || nest.is_irreducible_header(block)) && weight > 0);
            let kept = function.header_weights.iter().any(|given| given.0 == block);
            prop_assert!(overwrite || !kept);
        }
        function.header_weights.retain(|given| planned.iter().all(|new| new.0 != given.0));
        function.header_weights.extend(&planned);
        function.header_weights.sort_unstable();
        prop_assert!(worst_error(&function) <= before);
        // If all nodes of all loops have exact weights, only very small frequencies can have a large relative error.
        let has_infinite = nest.loops().any(|nested| nest.is_infinite(nested));
        let is_plain = !has_infinite && lists.iter().flatten().all(|&(_, weight)| weight > 0);
        prop_assert!(!(newer && overwrite && is_plain) || worst_error(&function) < Scaled::new(1, -16));
        // Exact frequencies do not depend on header weights.
        for block in function.graph.blocks() {
            prop_assert_eq!(exact(&function).scaled(block), solution.scaled(block));
        }
    }

    /// The loop nest is consistent with the frequencies. The loop nest stores how often each loop is entered, how many
    /// iterations each loop has, and how often each block runs per iteration. A loop is infinite if no edge leaves it.
    #[test]
    fn loop_iterations_equal_the_frequencies_of_the_headers(lists in any_function()) {
        let function = function_of(&lists);
        let frequencies = exact(&function);
        let nest = function.nest().with_frequencies(&function.graph, &function.probabilities, &frequencies);
        let has_infinite = nest.loops().any(|nested| nest.is_infinite(nested));
        let near = |one: Scaled, other: Scaled| one.abs_difference(other) <= other.shifted(-50);
        for nested in nest.loops() {
            // A header is a block, or starts an inner loop.
            let headers = nest.headers(nested).iter().map(|&header| {
                let inner = nest.around(header).find(|&inner| nest.parent(inner) == Some(nested));
                inner.map_or(frequencies.scaled(header), |inner| nest.entries(inner))
            });
            let iterations = headers.fold(Scaled::ZERO, |sum, one| sum + one);
            prop_assert!(near(nest.entries(nested) * nest.scale(nested), iterations));
            let around = nest.parent(nested).map_or(Scaled::ONE, |parent| nest.entries(parent) * nest.scale(parent));
            prop_assert!(near(nest.loop_share(nested).per_iteration * around, nest.entries(nested)));
            let blocks = || function.graph.blocks().filter(|&block| nest.contains(nested, block));
            // The probability of leaving is the flow that leaves the loop, divided by the iterations.
            let mut left = Scaled::ZERO;
            for block in blocks() {
                let weights = function.probabilities[function.graph.edges(block)].iter();
                let weights = weights.map(|probability| u64::from(probability.numerator().max(1)));
                let whole = Scaled::new(weights.clone().sum(), 0);
                for (&target, weight) in function.graph.successors(block).iter().zip(weights) {
                    if !nest.contains(nested, target) {
                        left = left + frequencies.scaled(block) * (Scaled::new(weight, 0) / whole);
                    }
                }
            }
            prop_assert!(has_infinite || near(nest.leaving(nested) * iterations, left));
            let mut targets = blocks().flat_map(|block| function.graph.successors(block));
            let is_closed = targets.all(|&target| nest.contains(nested, target));
            prop_assert_eq!(nest.is_infinite(nested), is_closed);
        }
        for block in function.graph.blocks().filter(|&block| nest.share(block).is_some()) {
            let share = nest.share(block).unwrap().per_iteration;
            let iterations = nest.innermost(block).map_or(Scaled::ONE, |around| {
                nest.entries(around) * nest.scale(around)
            });
            prop_assert!(near(share * iterations, frequencies.scaled(block)));
        }
    }

    #[test]
    fn the_exact_analysis_can_be_reused(lists in vec(any_function(), 2..6)) {
        let mut analysis = FrequencyAnalysis::default();
        for lists in lists {
            let function = function_of(&lists);
            let (again, fresh) = (analysis.compute_exact(&function.input()), exact(&function));
            for block in function.graph.blocks() {
                prop_assert_eq!(again.scaled(block), fresh.scaled(block));
            }
        }
    }
}
