//! Formats probabilities and numbers.

use bpa_schema::WHOLE;

/// Formats the probability `numerator` / 2^31 in percent: `94%`, `3.1%`, `<0.1%`. The result is 0% or 100% only if the
/// probability is exactly 0 or 1.
pub fn percent(numerator: u32) -> String {
    share(f64::from(numerator) / f64::from(WHOLE))
}

/// Formats a probability from 0 to 1 in percent.
pub fn share(part: f64) -> String {
    let percent = part * 100.0;
    match percent {
        _ if part <= 0.0 => "0%".to_string(),
        _ if part >= 1.0 => "100%".to_string(),
        _ if percent < 0.1 => "<0.1%".to_string(),
        _ if percent > 99.9 => ">99.9%".to_string(),
        _ => {
            let text = format!("{percent:.1}");
            format!("{}%", text.strip_suffix(".0").unwrap_or(&text))
        }
    }
}

/// Formats a number of executions: `0.059`, `1`, `16.3`, `1,234`.
pub fn times(number: f64) -> String {
    match number {
        _ if number >= 1e15 => format!("{number:.3e}"),
        _ if number >= 100.0 => grouped(format!("{number:.0}")),
        _ if number >= 0.001 || number == 0.0 => {
            let digits = if number >= 10.0 {
                1
            } else if number >= 1.0 {
                2
            } else {
                3
            };
            let text = format!("{number:.digits$}");
            let text =
                if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
            text.to_string()
        }
        _ => format!("{number:.1e}"),
    }
}

/// Formats a number of executions in words: `once`, `16.3 times`.
pub fn often(number: f64) -> String {
    match times(number).as_str() {
        "1" => "once".to_string(),
        times => format!("{times} times"),
    }
}

/// Formats a number with a noun: `1 place`, `2,000 branches`.
pub fn plural(count: impl ToString, thing: &str) -> String {
    let count = count.to_string();
    let ending = match &*count {
        "1" => "",
        _ if thing.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{} {thing}{ending}", grouped(count))
}

/// Formats a count: `12,345`, or `~12,345` if the count is approximate.
pub fn count(count: impl ToString, is_approximate: bool) -> String {
    let prefix = if is_approximate { "~" } else { "" };
    format!("{prefix}{}", grouped(count))
}

/// Formats a natural number with digits in groups of three: `12,345`.
pub fn grouped(number: impl ToString) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_certain_shares_are_0_or_100_percent() {
        let texts = [0, 1, WHOLE / 16, WHOLE / 32, WHOLE / 2, WHOLE - 1, WHOLE].map(percent);
        assert_eq!(texts, ["0%", "<0.1%", "6.2%", "3.1%", "50%", ">99.9%", "100%"]);
    }

    #[test]
    fn times_have_about_three_digits() {
        let texts = [0.0, 1.0, 0.0588, 1.107, 16.254, 1234.4, 1e-5, 2e15].map(times);
        assert_eq!(texts, ["0", "1", "0.059", "1.11", "16.3", "1,234", "1.0e-5", "2.000e15"]);
        assert_eq!([1.0, 2.0].map(often), ["once", "2 times"]);
    }

    #[test]
    fn numbers_have_their_nouns() {
        assert_eq!(plural(1, "branch"), "1 branch");
        assert_eq!(plural(1234, "branch"), "1,234 branches");
        assert_eq!(plural(2, "function"), "2 functions");
        assert_eq!(grouped(12_636), "12,636");
    }
}
