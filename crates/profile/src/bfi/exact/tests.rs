//! Small functions whose frequencies can be worked out by hand, and any function against its equations.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::bfi::drawing::Drawing;
use crate::bfi::properties::{any_function, drawing_of, reducible, Lists};
use crate::bfi::{naive, BlockFrequencies, FrequencyAnalysis, Scaled};
use crate::cfg::test_support::config;
use crate::dialect::FrequencyScaling;
use crate::facts;

fn exact(drawing: &Drawing) -> BlockFrequencies {
    FrequencyAnalysis::default().compute_exact(&drawing.input())
}

/// The text of each named block's frequency.
fn texts(text: &str, names: &str) -> Vec<String> {
    let (drawing, block) = Drawing::new(text);
    let frequencies = exact(&drawing);
    names.split_whitespace().map(|name| frequencies.text(block(name)).to_string()).collect()
}

#[test]
fn a_loop_iterates_as_often_as_it_comes_back() {
    // LLVM's masses make 255 of the integer.
    assert_eq!(
        texts("entry -> loop; loop -> loop end : 31 1; end", "entry loop end"),
        ["float = 1.0, int = 8", "float = 32.0, int = 256", "float = 1.0, int = 8"]
    );
}

#[test]
fn five_to_three_to_two() {
    // a = 1/2 + b + c/2, b = 3/5 a, c = 1/2 + a/5: so c = 1/2 + a/5, and a = 1/2 + 3/5 a + 1/4 + a/10, 3/10 a = 3/4.
    assert_eq!(
        texts("entry -> a c; a -> b c end : 3 1 1; b -> a; c -> a end; end", "entry a b c end"),
        [
            "float = 1.0, int = 8",
            "float = 2.5, int = 20",
            "float = 1.5, int = 12",
            "float = 1.0, int = 8",
            "float = 1.0, int = 8"
        ]
    );
}

#[test]
fn eight_to_five_to_five() {
    // a = 1/2 + 3/5 b + c/2, b = 1/2 + c/2, c = a/2 + b/5. With b = 1: c = 1, and a = 1/2 + 3/5 + 1/2 = 8/5; and c is
    // 4/5 + 1/5 as it should be.
    assert_eq!(
        texts("entry -> a b; a -> c end; b -> a c end : 3 1 1; c -> a b; end", "a b c"),
        ["float = 1.6, int = 13", "float = 1.0, int = 8", "float = 1.0, int = 8"]
    );
}

#[test]
fn eight_to_three_to_three() {
    // a = 1/3 + b + c, b = c = 1/3 + a/8: a = 1 + a/4, so that a = 4/3 and b = c = 1/3 + 1/6.
    assert_eq!(
        texts("entry -> a b c; a -> b c end : 1 1 6; b -> a; c -> a; end", "a b c"),
        ["float = 1.3333, int = 21", "float = 0.5, int = 8", "float = 0.5, int = 8"]
    );
}

#[test]
fn six_to_four_to_three() {
    // a = 1/2 + b/2 + c, b = 1/2 + a/2, c = a/2: a = 1/2 + 1/4 + a/4 + a/2, a quarter of a is 3/4.
    assert_eq!(
        texts("entry -> a b; a -> b c; b -> a end; c -> a; end", "a b c"),
        ["float = 3.0, int = 24", "float = 2.0, int = 16", "float = 1.5, int = 12"]
    );
}

#[test]
fn an_infinite_loop_iterates_4096_times() {
    // By a three quarters of what enters, by b a quarter; together they run 4096 times.
    let text = "entry -> a b other : 3 1 4; a -> b; b -> a; other -> loop; loop -> middle; middle -> loop";
    let (drawing, block) = Drawing::new(text);
    let frequencies = exact(&drawing);
    let sum = |one, another| frequencies.scaled(block(one)) + frequencies.scaled(block(another));
    // But for the last of 64 digits.
    assert_eq!(sum("a", "b").shifted(20).to_nearest_u64(), 2048 << 20);
    assert_eq!(frequencies.scaled(block("loop")), Scaled::new(2048, 0));
    assert_eq!(frequencies.scaled(block("middle")), Scaled::new(2048, 0));
    // a = 3/8 + 4095/4096 b and b = 1/8 + 4095/4096 a: their difference is 1/4 over 8191/4096.
    let off = (frequencies.scaled(block("b")) + Scaled::new(1024, 0) / Scaled::new(8191, 0)).shifted(20);
    assert_eq!(off.to_nearest_u64(), frequencies.scaled(block("a")).shifted(20).to_nearest_u64());
}

#[test]
fn the_entry_may_be_in_a_cycle() {
    assert_eq!(
        texts("entry -> entry end : 3 1; end", "entry end"),
        ["float = 4.0, int = 32", "float = 1.0, int = 8"]
    );
    assert_eq!(texts("entry -> entry", "entry"), ["float = 4096.0, int = 8"]);
}

/// Regions of two headers in one another. Each is entered by both alike, and left by x, of which half goes back to a of
/// the region around it: the innermost iterations twice, and is entered twice as often as the one around it.
#[test]
#[cfg_attr(miri, ignore = "too large to be interpreted")]
fn depth_costs_no_stack() {
    let depth = 5_000;
    let mut text = String::from("entry -> a0 b0;");
    for level in 0..depth {
        let (inner, outer) = (level + 1, level);
        text += &format!(
            "a{outer} -> a{inner} b{outer}; b{outer} -> b{inner} a{outer}; x{inner} -> a{outer} x{outer};"
        );
    }
    text += &format!("a{depth} -> b{depth} x{depth}; b{depth} -> a{depth} x{depth}; x0 -> end; end");
    let (drawing, block) = Drawing::new(&text);
    let frequencies = exact(&drawing);
    assert_eq!(frequencies.scaled(block("end")), Scaled::ONE);
    assert_eq!(frequencies.scaled(block("x1")), Scaled::new(2, 0));
    assert_eq!(frequencies.scaled(block("x4000")), Scaled::new(1, 4000));
}

/// By how much the block of LLVM's that is off most is off.
fn worst_error(drawing: &Drawing) -> Scaled {
    let (frequencies, solution) = (drawing.frequencies(), exact(drawing));
    let reached = drawing.graph.blocks().filter(|&block| drawing.reaches(block));
    let errors = reached.map(|block| {
        let right = solution.scaled(block);
        right.abs_difference(frequencies.scaled(block)) / right
    });
    errors.max().expect("an entry")
}

#[test]
fn true_shares_bring_llvm_to_the_solution() {
    // Six to four to three; a is the header of a loop inside, which is entered 3/2 times.
    let (mut drawing, block) = Drawing::new("entry -> a b; a -> b c; b -> a end; c -> a; end");
    assert!(worst_error(&drawing) > Scaled::new(1, -4));
    let planned = FrequencyAnalysis::default().plan_header_weights(&drawing.input(), false);
    assert_eq!(planned, [(block("a"), 920_350_135), (block("b"), 1_227_133_513)]);
    drawing.header_weights = planned;
    assert!(worst_error(&drawing) < Scaled::new(1, -28));
    // Once they are there, none are better.
    assert_eq!(FrequencyAnalysis::default().plan_header_weights(&drawing.input(), true), []);
}

/// The weights planned for a function as LLVM sees it from 24 on, by the names of their blocks, with the sum of them as
/// 1; and by how much frequencies are off with them.
fn llvm24_plan(text: &str, names: &str) -> (Vec<String>, Scaled) {
    let (drawing, block) = Drawing::new(text);
    let mut drawing = drawing.llvm24();
    assert!(worst_error(&drawing) > Scaled::new(1, -4));
    drawing.header_weights = FrequencyAnalysis::default().plan_header_weights(&drawing.input(), false);
    let weights =
        names.split_whitespace().map(|name| facts::header_weight(&drawing.header_weights, block(name)));
    let weights: Vec<_> = weights.map(|weight| Scaled::new(weight.expect("a weight"), -62)).collect();
    assert_eq!(weights.len(), drawing.header_weights.len());
    (weights.iter().map(|share| format!("{share:.5}")).collect(), worst_error(&drawing))
}

/// Six to four to three again: where all nodes share each turn, each has its weight, and nothing is left to guess.
#[test]
fn true_shares_of_all_nodes_do_too() {
    let (weights, error) = llvm24_plan("entry -> a b; a -> b c; b -> a end; c -> a; end", "a b c");
    assert_eq!(weights, ["0.46154", "0.30769", "0.23077"]);
    assert!(error < Scaled::new(1, -56), "{error:?}");
}

/// c iterations eight times, and weighs what enters it.
#[test]
fn a_loop_inside_is_one_node() {
    let (weights, error) = llvm24_plan("entry -> a b; a -> b c; b -> a end; c -> c a : 7 1; end", "a b c");
    assert_eq!(weights, ["0.46154", "0.30769", "0.23077"]);
    assert!(error < Scaled::new(1, -56), "{error:?}");
}

/// Flow that only begins at the headers would need more iterations than LLVM gives it.
#[test]
fn nodes_far_from_headers_have_weights_of_their_own() {
    let mut text = String::from("entry -> a b; a -> c0; b -> a end;");
    (0..40).for_each(|place| text += &format!("c{place} -> c{};", place + 1));
    text += "c40 -> b; end";
    let names: Vec<String> = (0..41).map(|place| format!("c{place}")).collect();
    let (_, error) = llvm24_plan(&text, &format!("a b {}", names.join(" ")));
    assert!(error < Scaled::new(1, -52), "{error:?}");
}

/// A weight on any node of the loop keeps others away from it, unless it is overwritten.
#[test]
fn loops_with_weights_keep_them() {
    let (drawing, block) = Drawing::new("entry -> a b; a -> b c; b -> a end; c -> a; end");
    let mut drawing = drawing.llvm24();
    drawing.header_weights = vec![(block("c"), 7)];
    let plan = |overwrite| FrequencyAnalysis::default().plan_header_weights(&drawing.input(), overwrite);
    assert_eq!((plan(false).len(), plan(true).len()), (0, 3));
}

/// Weights of all sizes, so that regions are left rarely, and blocks entered rarely.
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
    fn the_equations_of_flow_are_solved(
        lists in prop_oneof![any_function(), reducible()],
        sizes in vec(0u32..18, 1..40),
        newer: bool,
    ) {
        let mut drawing = drawing_of(&spread(lists, &sizes));
        if newer {
            drawing.scaling = FrequencyScaling::LargestTo54Bits;
        }
        naive::check_exact(&drawing.input(), &exact(&drawing));
    }

    /// Where nothing is eliminated, what is iterated says itself how far off it is. (What is rarely left, or in weakly
    /// tied parts, can be further off than its equations are.)
    #[test]
    fn iteration_comes_to_the_same(lists in any_function(), work in 0u64..40) {
        let drawing = drawing_of(&lists);
        let mut analysis = FrequencyAnalysis::default();
        analysis.exact.solver.set_most_work(work);
        let (found, exact) = (analysis.compute_exact(&drawing.input()), exact(&drawing));
        prop_assert!(found.residual().is_none_or(|residual| residual < Scaled::new(1, -48)));
        for block in drawing.graph.blocks() {
            let (found, exact) = (found.scaled(block), exact.scaled(block));
            prop_assert!(found.abs_difference(exact) <= exact.shifted(-36), "{:?} {:?}", found, exact);
        }
    }

    /// With the weights that are planned, no block of LLVM's is off by more than the worst one was.
    #[test]
    fn planned_weights_make_nothing_worse(
        lists in any_function(),
        given in vec(prop::option::weighted(0.1, 1u64..9), 24),
        overwrite: bool,
        newer: bool,
    ) {
        let mut drawing = drawing_of(&lists);
        if newer {
            drawing = drawing.llvm24();
        }
        let blocks = drawing.graph.blocks().zip(given);
        drawing.header_weights = blocks.filter_map(|(block, weight)| Some((block, weight?))).collect();
        let mut analysis = FrequencyAnalysis::default();
        let planned = analysis.plan_header_weights(&drawing.input(), overwrite);
        let (solution, before) = (exact(&drawing), worst_error(&drawing));
        let nest = drawing.nest();
        for &(block, weight) in &planned {
            let mut around = nest.around(block);
            let is_node = newer && around.any(|nested| nest.is_irreducible(nested));
            prop_assert!((is_node || nest.is_irreducible_header(block)) && weight > 0);
            let kept = drawing.header_weights.iter().any(|given| given.0 == block);
            prop_assert!(overwrite || !kept);
        }
        drawing.header_weights.retain(|given| planned.iter().all(|new| new.0 != given.0));
        drawing.header_weights.extend(&planned);
        drawing.header_weights.sort_unstable();
        prop_assert!(worst_error(&drawing) <= before);
        // Where all nodes of all loops have what is theirs, only what is next to nothing can be off by much.
        let has_infinite = nest.loops().any(|nested| nest.is_infinite(nested));
        let is_plain = !has_infinite && lists.iter().flatten().all(|&(_, weight)| weight > 0);
        prop_assert!(!(newer && overwrite && is_plain) || worst_error(&drawing) < Scaled::new(1, -16));
        // And what solves the equations takes no notice of them.
        for block in drawing.graph.blocks() {
            prop_assert_eq!(exact(&drawing).scaled(block), solution.scaled(block));
        }
    }

    /// Turns, entries and shares are those of the frequencies that they are told beside.
    #[test]
    fn loops_iterate_as_often_as_their_headers_run(lists in any_function()) {
        let drawing = drawing_of(&lists);
        let frequencies = exact(&drawing);
        let nest = drawing.nest().with_frequencies(&drawing.graph, &drawing.probabilities, &frequencies);
        let has_infinite = nest.loops().any(|nested| nest.is_infinite(nested));
        let near = |one: Scaled, other: Scaled| one.abs_difference(other) <= other.shifted(-50);
        for nested in nest.loops() {
            let headers = nest.headers(nested).iter().map(|&header| frequencies.scaled(header));
            let iterations = headers.fold(Scaled::ZERO, |sum, one| sum + one);
            prop_assert!(near(nest.entries(nested) * nest.scale(nested), iterations));
            // A turn comes back, or makes up for an entry. Of what is never left, one part in 4096 comes to nothing.
            let made_up = nest.back(nested) + nest.scale(nested).inverse();
            prop_assert!(has_infinite || near(made_up, Scaled::ONE), "{:?}", made_up);
        }
        for block in drawing.graph.blocks().filter(|&block| nest.share(block).is_some()) {
            let share = nest.share(block).unwrap().per_iteration;
            let iterations = nest.innermost(block).map_or(Scaled::ONE, |around| {
                nest.entries(around) * nest.scale(around)
            });
            prop_assert!(near(share * iterations, frequencies.scaled(block)));
        }
    }

    /// Nothing of one function is left when the next one comes.
    #[test]
    fn memory_serves_function_after_function(lists in vec(any_function(), 2..6)) {
        let mut analysis = FrequencyAnalysis::default();
        for lists in lists {
            let drawing = drawing_of(&lists);
            let (again, fresh) = (analysis.compute_exact(&drawing.input()), exact(&drawing));
            for block in drawing.graph.blocks() {
                prop_assert_eq!(again.scaled(block), fresh.scaled(block));
            }
        }
    }
}
