//! Formats labels, and escapes markup in labels.

use std::borrow::Cow;

use bpa_profile::bfi::Scaled;
use bpa_profile::bpi::Probability;

/// The maximum number of characters of a name in a label. The tooltip contains the whole name.
const LABEL: usize = 40;

/// Escapes `text` for use inside the quotes of a Graphviz string. Quotes, backslashes and ampersands are escaped.
/// Characters that XML cannot contain are replaced.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            '&' => escaped.push_str("&amp;"),
            control if control.is_control() => escaped.push(char::REPLACEMENT_CHARACTER),
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            plain => escaped.push(plain),
        }
    }
    escaped
}

/// Shortens a long name by omitting its middle, because the beginning and the end distinguish most names.
pub(crate) fn shortened(name: &str) -> Cow<'_, str> {
    let count = name.chars().count();
    if count <= LABEL {
        return name.into();
    }
    let half = LABEL / 2;
    let head: String = name.chars().take(half).collect();
    let tail: String = name.chars().skip(count - half + 1).collect();
    format!("{head}\u{2026}{tail}").into()
}

/// A number in a short form for labels. The tooltip contains all digits.
pub(crate) fn brief(number: Scaled) -> String {
    match number.to_f64() {
        0.0 => "0".to_string(),
        1e-3..1e6 => {
            let text = format!("{number:.3}");
            text.strip_suffix(".0").unwrap_or(&text).to_string()
        }
        far => format!("{far:.1e}"),
    }
}

/// A probability in percent with two decimal places. Values that would be rounded to 0% or 100% are printed with `<` or
/// `>`.
pub(super) fn percent(probability: Probability) -> String {
    match probability.percentage() {
        0.0 if !probability.is_zero() => "<0.01%".to_string(),
        100.0 if probability != Probability::ONE => ">99.99%".to_string(),
        rounded => format!("{rounded}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_far_from_one_are_powers_of_ten() {
        assert_eq!([1, 33, 1 << 40].map(|number| brief(Scaled::new(number, 0))), ["1", "33", "1.1e12"]);
        assert_eq!([-5, -40].map(|exponent| brief(Scaled::new(1, exponent))), ["0.0313", "9.1e-13"]);
        assert_eq!(brief(Scaled::ZERO), "0");
    }

    #[test]
    fn inexact_values_are_not_rounded_to_0_or_100_percent() {
        let texts = [0, 1, 1 << 30, Probability::DENOMINATOR - 1, Probability::DENOMINATOR]
            .map(|numerator| percent(Probability::from_numerator(numerator)));
        assert_eq!(texts, ["0%", "<0.01%", "50%", ">99.99%", "100%"]);
    }

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escaped("a \"b\" \\l &lt; \n \u{e9}"), "a \\\"b\\\" \\\\l &amp;lt; \u{fffd} \u{e9}");
    }

    #[test]
    fn long_names_keep_their_ends() {
        let exact = "x".repeat(LABEL);
        assert_eq!(shortened(&exact), exact);
        let long = format!("%{}.exit.i", "x".repeat(100));
        let short = shortened(&long);
        assert_eq!(short.chars().count(), LABEL);
        assert!(short.starts_with("%xxx") && short.contains('\u{2026}') && short.ends_with("x.exit.i"));
    }
}
