//! Small functions whose frequencies can be worked out by hand.

use super::drawing::Drawing;
use crate::dialect::FrequencyScaling;

/// The text of each named block's frequency.
fn texts(text: &str, names: &str) -> Vec<String> {
    let (drawing, block) = Drawing::new(text);
    let frequencies = drawing.frequencies();
    names.split_whitespace().map(|name| frequencies.text(block(name)).to_string()).collect()
}

#[test]
fn a_block_alone() {
    // Frequency 1, and the smallest frequency becomes 8.
    assert_eq!(texts("entry", "entry"), ["float = 1.0, int = 8"]);
}

#[test]
fn a_diamond() {
    // In reverse postorder the successor visited last comes first: `rare` takes 1/4 of 2^64-1 rounded down,
    // 2^62-1, and counts as exactly 1/4; `likely` takes the rest, 3 * 2^62. The smallest frequency becomes 8,
    // so everything is times 32.
    assert_eq!(
        texts("entry -> likely rare : 3 1; likely -> end; rare -> end; end", "entry likely rare end"),
        ["float = 1.0, int = 32", "float = 0.75, int = 24", "float = 0.25, int = 8", "float = 1.0, int = 32"]
    );
}

#[test]
fn a_loop_on_itself() {
    // 31/32 of 2^64-1 go back, rounded down to 31 * 2^59 - 1; 2^59 are left. Counted up by one, the scale is
    // 2^64 / (2^59 + 1), just below 32, and 8 times that is cut off to 255.
    assert_eq!(
        texts("entry -> loop; loop -> loop end : 31 1; end", "entry loop end"),
        ["float = 1.0, int = 8", "float = 32.0, int = 255", "float = 1.0, int = 8"]
    );
}

#[test]
fn a_nest_of_loops_multiplies() {
    // The inner loop runs 4 times for each of 2 rounds of the outer one.
    let text = "entry -> outer; outer -> inner; inner -> inner latch : 3 1; latch -> outer end; end";
    assert_eq!(
        texts(text, "outer inner latch end"),
        ["float = 2.0, int = 15", "float = 8.0, int = 63", "float = 2.0, int = 15", "float = 1.0, int = 8"]
    );
}

#[test]
fn a_loop_without_exit_repeats_4096_times() {
    assert_eq!(
        texts("entry -> loop; loop -> loop; cut_off", "entry loop cut_off"),
        ["float = 1.0, int = 8", "float = 4096.0, int = 32768", "float = 0.0, int = 0"]
    );
}

#[test]
fn an_impossible_edge_has_the_least_weight_there_is() {
    // Its weight is 1 where the other edge has 2^31, and 1 / (2^31 + 1) rounds to 2^-31. Of 2^64-1 that is
    // 2^33-1, which counts as 2^33. The factor that makes it 8 is 2^34.
    assert_eq!(
        texts("entry -> end never : 1 0; never -> end; end", "entry never"),
        ["float = 1.0, int = 17179869184", "float = 0.00000000046566, int = 8"]
    );
}

#[test]
fn a_loop_with_two_headers() {
    // Each header is entered half of the time and left half of the time; half of the mass comes back, so
    // the scale is 2 and each header runs once.
    let text = "entry -> a b; a -> b end; b -> a end; end";
    assert_eq!(
        texts(text, "a b end"),
        ["float = 1.0, int = 8", "float = 1.0, int = 8", "float = 1.0, int = 8"]
    );
    let (drawing, block) = Drawing::new(text);
    let nest = drawing.nest();
    assert_eq!(
        ["entry", "a", "b", "end"].map(|name| nest.is_irreducible_header(block(name))),
        [false, true, true, false]
    );
    let [only] = nest.loops().collect::<Vec<_>>()[..] else { panic!("one loop") };
    assert_eq!((nest.headers(only).len(), format!("{:.5}", nest.scale(only))), (2, "2.0".into()));
}

#[test]
fn headers_share_the_mass_as_it_comes_back() {
    // Even halves enter a and b. a sends 3/4 to b: 3/8. b sends 1/4 to a: 1/8. 1/2 comes back, scale 2, and
    // of the headers' mass a has 1/4 and b 3/4. That ignores that the entry enters both alike.
    assert_eq!(
        texts("entry -> a b; a -> b end : 3 1; b -> a end : 1 3; end", "a b end"),
        ["float = 0.5, int = 8", "float = 1.5, int = 24", "float = 1.0, int = 16"]
    );
}

#[test]
fn header_weights_decide_the_split_and_the_least_stands_in_for_a_missing_one() {
    // Of 6 : 3 : (3), half the mass of each goes on to the next header and half leaves: scale 2.
    let text = "entry -> a b c; a -> b end; b -> c end; c -> a end; end";
    let (mut drawing, block) = Drawing::new(text);
    drawing.header_weights = vec![(block("a"), 6), (block("b"), 3)];
    let frequencies = drawing.frequencies();
    let floats = ["a", "b", "c"].map(|name| format!("{:.5}", frequencies.scaled(block(name))));
    assert_eq!(floats, ["1.0", "0.5", "0.5"]);
}

#[test]
fn a_header_of_weight_zero_has_the_least_mass_there_is() {
    // b and c share it all, and half of that comes back: scale 2. a has the one unit that an empty mass
    // counts as, even though the other weights have to be narrowed, which would raise a weight of 0 to 1.
    let (mut drawing, block) = Drawing::new("entry -> a b c; a -> b end; b -> c end; c -> a end; end");
    drawing.header_weights = vec![(block("a"), 0), (block("b"), 1 << 40), (block("c"), 1 << 40)];
    let frequencies = drawing.frequencies();
    let floats = ["a", "b", "c"].map(|name| format!("{:.5}", frequencies.scaled(block(name))));
    assert_eq!(floats, ["1.0842E-19", "1.0", "1.0"]); // 2 / 2^64
}

#[test]
fn an_edge_from_an_entered_block_makes_no_header() {
    // In reverse postorder: entry, a, b, end, c. The edge from c to b goes back, but c is entered from
    // outside and will be solved before b anyway; b is only reached from inside.
    let (drawing, block) = Drawing::new("entry -> a c; a -> b; b -> c end; c -> a b; end");
    let nest = drawing.nest();
    assert_eq!(["a", "b", "c"].map(|name| nest.is_irreducible_header(block(name))), [true, false, true]);
}

#[test]
fn a_cycle_that_passes_no_entered_block_has_a_header_too() {
    // In reverse postorder: entry, d, c, end, a, b. a and d are entered; b and c go round without them, so c,
    // which b goes back to, is a header as well.
    let text = "entry -> d a; a -> b; d -> c; b -> c d; c -> b a end; end";
    let (drawing, block) = Drawing::new(text);
    let nest = drawing.nest();
    let headers = ["a", "b", "c", "d"].map(|name| nest.is_irreducible_header(block(name)));
    assert_eq!(headers, [true, false, true, true]);
}

#[test]
fn what_came_back_before_a_region_was_found_is_counted_once() {
    // Half of h goes back at once, before {a, b} turns out to be irreducible; a quarter comes back by `out`.
    let text = "entry -> h; h -> h r; r -> a b; a -> b out; b -> a out; out -> h end; end";
    let (drawing, block) = Drawing::new(text);
    let frequencies = drawing.frequencies();
    let floats = ["h", "r", "a", "b", "out", "end"].map(|name| frequencies.scaled(block(name)));
    assert_eq!(floats.map(|float| format!("{float:.5}")), ["4.0", "2.0", "2.0", "2.0", "2.0", "1.0"]);
}

#[test]
fn a_loop_inside_a_loop_with_two_headers_inside_a_loop() {
    // b is a header of its own natural loop, with b2 (4 rounds), and of the irreducible region {a, b, b2}
    // inside the loop of h: a package twice over. In the region, a and b's loop pass half on to each other
    // and half to the latch, so each is entered once a round of h; the latch goes back half of the time, 2
    // rounds. Which of the two comes first in reverse postorder depends on the order of h's successors.
    for first in ["h -> a b", "h -> b a"] {
        let rest = "a -> b latch; b -> b2; b2 -> b next : 3 1; next -> a latch; latch -> h end; end";
        let (drawing, block) = Drawing::new(&format!("entry -> h; {first}; {rest}"));
        let (frequencies, nest) = (drawing.frequencies(), drawing.nest());
        let floats =
            ["h", "a", "b", "b2", "next", "latch", "end"].map(|name| frequencies.scaled(block(name)));
        let floats = floats.map(|float| format!("{float:.5}"));
        assert_eq!(floats, ["2.0", "2.0", "8.0", "8.0", "2.0", "2.0", "1.0"]);
        assert!(nest.is_irreducible_header(block("b")));
        assert!(!nest.is_irreducible_header(block("h")));
    }
}

#[test]
fn the_newer_scaling_gives_the_largest_54_bits() {
    let (mut drawing, block) = Drawing::new("entry -> loop; loop -> loop; end");
    drawing.scaling = FrequencyScaling::LargestTo54Bits;
    let frequencies = drawing.frequencies();
    assert_eq!(frequencies.integer(block("loop")), 1 << 54);
    assert_eq!(frequencies.entry_integer(), 1 << 42);
}

#[test]
fn a_spread_of_more_than_61_bits_saturates_the_small_end() {
    // Six loops without exit inside each other: 2^72 against the entry's 1.
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
    let (drawing, block) = Drawing::new(&(text + "end"));
    let frequencies = drawing.frequencies();
    // 2^64 / 2^72 takes the entry far below 1, and 2^12 in the outermost loop to 2^4.
    assert_eq!((frequencies.entry_integer(), frequencies.integer(block("h0"))), (1, 16));
    assert_eq!(frequencies.integer(block("h5")), u64::MAX);
    assert_eq!(format!("{:.5}", frequencies.scaled(block("h5"))), "4.7224E+21");
    // 2^72 = 4722366482869645213696
}

#[test]
fn counts_round_to_nearest_and_saturate() {
    let (drawing, block) = Drawing::new("entry -> loop; loop -> loop; end");
    let frequencies = drawing.frequencies();
    assert_eq!(frequencies.count(block("loop"), 3), 3 * 4096);
    assert_eq!(frequencies.count(block("loop"), u64::MAX), u64::MAX);
    assert_eq!(frequencies.count(block("end"), 3), 0);
    let (drawing, block) = Drawing::new("entry -> a b; a; b");
    let frequencies = drawing.frequencies();
    assert_eq!(frequencies.count(block("a"), 1), 1); // a half rounds up
    assert_eq!(frequencies.count(block("a"), u64::MAX), 1 << 63);
}

#[test]
fn one_analysis_serves_function_after_function() {
    let drawings =
        ["entry -> a b; a -> b end; b -> a end; end", "entry", "entry -> l; l -> l end : 7 1; end"];
    let mut analysis = super::FrequencyAnalysis::default();
    for text in drawings.iter().chain(drawings.iter().rev()) {
        let (drawing, _) = Drawing::new(text);
        let again = analysis.compute(&drawing.input());
        let fresh = drawing.frequencies();
        assert!(drawing
            .graph
            .blocks()
            .all(|block| again.text(block).to_string() == fresh.text(block).to_string()));
    }
}
