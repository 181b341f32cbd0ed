//! Compares the decimal text of scaled numbers with a text that is computed from arbitrary-precision integers.
#![no_main]

use bpa_fuzz::numbers;

libfuzzer_sys::fuzz_target!(|input: (u64, i16, u8)| {
    let (digits, exponent, precision) = input;
    // For half of the values of `precision`, the binary exponent is limited to -129 to 129. Many numbers with such an
    // exponent are printed without a decimal exponent.
    let exponent = if precision >= 128 { exponent % 130 } else { exponent };
    numbers::check_text(numbers::scaled(digits, exponent), usize::from(precision % 17) + 1);
});
