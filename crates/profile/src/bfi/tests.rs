//! Tests with small functions whose frequencies are known.

use super::test_function::TestFunction;

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
