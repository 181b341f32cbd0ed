//! Tests the profiles of two functions. The expected results were computed manually.
//!
//! The estimated weights of blocks are: 1048575 for a block without special properties, 65535 for a cold block, 0 for a
//! trap. The weight of an edge that leaves a loop is the weight of the edge's target divided by 31: 1048575 / 31 =
//! 33825, or 65535 / 31 = 2114. A loop with an ordinary exit therefore continues with the probability 1048575 /
//! (1048575 + 33825) = 31/32.

use bpa_core::bpi::{Probability, Rule};
use bpa_core::cfg::Block;
use bpa_core::dialect::Dialect;
use bpa_core::profile::Profile;
use bpa_core::Predictor;
use cranelift_codegen::ir::Function;
use cranelift_codegen::settings::{builder, Flags};
use cranelift_codegen::verify_function;
use cranelift_profile::Listing;

/// The denominator of probabilities.
const ONE: u32 = 1 << 31;
/// The numerators of two probabilities: to stay in a loop, and to leave the loop.
const STAY: u32 = 31 << 26;
const LEAVE: u32 = 1 << 26;
/// The numerators of the probability of leaving a loop to a cold block, 2114 / (1048575 + 2114), and of its complement.
/// The exact values are 4320765.17 and 2143162882.83.
const COLD_EXIT: u32 = 4_320_765;
const NO_COLD_EXIT: u32 = 2_143_162_883;

struct Case {
    function: Function,
    profile: Profile,
}

impl Case {
    /// Reads the function `text` and verifies it with Cranelift.
    fn new(text: &str) -> Self {
        let function = cranelift_reader::parse_functions(text).expect("CLIF").remove(0);
        verify_function(&function, &Flags::new(builder())).expect("correct");
        let facts = cranelift_profile::facts(&function).expect("facts");
        let profile = Profile::new(facts, Dialect::named("23").expect("supported"));
        Case { function, profile }
    }

    /// The number of Cranelift's block `name` in layout order.
    fn block(&self, name: u32) -> Block {
        let place = self.function.layout.blocks().position(|block| block.as_u32() == name);
        Block::from_u32(place.expect("exists") as u32)
    }

    /// The successors of block `name`, each with the numerator of its probability.
    fn edges(&self, name: u32) -> Vec<(u32, u32)> {
        let names: Vec<u32> = self.function.layout.blocks().map(|block| block.as_u32()).collect();
        let block = self.block(name);
        let targets = self.profile.successors(block).iter().map(|target| names[target.as_u32() as usize]);
        targets.zip(self.profile.probabilities(block).iter().map(|edge| edge.numerator())).collect()
    }

    /// Asserts that a block has the expected number of executions per call of the function. Rounding errors are
    /// allowed, because probabilities have 31 bits.
    #[track_caller]
    fn runs(&self, name: u32, times: f64) {
        let found = self.profile.frequency(self.block(name)).to_f64();
        assert!((found / times - 1.0).abs() < 1e-6, "block{name} runs {found} times, not {times}");
    }
}

/// The function has an outer loop over rows with the header block1, and an inner loop over columns with the header
/// block3. Each loop continues with a probability of 31/32, so the header runs 1 / (1 - 31/32) = 32 times per entry.
/// The outer header runs 32 times, and the outer body runs 31 times. The inner header runs 31 * 32 = 992 times, and
/// the inner body runs 31 * 31 = 961 times.
#[test]
fn nested_loops_with_a_trap() {
    let sum = Case::new(include_str!("../clif/sum.clif"));
    assert_eq!(sum.edges(0), [(1, ONE)]);
    assert_eq!(sum.edges(1), [(2, STAY), (7, LEAVE)]);
    assert_eq!(sum.edges(3), [(4, STAY), (6, LEAVE)]);
    assert_eq!(sum.edges(4), [(5, ONE), (8, 0)]);
    let times = [(0, 1.0), (1, 32.0), (2, 31.0), (3, 992.0), (4, 961.0), (5, 961.0), (6, 31.0), (7, 1.0)];
    times.into_iter().for_each(|(name, times)| sum.runs(name, times));
}

/// The function has one loop over all bytes, with the header block1. In each iteration, the test for the end of the
/// text leaves the loop with a probability of 1/32. If the text has not ended, the test for a zero byte leaves the loop
/// with the probability `COLD_EXIT`. The trap has the probability 0, and the three states have equal probabilities. The two
/// successors of a state have equal probabilities because the byte is not compared with 0, 1 or -1, and no other rule
/// applies.
#[test]
fn a_state_machine() {
    let words = Case::new(include_str!("../clif/words.clif"));
    assert_eq!(words.edges(1), [(10, LEAVE), (2, STAY)]);
    assert_eq!(words.edges(2), [(3, NO_COLD_EXIT), (9, COLD_EXIT)]);
    let third = 715_827_883; // 2^31 / 3 = 715827882.67
    assert_eq!(words.edges(3), [(11, 0), (4, third), (5, third), (6, third)]);
    assert_eq!(words.edges(4), [(7, ONE / 2), (1, ONE / 2)]);
    assert_eq!(words.edges(5), [(1, ONE / 2), (1, ONE / 2)]);
}

/// Tests the listing that `main` prints.
#[test]
fn the_listing_has_cranelifts_names() {
    let sum = Case::new(include_str!("../clif/sum.clif"));
    let listing = Listing { function: &sum.function, profile: &sum.profile }.to_string();
    let lines: Vec<&str> = listing.lines().collect();
    assert_eq!(lines[..3], ["%sum", "  block0   1.0", "    block1   100.00%"]);
    assert_eq!(lines[8..11], ["  block3   992.0", "    block4    96.88%", "    block6     3.12%"]);
}

/// If a call that does not return precedes a trap, the weight of the block is 1, because the call is executed. The
/// weight of a block with only a trap is 0.
#[test]
fn a_call_before_a_trap_does_not_return() {
    let text = |call: &str| {
        format!(
            "function %f(i8) system_v {{
                fn0 = %abort() system_v
            block0(v0: i8):
                brif v0, block1, block2
            block1:
                {call}
                trap user1
            block2:
                return
            }}"
        )
    };
    let numerator = |text: &str| Case::new(text).edges(0)[0];
    assert_eq!(numerator(&text("nop")), (1, 0));
    assert_eq!(numerator(&text("call fn0()")), (1, 2_048)); // 1 / 1048576 of 2^31
}

/// A function without a block has no entry.
#[test]
fn a_function_without_blocks_is_an_error() {
    let function = cranelift_reader::parse_functions("function %f() system_v {}").expect("CLIF").remove(0);
    let error = cranelift_profile::facts(&function).unwrap_err();
    assert_eq!(error.to_string(), "the graph has no block, and therefore no entry");
}

/// The function returns -1 if there is an error. LLVM's rule for `v0 != 0` predicts that an error is likely. The
/// model predicts that an error is unlikely.
#[test]
fn a_trained_predictor_uses_the_statistics_of_blocks() {
    let text = "
        function %f(i32) -> i32 {
            fn0 = %complain()
        block0(v0: i32):
            v1 = icmp_imm ne v0, 0
            brif v1, block1, block2
        block1:
            call fn0()
            v2 = iconst.i32 -1
            return v2
        block2:
            v3 = iconst.i32 0
            return v3
        }";
    let function = cranelift_reader::parse_functions(text).expect("CLIF").remove(0);
    let dialect = Dialect::named("23").expect("supported");
    let entry = Block::from_u32(0);
    let error = |name| {
        let predictor = Predictor::named(name).expect("a predictor");
        let profile = cranelift_profile::profile(&function, &predictor, dialect).expect("facts");
        (profile.rule(entry), profile.edge_probability(entry, 0))
    };
    assert_eq!(error("llvm"), (Some(Rule::Constant), Probability::ratio(20, 32)));
    let (rule, probability) = error("bpa");
    assert_eq!(rule, Some(Rule::Learned));
    assert!(probability < Probability::ratio(1, 2), "{probability:?}");
}
