//! Rounds numbers to the decimal numbers that LLVM prints.

use super::Scaled;

/// The number of decimal digits that always fit in 64 bits.
const MOST_DIGITS: usize = 19;

impl Scaled {
    /// The value that LLVM's block frequency printer prints for this number. The value has about five digits, and fewer
    /// digits for very small numbers.
    pub(crate) fn as_printed(self) -> Self {
        let text = format!("{self:.5}");
        let (mantissa, exponent) = text.split_once('E').unwrap_or((&text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = [whole, fraction].concat();
        let significant = all.trim_start_matches('0');
        let kept = &significant[..significant.len().min(MOST_DIGITS)];
        let left_out = significant.len() - kept.len();
        let exponent: i32 = exponent.parse().expect("an exponent");
        let exponent = exponent + left_out as i32 - fraction.len() as i32;
        // If the number is 0, the text has no significant digits.
        let number = Scaled::new(kept.parse().unwrap_or(0), 0);
        match exponent {
            0.. => number * power_of_ten(exponent.unsigned_abs()),
            _ => number / power_of_ten(exponent.unsigned_abs()),
        }
    }
}

fn power_of_ten(mut exponent: u32) -> Scaled {
    let (mut power, mut square) = (Scaled::ONE, Scaled::new(10, 0));
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power * square;
        }
        square = square * square;
        exponent >>= 1;
    }
    power
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Scaled;

    #[test]
    fn the_printed_value_is_parsed() {
        assert_eq!(Scaled::ZERO.as_printed(), Scaled::ZERO);
        assert_eq!(Scaled::new(3, -1).as_printed(), Scaled::new(3, -1));
        let number = Scaled::new(524_287 * 8 + 3, -3);
        assert_eq!(
            (number.to_string(), number.as_printed().to_string()),
            ("524287.375".into(), "524287.4".into())
        );
    }

    proptest! {
        #[test]
        fn the_printed_value_keeps_the_first_digits(digits in 1u64.., exponent in -16_000i16..16_000) {
            let number = Scaled::new(digits, exponent);
            let size = number.log2_rounded().expect("not 0");
            // The text of a number between 2^-64 and 2^-50 omits digits below 2^-64. The relative error of the printed
            // number is therefore larger.
            prop_assume!(!(-66..-48).contains(&size));
            let off = number.abs_difference(number.as_printed()) / number;
            prop_assert!(off < Scaled::new(1, -13), "{number} is off by {off}");
        }
    }
}
