//! Tests that conditions of `brif` are read correctly: the condition determines the probability of the first successor.
//!
//! The rules predict the odds 12 : 20 for a zero or negative value, and the odds 1 : 2^20 - 1 for a NaN.

use bpa_core::cfg::Block;
use bpa_core::dialect::Dialect;
use bpa_core::profile::Profile;

const HALF: u32 = 1 << 30;
const LIKELY: u32 = 5 << 28; // 20/32
const UNLIKELY: u32 = 3 << 28; // 12/32
const NEVER: u32 = 1 << 11; // 1/2^20
const ALWAYS: u32 = (1 << 31) - NEVER;

/// The numerator of the probability of the first edge of a branch on `v9`. The `instructions` compute `v9` from
/// parameters of the types i32, i64, f64, f64 and i8.
fn taken(instructions: &str) -> u32 {
    let text = format!(
        "function %f(i32, i64, f64, f64, i8) system_v {{
        block0(v0: i32, v1: i64, v2: f64, v3: f64, v4: i8):
            {}
            brif v9, block1, block2
        block1:
            return
        block2:
            return
        }}",
        instructions.replace(';', "\n")
    );
    let function = &cranelift_reader::parse_functions(&text).expect("CLIF")[0];
    let facts = cranelift_profile::facts(function).expect("facts");
    let profile = Profile::new(facts, Dialect::named("23").expect("supported"));
    profile.edge_probability(Block::from_u32(0), 0).numerator()
}

#[test]
fn integers_are_rarely_zero_or_negative() {
    assert_eq!(taken("v9 = icmp_imm eq v0, 0"), UNLIKELY);
    assert_eq!(taken("v9 = icmp_imm ne v0, 0"), LIKELY);
    assert_eq!(taken("v9 = icmp_imm slt v1, 0"), UNLIKELY);
    assert_eq!(taken("v9 = icmp_imm sgt v1, 0"), LIKELY);
    assert_eq!(taken("v9 = icmp_imm eq v1, 7"), HALF);
    assert_eq!(taken("v9 = icmp_imm slt v1, 7"), HALF);
    assert_eq!(taken("v9 = icmp slt v1, v1"), HALF);
}

/// For example, `x >= 0` becomes `x > -1`.
#[test]
fn or_equal_moves_the_constant() {
    assert_eq!(taken("v9 = icmp_imm sge v0, 0"), LIKELY);
    assert_eq!(taken("v9 = icmp_imm sge v0, 1"), LIKELY); // x > 0
    assert_eq!(taken("v9 = icmp_imm sle v0, 0"), UNLIKELY); // x < 1
    assert_eq!(taken("v9 = icmp_imm sle v0, -1"), UNLIKELY); // x < 0
    assert_eq!(taken("v9 = icmp_imm sle v0, 1"), HALF); // x < 2
    assert_eq!(taken("v9 = icmp_imm sle v1, 0x7fff_ffff_ffff_ffff"), HALF);
    assert_eq!(taken("v9 = icmp_imm sge v1, 0x8000_0000_0000_0000"), HALF);
}

/// The only unsigned number below 1 is 0.
#[test]
fn unsigned_comparisons_with_the_least_numbers_are_equalities() {
    assert_eq!(taken("v9 = icmp_imm ult v0, 1"), UNLIKELY);
    assert_eq!(taken("v9 = icmp_imm ule v0, 0"), UNLIKELY);
    assert_eq!(taken("v9 = icmp_imm ugt v0, 0"), LIKELY);
    assert_eq!(taken("v9 = icmp_imm uge v0, 1"), LIKELY);
    assert_eq!(taken("v9 = icmp_imm ugt v0, 1"), HALF);
}

/// LLVM replaces a test of the sign bit by `x > -1` or `x < 0`.
#[test]
fn tests_of_the_sign_bit_are_comparisons_with_zero() {
    assert_eq!(taken("v8 = band_imm v0, 0x8000_0000; v9 = icmp_imm eq v8, 0"), LIKELY);
    assert_eq!(taken("v8 = band_imm v0, 0x8000_0000; v9 = icmp_imm ne v8, 0"), UNLIKELY);
    assert_eq!(taken("v8 = band_imm v4, 128; v9 = icmp_imm eq v8, 0"), LIKELY);
    assert_eq!(taken("v9 = icmp_imm ult v0, 0x8000_0000"), LIKELY);
    assert_eq!(taken("v9 = icmp_imm ugt v0, 0x7fff_ffff"), UNLIKELY);
    assert_eq!(taken("v9 = icmp_imm ult v1, 0x8000_0000"), HALF);
}

#[test]
fn constants_may_be_either_operand_and_have_a_width() {
    assert_eq!(taken("v8 = iconst.i32 0; v9 = icmp sgt v0, v8"), LIKELY);
    assert_eq!(taken("v8 = iconst.i32 0; v9 = icmp sgt v8, v0"), UNLIKELY); // x < 0
    assert_eq!(taken("v8 = iconst.i32 0xffff_ffff; v9 = icmp eq v0, v8"), UNLIKELY); // -1
    assert_eq!(taken("v8 = iconst.i64 0xffff_ffff; v9 = icmp eq v1, v8"), HALF);
}

/// If the tested value is wider than a boolean, the condition compares the value with 0. A boolean is not compared with
/// 0.
#[test]
fn a_number_is_compared_with_zero() {
    assert_eq!(taken("v9 = iadd v0, v0"), LIKELY);
    assert_eq!(taken("v9 = bnot v4"), HALF);
}

#[test]
fn a_single_bit_gives_no_prediction() {
    assert_eq!(taken("v8 = band_imm v0, 4; v9 = icmp_imm eq v8, 0"), HALF);
    assert_eq!(taken("v7 = iconst.i32 8; v8 = band v0, v7; v9 = icmp_imm eq v8, 0"), HALF);
    assert_eq!(taken("v9 = band_imm v1, 1"), HALF);
    assert_eq!(taken("v8 = band_imm v0, 6; v9 = icmp_imm eq v8, 0"), UNLIKELY);
}

#[test]
fn floating_point_numbers_are_rarely_nan() {
    assert_eq!(taken("v9 = fcmp ord v2, v3"), ALWAYS);
    assert_eq!(taken("v9 = fcmp uno v2, v3"), NEVER);
    assert_eq!(taken("v9 = fcmp lt v2, v3"), HALF);
}

/// LLVM predicts `oeq`, `one` and `une` as likely, and `ueq` as unlikely.
#[test]
fn equality_of_floating_point_numbers_is_predicted_like_llvm() {
    let of = |cond: &str| taken(&format!("v9 = fcmp {cond} v2, v3"));
    assert_eq!(["eq", "ne", "one", "ueq"].map(of), [LIKELY, LIKELY, LIKELY, UNLIKELY]);
}
