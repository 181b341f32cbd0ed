//! Writes the lines in which two reports about one function differ.

/// Appends the first line of the reports, and then the lines in which the reports differ. The first line contains the
/// name of the function. If the reports are equal, nothing is appended. Lines of `one` have the prefix `-`. Lines of
/// `other` have the prefix `+`.
///
/// Both reports must have the same number of lines.
pub fn write_difference(one: &[u8], other: &[u8], out: &mut Vec<u8>) {
    if one == other {
        return;
    }
    let lines = |text| <[u8]>::split_inclusive(text, |&byte| byte == b'\n');
    out.extend(lines(one).next().unwrap_or_default());
    for (mine, theirs) in lines(one).zip(lines(other)) {
        if mine != theirs {
            for (sign, line) in [(b'-', mine), (b'+', theirs)] {
                out.push(sign);
                out.extend_from_slice(line);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(one: &str, other: &str) -> String {
        let mut out = Vec::new();
        write_difference(one.as_bytes(), other.as_bytes(), &mut out);
        String::from_utf8(out).expect("made of strings")
    }

    #[test]
    fn equal_reports_have_no_difference() {
        assert_eq!(difference("f:\n  a\n", "f:\n  a\n"), "");
    }

    #[test]
    fn differing_lines_come_in_pairs_below_the_first_line() {
        assert_eq!(difference("f:\n  a\n  b\n  c\n", "f:\n  a\n  B\n  c\n"), "f:\n-  b\n+  B\n");
    }
}
