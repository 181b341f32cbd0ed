//! The texts on the page: numbers, names and source texts.

use std::collections::HashMap;

use serde::Serialize;

use crate::study::source::Sources;
use bpa_schema::{Frame, Position, WHOLE};

/// The maximum number of characters of a line in a function's source text.
const MOST_CHARACTERS: usize = 1_000;
/// A list of branches shows at most this number of characters of a source line.
const MOST_OF_SNIPPET: usize = 120;
/// The maximum number of source lines of a function.
const MOST_LINES: u32 = 100_000;

/// The source texts of functions. Each text is stored once.
#[derive(Default)]
pub struct Texts {
    sources: Sources,
    texts: Vec<Text>,
    places: HashMap<(String, u32, u32), usize>,
}

/// Consecutive lines of a file.
#[derive(Serialize)]
pub struct Text {
    first: u32,
    /// The source lines. `None` if the file cannot be read.
    lines: Option<Vec<String>>,
}

impl Texts {
    /// The index of the text that contains the lines `first` to `last` of a file.
    pub fn number(&mut self, directory: Option<&str>, file: &str, first: u32, last: u32) -> usize {
        let key = (file.to_string(), first, last);
        if let Some(&place) = self.places.get(&key) {
            return place;
        }
        let last = last.min(first.saturating_add(MOST_LINES));
        let lines = self.sources.text(directory, file).map(|text| {
            // The closing brace of a function usually has no instruction. If the next line begins with a closing brace,
            // that line is included.
            let is_brace =
                text.line(last.saturating_add(1)).is_some_and(|line| line.trim_start().starts_with('}'));
            let last = last.saturating_add(u32::from(is_brace));
            let lines = (first..=last.min(text.line_count())).filter_map(|number| text.line(number));
            lines.map(|line| cut(&line, MOST_CHARACTERS)).collect()
        });
        self.texts.push(Text { first, lines });
        self.places.insert(key, self.texts.len() - 1);
        self.texts.len() - 1
    }

    /// The source line at `position`.
    pub fn snippet(&self, position: &Position) -> Option<String> {
        let Frame { directory, file, line, .. } = &position.frame;
        let text = self.sources.text(directory.as_deref(), file)?;
        text.line(*line).map(|line| cut(line.trim(), MOST_OF_SNIPPET))
    }

    /// The cache of source files.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    pub fn all(&self) -> &[Text] {
        &self.texts
    }
}

/// The beginning of `line`, and the number of omitted bytes.
fn cut(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{} ... {} more bytes", &line[..end], line.len() - end),
        None => line.into(),
    }
}

/// Rounds to five significant digits. Infinity becomes 0 because JSON has no infinity. A number below 1 is never
/// rounded to 1, but at most to 0.99999, because the page prints only the probability 1 as 100%.
pub fn rounded(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return 0.0;
    }
    let rounded = format!("{number:.4e}").parse().unwrap_or(number);
    if number < 1.0 && rounded >= 1.0 {
        return 0.99999;
    }
    rounded
}

/// `numerator` / 2^31, rounded.
pub fn part(numerator: u32) -> f64 {
    rounded(f64::from(numerator) / f64::from(WHOLE))
}

/// A list of texts. Equal texts have the same index.
#[derive(Default)]
pub struct Strings {
    numbers: HashMap<String, usize>,
    list: Vec<String>,
}

/// The paths of files.
pub type Paths = Strings;

impl Strings {
    pub fn number(&mut self, text: &str) -> usize {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        self.numbers.insert(text.into(), self.list.len());
        self.list.push(text.into());
        self.list.len() - 1
    }

    pub fn into_list(self) -> Vec<String> {
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("\u{e9}\u{e9}\u{e9}\u{e9}", 3), "\u{e9}\u{e9}\u{e9} ... 2 more bytes");
        assert!(cut(&"x".repeat(1_000_000), MOST_CHARACTERS).len() < 1_100);
    }

    #[test]
    fn a_text_without_a_file_is_stored_once() {
        let mut texts = Texts::default();
        assert_eq!(texts.number(None, "/no/such.c", 1, 9), 0);
        assert_eq!(texts.number(None, "/no/such.c", 2, 9), 1);
        assert_eq!(texts.number(None, "/no/such.c", 1, 9), 0);
        assert!(texts.all()[0].lines.is_none());
    }

    #[test]
    fn numbers_keep_five_digits() {
        assert_eq!(rounded(1.0 / 3.0), 0.33333);
        assert_eq!([0.0, f64::INFINITY, 1e300].map(rounded), [0.0, 0.0, 1e300]);
        assert_eq!(part(WHOLE / 4), 0.25);
        assert_eq!([part(WHOLE - 1), part(WHOLE)], [0.99999, 1.0]);
    }

    #[test]
    fn a_text_has_one_number() {
        let mut strings = Strings::default();
        assert_eq!(["a", "b", "a"].map(|text| strings.number(text)), [0, 1, 0]);
        assert_eq!(strings.into_list(), ["a", "b"]);
    }
}
