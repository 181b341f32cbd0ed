//! Property tests: scaled arithmetic and decimal text equal results of arbitrary-precision integers.

use num_bigint::BigUint;
use proptest::prelude::*;

use super::Scaled;
use crate::cfg::test_support::config;

/// Any number. Many tests need exponents near each other, trailing zeros, or few digits.
fn numbers() -> impl Strategy<Value = Scaled> {
    let digits = prop_oneof![any::<u64>(), 0..1000u64, (0..64u32).prop_map(|bit| 1 << bit), Just(u64::MAX)];
    let shifted = (digits, 0..64u32).prop_map(|(digits, down)| digits >> down);
    let exponents = prop_oneof![-16382..16384i16, -200..200i16, -70..10i16];
    (shifted, exponents).prop_map(|(digits, exponent)| Scaled::new(digits, exponent))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20 * config().cases, ..config() })]

    #[test]
    fn arithmetic_is_exact_arithmetic_rounded_once(one in numbers(), other in numbers(), power: i16) {
        check_value(one);
        check_order(one, other);
        check_sum(one, other);
        check_product(one, other);
        check_quotient(one, other);
        check_shift(one, power.into());
    }

    #[test]
    fn texts_are_those_of_exact_numbers(number in numbers(), precision in 1..18usize) {
        check_text(number, precision);
    }
}

/// Asserts that `number` is the scaled form of `digits` x 2^`exponent`. If the exponent is below
/// [`Scaled::MIN_EXPONENT`], low bits of `digits` are dropped until the exponent is large enough.
fn assert_form(number: Scaled, mut digits: u64, mut exponent: i32) {
    while digits > 0 && exponent > Scaled::MAX_EXPONENT.into() {
        if digits >> 63 == 1 {
            (digits, exponent) = (u64::MAX, Scaled::MAX_EXPONENT.into());
        } else {
            (digits, exponent) = (digits << 1, exponent - 1);
        }
    }
    while digits > 0 && exponent < Scaled::MIN_EXPONENT.into() {
        (digits, exponent) = (digits >> 1, exponent + 1);
    }
    assert_eq!(number.digits(), digits);
    if digits > 0 {
        assert_eq!(i32::from(number.exponent()), exponent);
    }
}

/// `number` / 2^`exponent` as an integer, rounded down.
fn whole(number: Scaled, exponent: i32) -> BigUint {
    let up = i32::from(number.exponent()) - exponent;
    let digits = BigUint::from(number.digits());
    if up < 0 {
        digits >> -up
    } else {
        digits << up
    }
}

/// Checks the integer part, the rounded logarithm and the inverse of `number`.
fn check_value(number: Scaled) {
    let integer = whole(number, 0);
    assert_eq!(BigUint::from(number.to_u64()), integer.min(u64::MAX.into()));
    let bits = BigUint::from(number.digits()).bits() as i32;
    let second = bits > 1 && number.digits() >> (bits - 2) & 1 == 1;
    let logarithm = i32::from(number.exponent()) + bits - 1 + i32::from(second);
    assert_eq!(number.log2_rounded(), (bits > 0).then_some(logarithm));
    assert_eq!(number.inverse(), Scaled::ONE / number);
}

/// Checks that the order of scaled numbers is the order of their values.
fn check_order(one: Scaled, other: Scaled) {
    let least = i32::from(one.exponent().min(other.exponent()));
    let expected = whole(one, least).cmp(&whole(other, least));
    assert_eq!(one.cmp(&other), expected);
    assert_eq!(one == other, expected.is_eq());
}

/// Checks that a sum is the exact sum, rounded to 64 binary digits. Halves are rounded up.
fn check_sum(one: Scaled, other: Scaled) {
    let least = i32::from(one.exponent().min(other.exponent()));
    let exact = whole(one, least) + whole(other, least);
    let excess = exact.bits().saturating_sub(64);
    let rounded: BigUint = ((exact << 1 >> excess) + 1u32) >> 1;
    let most = whole(Scaled::LARGEST, least);
    assert_eq!(whole(one + other, least), (rounded << excess).min(most));
}

/// Checks that `one * other` equals the exact product, rounded to 64 binary digits. Halves are rounded up.
fn check_product(one: Scaled, other: Scaled) {
    let exact = BigUint::from(one.digits()) * other.digits();
    let exponent = i32::from(one.exponent()) + i32::from(other.exponent());
    assert_rounded(one * other, &exact, &BigUint::from(1u32), exponent);
}

/// Checks that `one / other` equals the exact quotient, rounded to 64 binary digits. Halves are rounded up. If the
/// division has no remainder, the quotient is exact.
fn check_quotient(one: Scaled, other: Scaled) {
    let quotient = one / other;
    if one.is_zero() || other.is_zero() {
        let expected = if one.is_zero() { Scaled::ZERO } else { Scaled::LARGEST };
        assert_form(quotient, expected.digits(), expected.exponent().into());
        return;
    }
    let twos = other.digits().trailing_zeros();
    let odd = other.digits() >> twos;
    let exponent = i32::from(one.exponent()) - i32::from(other.exponent()) - twos as i32;
    if odd == 1 {
        assert_form(quotient, one.digits(), exponent);
    } else if one.digits() % odd == 0 {
        let zeros = one.digits().leading_zeros();
        assert_form(quotient, (one.digits() << zeros) / odd, exponent - zeros as i32);
    } else {
        assert_rounded(quotient, &(BigUint::from(one.digits()) << 128), &odd.into(), exponent - 128);
    }
}

/// Asserts that `number` is `dividend` / `divisor` x 2^`exponent`, rounded to 64 binary digits.
fn assert_rounded(number: Scaled, dividend: &BigUint, divisor: &BigUint, exponent: i32) {
    let excess = (dividend / divisor).bits().saturating_sub(64);
    let divisor = divisor << excess;
    let (digits, rest) = (dividend / &divisor, dividend % &divisor);
    let rounded = if rest * 2u32 >= divisor { digits + 1u32 } else { digits };
    let exponent = exponent + excess as i32;
    match u64::try_from(&rounded) {
        Ok(digits) => assert_form(number, digits, exponent),
        Err(_) => assert_form(number, 1 << 63, exponent + 1),
    }
}

/// Checks the multiplication by 2^`power`.
fn check_shift(number: Scaled, power: i32) {
    assert_form(number.shifted(power), number.digits(), i32::from(number.exponent()) + power);
}

/// Checks that the text of `number` with `precision` significant digits is equal to LLVM's text.
fn check_text(number: Scaled, precision: usize) {
    let text = format!("{number:.precision$}");
    let exponent = i32::from(number.exponent());
    let above = i32::from(Scaled::MAX_EXPONENT) - 63 + number.digits().leading_zeros() as i32;
    let (least, most) = (whole(number, -64), whole(number, 0));
    let is_near_one = least > BigUint::ZERO && most <= u64::MAX.into() && exponent > -120;
    if number.is_zero() {
        assert_eq!(text, "0.0");
    } else if is_near_one {
        check_positional(number, precision, &text);
    } else if exponent > above {
        // The number is too large for 80-bit floating point, so LLVM's text is not correct.
        assert!(text.contains('E'));
    } else {
        assert_eq!(text, scientific(number, precision));
    }
}

/// Checks a decimal text without an exponent. The text is the rounded number, with halves rounded up. Digits whose
/// place value is below about 2^-64 can be missing.
fn check_positional(number: Scaled, precision: usize, text: &str) {
    // The number times 2^128 is an integer.
    const POINT: i32 = 128;
    let exact = whole(number, -POINT);
    let times_ten_to = |places: u32| &exact * BigUint::from(10u32).pow(places);
    let integer = &exact >> POINT;
    let places = if integer > BigUint::ZERO {
        precision.saturating_sub(integer.to_string().len())
    } else {
        let zeros = (0..)
            .find(|&zeros| times_ten_to(zeros + 1) >> POINT > BigUint::ZERO)
            .expect("the number is not zero");
        zeros as usize + precision
    };
    let places = places.max(1) as u32;
    let rounded = (times_ten_to(places) + (BigUint::from(1u32) << (POINT - 1))) >> POINT;
    if text == positional(&rounded, places as usize) {
        return;
    }
    let (before, behind) = text.split_once('.').expect("the text has a decimal point");
    assert!(behind.len() < places as usize && !behind[1..].ends_with('0'), "{text}");
    let shown: BigUint = format!("{before}{behind}").parse().expect("digits");
    let (shown, exact) = (shown << POINT, times_ten_to(behind.len() as u32));
    assert!(shown <= exact, "{text} is greater than the exact number");
    let error = (exact - shown) / BigUint::from(10u32).pow(behind.len() as u32);
    assert!(error >> (POINT - 63) == BigUint::ZERO, "{text} is too small by 2^-63 or more");
}

/// The text of `number` / 10^`places`. Trailing zeros are removed. The first digit after the point is kept, even if it
/// is zero.
fn positional(number: &BigUint, places: usize) -> String {
    let digits = format!("{number:0>width$}", width = places + 1);
    let (before, behind) = digits.split_at(digits.len() - places);
    let behind = behind.trim_end_matches('0');
    format!("{before}.{}", if behind.is_empty() { "0" } else { behind })
}

/// The text of the number with `precision` digits, with halves rounded up. Before LLVM rounds, it removes decimal
/// digits that are not needed for this precision. To compute how many digits to remove, LLVM uses 196 / 59 as the
/// binary logarithm of ten.
fn scientific(number: Scaled, precision: usize) -> String {
    let twos = number.digits().trailing_zeros();
    let odd_part = BigUint::from(number.digits() >> twos);
    let binary = i32::from(number.exponent()) + twos as i32;
    let (mut digits, mut exponent) = match binary {
        0.. => (odd_part << binary, 0),
        _ => (odd_part * BigUint::from(5u32).pow(binary.unsigned_abs()), binary),
    };
    let needed = (precision as u64 * 196).div_ceil(59);
    let dropped = (digits.bits().saturating_sub(needed) * 59 / 196) as u32;
    digits /= BigUint::from(10u32).pow(dropped);
    exponent += dropped as i32;
    let excess = digits.to_string().len().saturating_sub(precision) as u32;
    let unit = BigUint::from(10u32).pow(excess);
    digits = if excess > 0 { (digits + (&unit >> 1)) / unit } else { digits };
    exponent += excess as i32;
    let digits = digits.to_string();
    exponent += digits.len() as i32 - 1;
    format!("{}E{exponent:+}", positional(&digits.parse().expect("digits"), digits.len() - 1))
}
