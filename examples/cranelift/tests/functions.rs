//! Three functions, and what comes out for them worked out by hand.
//!
//! What is known at first, as numbers over 2^20: a block of which nothing is known weighs 1048575, a cold one 65535,
//! a trap 0, and an edge out of a loop a 31st of that, 33825 and 2114. So a loop whose exit is like any other goes
//! round with 1048575 / (1048575 + 33825) = 31/32.

use bpa_core::bpi::{Probability, Rule};
use bpa_core::cfg::Block;
use bpa_core::dialect::Dialect;
use bpa_core::profile::Profile;
use bpa_core::Predictor;
use cranelift_codegen::ir::Function;
use cranelift_codegen::settings::{builder, Flags};
use cranelift_codegen::verify_function;
use cranelift_profile::Listing;

/// 2^31, over which probabilities stand.
const ONE: u32 = 1 << 31;
/// Turning rather than leaving, and leaving.
const TURN: u32 = 31 << 26;
const LEAVE: u32 = 1 << 26;
/// Leaving a loop into a cold block, rather than staying: 2114 / (1048575 + 2114).
const COLD: f64 = 2_114.0 / 1_050_689.0;
/// The same over 2^31: 4320765.17, and what is left, 2143162882.83.
const COLD_EXIT: u32 = 4_320_765;
const NO_COLD_EXIT: u32 = 2_143_162_883;

struct Case {
    function: Function,
    profile: Profile,
}

impl Case {
    /// The function of `text`, which Cranelift takes as correct.
    fn new(text: &str) -> Self {
        let function = cranelift_reader::parse_functions(text).expect("CLIF").remove(0);
        verify_function(&function, &Flags::new(builder())).expect("correct");
        let facts = cranelift_profile::facts(&function).expect("facts");
        let profile = Profile::new(facts, Dialect::named("23").expect("supported"));
        Case { function, profile }
    }

    /// The place in layout order of Cranelift's block number `name`.
    fn block(&self, name: u32) -> Block {
        let place = self.function.layout.blocks().position(|block| block.as_u32() == name);
        Block::from_u32(place.expect("exists") as u32)
    }

    /// Where block `name` goes, with numerators.
    fn edges(&self, name: u32) -> Vec<(u32, u32)> {
        let names: Vec<u32> = self.function.layout.blocks().map(|block| block.as_u32()).collect();
        let block = self.block(name);
        let targets = self.profile.successors(block).iter().map(|target| names[target.as_u32() as usize]);
        targets.zip(self.profile.probabilities(block).iter().map(|edge| edge.numerator())).collect()
    }

    /// Block `name` runs `times` for each call, but for what rounding to 31 bits does to it.
    #[track_caller]
    fn runs(&self, name: u32, times: f64) {
        let found = self.profile.frequency(self.block(name)).to_f64();
        assert!((found / times - 1.0).abs() < 1e-6, "block{name} runs {found} times, not {times}");
    }
}

/// Loops over rows (block1) and, inside, over columns (block3). Each turns 31 times in 32 and so 32 times: an outer
/// header runs 32 times, its body 31, and an inner header 31 * 32 = 992 times, its body 31 * 31 = 961.
#[test]
fn nested_loops_with_a_trap() {
    let sum = Case::new(include_str!("../clif/sum.clif"));
    assert_eq!(sum.edges(0), [(1, ONE)]);
    assert_eq!(sum.edges(1), [(2, TURN), (7, LEAVE)]);
    assert_eq!(sum.edges(3), [(4, TURN), (6, LEAVE)]);
    assert_eq!(sum.edges(4), [(5, ONE), (8, 0)]);
    let times = [(0, 1.0), (1, 32.0), (2, 31.0), (3, 992.0), (4, 961.0), (5, 961.0), (6, 31.0), (7, 1.0)];
    times.into_iter().for_each(|(name, times)| sum.runs(name, times));
}

/// Even an edge of probability 0 gets one unit of 2^31, so of the inner loop's mass, of which 1/32 goes to block6,
/// 31/32 * 2^-31 goes to the trap. Seen from the outer loop these are shares of 2^30 and 15.5, the latter rounded to
/// 16; the inner loop is entered 31 times, and 31 * 16 / 2^30 is 4.6194 * 10^-7.
#[test]
fn a_trap_hardly_ever_runs() {
    let sum = Case::new(include_str!("../clif/sum.clif"));
    assert_eq!(sum.profile.frequency(sum.block(8)).to_string(), "0.00000046194");
    let words = Case::new(include_str!("../clif/words.clif"));
    assert!(words.profile.frequency(words.block(11)).to_f64() < 1e-7);
}

/// One loop over all bytes, with header block1. It is left at the end of the text, 1 time in 32, and of the other 31 as
/// often as a byte is zero; the trap takes nothing from it. What stays is shared by three states alike, and each by its
/// two ways: no rule applies to comparing a byte with a number that is neither 0, 1 nor -1.
#[test]
fn a_state_machine() {
    let words = Case::new(include_str!("../clif/words.clif"));
    assert_eq!(words.edges(1), [(10, LEAVE), (2, TURN)]);
    assert_eq!(words.edges(2), [(3, NO_COLD_EXIT), (9, COLD_EXIT)]);
    let third = 715_827_883; // 2^31 / 3 = 715827882.67
    assert_eq!(words.edges(3), [(11, 0), (4, third), (5, third), (6, third)]);
    assert_eq!(words.edges(4), [(7, ONE / 2), (1, ONE / 2)]);
    assert_eq!(words.edges(5), [(1, ONE / 2), (1, ONE / 2)]);

    let turns = 1.0 / (1.0 / 32.0 + 31.0 / 32.0 * COLD); // 30.121
    let bytes = turns * 31.0 / 32.0;
    let state = bytes * (1.0 - COLD) / 3.0;
    words.runs(1, turns);
    words.runs(2, bytes);
    words.runs(3, bytes * (1.0 - COLD));
    (4..=6).for_each(|name| words.runs(name, state));
    words.runs(7, state / 2.0);
    words.runs(8, state / 4.0);
    words.runs(9, bytes * COLD);
    words.runs(10, turns / 32.0);
}

/// block1, block2 and block3 are a cycle with two headers, block1 and block2, which nothing is known of: LLVM lets
/// both begin with half of the mass. Of that, a share of `COLD` leaves to block5 from either, the rest of block1's
/// comes back to block2, the rest of block2's goes to block3, and of that 31/32 come back to block1. So what comes
/// back to the headers is as 31 to 32, and that is how LLVM shares out the whole then; block3 keeps what it has got
/// from one half.
#[test]
fn a_loop_entered_at_two_places() {
    let send = Case::new(include_str!("../clif/send.clif"));
    assert_eq!(send.edges(0), [(2, ONE / 2), (1, ONE / 2)]);
    assert_eq!(send.edges(1), [(5, COLD_EXIT), (2, NO_COLD_EXIT)]);
    assert_eq!(send.edges(2), [(5, COLD_EXIT), (3, NO_COLD_EXIT)]);
    assert_eq!(send.edges(3), [(1, TURN), (4, LEAVE)]);

    let stays = 1.0 - COLD;
    let leaves = COLD + stays / 64.0; // from both headers, and 1/32 of block3's half
    let turns = 1.0 / leaves;
    send.runs(1, 31.0 / 63.0 * turns);
    send.runs(2, 32.0 / 63.0 * turns);
    send.runs(3, stays / 2.0 * turns);
    send.runs(4, stays / 64.0 * turns);
    send.runs(5, COLD * turns);
}

/// As `main` prints it.
#[test]
fn the_listing_has_cranelifts_names() {
    let sum = Case::new(include_str!("../clif/sum.clif"));
    let listing = Listing { function: &sum.function, profile: &sum.profile }.to_string();
    let lines: Vec<&str> = listing.lines().collect();
    assert_eq!(lines[..3], ["%sum", "  block0   1.0", "    block1   100.00%"]);
    assert_eq!(lines[8..11], ["  block3   992.0", "    block4    96.88%", "    block6     3.12%"]);
}

/// What is said of one block: a call just before a trap does not come back, and such a path does run, once. So it
/// weighs 1, and a trap alone weighs nothing.
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

/// Without a block there is nothing to begin with.
#[test]
fn a_function_without_blocks_is_none() {
    let function = cranelift_reader::parse_functions("function %f() system_v {}").expect("CLIF").remove(0);
    let error = cranelift_profile::facts(&function).unwrap_err();
    assert_eq!(error.to_string(), "there is no block, not even an entry");
}

/// A function that returns -1 for an error. LLVM's rule for `v0 != 0` makes the error likely; the model knows better.
#[test]
fn a_learned_predictor_uses_what_blocks_do() {
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
    assert!(probability < Probability::ratio(1, 4), "{probability:?}");
}
