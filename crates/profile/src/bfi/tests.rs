//! Tests with small functions whose frequencies are known.

use super::test_function::TestFunction;
use crate::dialect::FrequencyScaling;

/// The printed frequency of each named block.
fn texts(text: &str, names: &str) -> Vec<String> {
    let (function, block) = TestFunction::new(text);
    let frequencies = function.frequencies();
    names.split_whitespace().map(|name| frequencies.text(block(name)).to_string()).collect()
}

#[test]
fn a_single_block() {
    // The entry has the frequency 1. This is also the smallest frequency. The integer for the smallest frequency
    // is 8.
    assert_eq!(texts("entry", "entry"), ["float = 1.0, int = 8"]);
}

#[test]
fn a_diamond() {
    // In reverse postorder, `rare` comes first. `rare` gets 1/4 of 2^64-1, rounded down to 2^62-1. The frequency of
    // `rare` is exactly 1/4. `likely` gets the remaining mass, 3 * 2^62. The smallest frequency, 1/4, becomes the
    // integer 8, so all frequencies are multiplied by 32.
    assert_eq!(
        texts("entry -> likely rare : 3 1; likely -> end; rare -> end; end", "entry likely rare end"),
        ["float = 1.0, int = 32", "float = 0.75, int = 24", "float = 0.25, int = 8", "float = 1.0, int = 32"]
    );
}

#[test]
fn a_loop_of_one_block() {
    // The returning mass is 31/32 of 2^64-1, rounded down to 31 * 2^59 - 1. The mass that leaves the loop is 2^59. The
    // scale is 2^64 / (2^59 + 1), just below 32. The product of the scale and 8 is just below 256, and
    // becomes the integer 255.
    assert_eq!(
        texts("entry -> loop; loop -> loop end : 31 1; end", "entry loop end"),
        ["float = 1.0, int = 8", "float = 32.0, int = 255", "float = 1.0, int = 8"]
    );
}

#[test]
fn the_scales_of_nested_loops_multiply() {
    // The outer loop has 2 iterations. The inner loop has 4 iterations for each outer iteration.
    let text = "entry -> outer; outer -> inner; inner -> inner latch : 3 1; latch -> outer end; end";
    assert_eq!(
        texts(text, "outer inner latch end"),
        ["float = 2.0, int = 15", "float = 8.0, int = 63", "float = 2.0, int = 15", "float = 1.0, int = 8"]
    );
}

#[test]
fn an_infinite_loop_counts_as_4096_iterations() {
    assert_eq!(
        texts("entry -> loop; loop -> loop; cut_off", "entry loop cut_off"),
        ["float = 1.0, int = 8", "float = 4096.0, int = 32768", "float = 0.0, int = 0"]
    );
}

#[test]
fn an_edge_of_probability_0_has_the_least_weight() {
    // The edge to `never` has the weight 1, and the edge to `end` has the weight 2^31. The probability 1 / (2^31 + 1)
    // rounds to 2^-31. The mass of `never` is 2^33-1, and its frequency is 2^33 / 2^64. The smallest frequency,
    // 2^-31, becomes the integer 8, so all frequencies are multiplied by 2^34.
    assert_eq!(
        texts("entry -> end never : 1 0; never -> end; end", "entry never"),
        ["float = 1.0, int = 17179869184", "float = 0.00000000046566, int = 8"]
    );
}

#[test]
fn a_loop_with_two_headers() {
    // Each header gets half of the mass. Half of each header's mass leaves the loop, and half returns. The scale is
    // therefore 2, and each header runs once.
    let text = "entry -> a b; a -> b end; b -> a end; end";
    assert_eq!(
        texts(text, "a b end"),
        ["float = 1.0, int = 8", "float = 1.0, int = 8", "float = 1.0, int = 8"]
    );
    let (function, block) = TestFunction::new(text);
    let nest = function.nest();
    assert_eq!(
        ["entry", "a", "b", "end"].map(|name| nest.is_irreducible_header(block(name))),
        [false, true, true, false]
    );
    let [only] = nest.loops().collect::<Vec<_>>()[..] else { panic!("the function has one loop") };
    assert_eq!((nest.headers(only).len(), format!("{:.5}", nest.scale(only))), (2, "2.0".into()));
}

#[test]
fn headers_share_the_mass_in_proportion_to_the_returning_mass() {
    // Headers `a` and `b` each get half of the mass. 3/8 of the mass goes from `a` to `b`, and 1/8 goes from `b` to
    // `a`. Half of the mass returns, so the scale is 1 / (1 - 1/2) = 2. In proportion to the returning mass, `a` gets
    // 1/4 of the mass and `b` gets 3/4. LLVM does not use the masses that enter the loop at `a` and `b`.
    assert_eq!(
        texts("entry -> a b; a -> b end : 3 1; b -> a end : 1 3; end", "a b end"),
        ["float = 0.5, int = 8", "float = 1.5, int = 24", "float = 1.0, int = 16"]
    );
}

#[test]
fn headers_without_a_weight_get_the_least_weight() {
    // The weights of `a`, `b` and `c` are 6, 3 and 3. Half of each header's mass goes to the next header, and half
    // leaves the loop. The scale is 2.
    let text = "entry -> a b c; a -> b end; b -> c end; c -> a end; end";
    let (mut function, block) = TestFunction::new(text);
    function.header_weights = vec![(block("a"), 6), (block("b"), 3)];
    let frequencies = function.frequencies();
    let floats = ["a", "b", "c"].map(|name| format!("{:.5}", frequencies.scaled(block(name))));
    assert_eq!(floats, ["1.0", "0.5", "0.5"]);
}

#[test]
fn a_header_of_weight_0_has_the_least_mass() {
    // Headers `b` and `c` share the mass. Half of the mass returns, so the scale is 1 / (1 - 1/2) = 2. Header `a` gets
    // a mass of 0 units. A mass of 0 counts as one unit. All weights are divided by the same number, so that their sum
    // fits in 32 bits. This division must not raise the weight of `a` from 0 to 1.
    let (mut function, block) = TestFunction::new("entry -> a b c; a -> b end; b -> c end; c -> a end; end");
    function.header_weights = vec![(block("a"), 0), (block("b"), 1 << 40), (block("c"), 1 << 40)];
    let frequencies = function.frequencies();
    let floats = ["a", "b", "c"].map(|name| format!("{:.5}", frequencies.scaled(block(name))));
    assert_eq!(floats, ["1.0842E-19", "1.0", "1.0"]); // 2 / 2^64
}

#[test]
fn a_back_edge_from_an_entry_makes_no_header() {
    // The reverse postorder is `entry`, `a`, `b`, `end`, `c`. All predecessors of `b` are inside the region. The edge
    // from `c` to `b` leads backwards in this order, but does not make `b` a header: `c` is an entry, and therefore a
    // header. The solver visits all headers before `b`.
    let (function, block) = TestFunction::new("entry -> a c; a -> b; b -> c end; c -> a b; end");
    let nest = function.nest();
    assert_eq!(["a", "b", "c"].map(|name| nest.is_irreducible_header(block(name))), [true, false, true]);
}

#[test]
fn a_cycle_without_an_entry_has_a_header() {
    // The reverse postorder is `entry`, `d`, `c`, `end`, `a`, `b`. The entries are `a` and `d`. The cycle of `b` and
    // `c` has no entry. The edge from `b` to `c` leads backwards in this order, so `c` is also a header.
    let text = "entry -> d a; a -> b; d -> c; b -> c d; c -> b a end; end";
    let (function, block) = TestFunction::new(text);
    let nest = function.nest();
    let headers = ["a", "b", "c", "d"].map(|name| nest.is_irreducible_header(block(name)));
    assert_eq!(headers, [true, false, true, true]);
}

#[test]
fn the_returning_mass_is_counted_once_if_a_level_is_solved_twice() {
    // Half of the mass of `h` flows directly back to `h`. The solver adds this mass to the returning mass of the loop.
    // Then the solver finds the irreducible region {a, b}, and solves the loop again. This second attempt must not add
    // the mass of the edge `h -> h` again. A quarter of the mass returns through `out`.
    let text = "entry -> h; h -> h r; r -> a b; a -> b out; b -> a out; out -> h end; end";
    let (function, block) = TestFunction::new(text);
    let frequencies = function.frequencies();
    let floats = ["h", "r", "a", "b", "out", "end"].map(|name| frequencies.scaled(block(name)));
    assert_eq!(floats.map(|float| format!("{float:.5}")), ["4.0", "2.0", "2.0", "2.0", "2.0", "1.0"]);
}

#[test]
fn a_natural_loop_in_an_irreducible_loop_in_a_natural_loop() {
    // Block `b` is the header of the natural loop {b, b2}, which has 4 iterations. Block `b` is also a header of the
    // irreducible region {a, b, b2} in the loop of `h`. Block `b` therefore represents two solved regions. In the
    // region, `a` passes half of its mass to the loop of `b`, and the loop passes half of its mass to `a`. `a` and
    // the loop pass the other half of their mass to the latch. `a` and the loop are entered once for each iteration of
    // `h`. The latch returns half of its mass, so `h` has 1 / (1 - 1/2) = 2 iterations. The order of `h`'s successors
    // determines whether `a` or `b` comes first in reverse postorder.
    for first in ["h -> a b", "h -> b a"] {
        let rest = "a -> b latch; b -> b2; b2 -> b next : 3 1; next -> a latch; latch -> h end; end";
        let (function, block) = TestFunction::new(&format!("entry -> h; {first}; {rest}"));
        let (frequencies, nest) = (function.frequencies(), function.nest());
        let floats =
            ["h", "a", "b", "b2", "next", "latch", "end"].map(|name| frequencies.scaled(block(name)));
        let floats = floats.map(|float| format!("{float:.5}"));
        assert_eq!(floats, ["2.0", "2.0", "8.0", "8.0", "2.0", "2.0", "1.0"]);
        assert!(nest.is_irreducible_header(block("b")));
        assert!(!nest.is_irreducible_header(block("h")));
    }
}

#[test]
fn the_largest_frequency_becomes_2_to_the_54_since_llvm_18() {
    let (mut function, block) = TestFunction::new("entry -> loop; loop -> loop; end");
    function.scaling = FrequencyScaling::LargestTo54Bits;
    let frequencies = function.frequencies();
    assert_eq!(frequencies.integer(block("loop")), 1 << 54);
    assert_eq!(frequencies.entry_integer(), 1 << 42);
}

#[test]
fn a_range_of_more_than_61_bits_saturates_small_frequencies() {
    // The function has six nested loops. The innermost loop runs 2^72 times as often as the entry.
    let depth = 6;
    let mut text = String::from("entry -> h0;");
    for level in 0..depth {
        text += &format!(
            "h{level} -> {};",
            if level + 1 < depth { format!("h{}", level + 1) } else { "l0".into() }
        );
    }
    for level in 0..depth {
        let outer = if level + 1 < depth { format!("l{}", level + 1) } else { "end".into() };
        text += &format!("l{level} -> h{} {outer} : 4095 1;", depth - 1 - level);
    }
    let (function, block) = TestFunction::new(&(text + "end"));
    let frequencies = function.frequencies();
    // The factor is 2^64 / 2^72 = 2^-8. The integer frequency of the entry would be below 1, so it becomes 1. The
    // frequency 2^12 of the outermost loop becomes 2^4.
    assert_eq!((frequencies.entry_integer(), frequencies.integer(block("h0"))), (1, 16));
    assert_eq!(frequencies.integer(block("h5")), u64::MAX);
    assert_eq!(format!("{:.5}", frequencies.scaled(block("h5"))), "4.7224E+21");
    // 2^72 = 4722366482869645213696
}

#[test]
fn counts_round_to_nearest_and_saturate() {
    let (function, block) = TestFunction::new("entry -> loop; loop -> loop; end");
    let frequencies = function.frequencies();
    assert_eq!(frequencies.count(block("loop"), 3), 3 * 4096);
    assert_eq!(frequencies.count(block("loop"), u64::MAX), u64::MAX);
    assert_eq!(frequencies.count(block("end"), 3), 0);
    let (function, block) = TestFunction::new("entry -> a b; a; b");
    let frequencies = function.frequencies();
    assert_eq!(frequencies.count(block("a"), 1), 1); // 1/2 is rounded up
    assert_eq!(frequencies.count(block("a"), u64::MAX), 1 << 63);
}

#[test]
fn the_analysis_can_be_reused() {
    let functions =
        ["entry -> a b; a -> b end; b -> a end; end", "entry", "entry -> l; l -> l end : 7 1; end"];
    let mut analysis = super::FrequencyAnalysis::default();
    for text in functions.iter().chain(functions.iter().rev()) {
        let (function, _) = TestFunction::new(text);
        let again = analysis.compute(&function.input());
        let fresh = function.frequencies();
        assert!(function
            .graph
            .blocks()
            .all(|block| again.text(block).to_string() == fresh.text(block).to_string()));
    }
}
