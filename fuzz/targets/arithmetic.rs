//! Compares scaled arithmetic with arbitrary-precision integers.
#![no_main]

use bpa_fuzz::numbers;

libfuzzer_sys::fuzz_target!(|numbers: [(u64, i16); 2]| {
    let [one, other] = numbers.map(|(digits, exponent)| numbers::scaled(digits, exponent));
    numbers::check_value(one);
    numbers::check_order(one, other);
    numbers::check_sum(one, other);
    numbers::check_product(one, other);
    numbers::check_quotient(one, other);
    numbers::check_shift(one, numbers[1].1.into());
});
