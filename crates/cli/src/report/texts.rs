//! The parts of source files that the page shows.

use std::collections::HashMap;

use serde::Serialize;

use crate::source::Sources;
use bpa_schema::{Frame, Position};

/// Characters of a line that the page shows.
const MOST_CHARACTERS: usize = 1_000;
/// Characters of a line shown beside a branch.
const MOST_OF_SNIPPET: usize = 120;
/// Lines of one function.
const MOST_LINES: u32 = 100_000;

/// The texts that functions stand in, each once.
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
    /// None if the file is not there.
    lines: Option<Vec<String>>,
}

impl Texts {
    /// The number of the text of lines `first` to `last` of a file.
    pub fn number(&mut self, directory: Option<&str>, file: &str, first: u32, last: u32) -> usize {
        let key = (file.to_string(), first, last);
        if let Some(&place) = self.places.get(&key) {
            return place;
        }
        let last = last.min(first.saturating_add(MOST_LINES));
        let lines = self.sources.text(directory, file).map(|text| {
            // The brace that closes a function has mostly no instruction.
            let is_brace =
                text.line(last.saturating_add(1)).is_some_and(|line| line.trim_start().starts_with('}'));
            let last = last.saturating_add(u32::from(is_brace));
            let lines = (first..=last.min(text.line_count())).filter_map(|number| text.line(number));
            lines.map(|line| cut(line, MOST_CHARACTERS)).collect()
        });
        self.texts.push(Text { first, lines });
        self.places.insert(key, self.texts.len() - 1);
        self.texts.len() - 1
    }

    /// The line that `position` stands in.
    pub fn snippet(&self, position: &Position) -> Option<String> {
        let Frame { directory, file, line, .. } = &position.frame;
        let text = self.sources.text(directory.as_deref(), file)?;
        text.line(*line).map(|line| cut(line.trim(), MOST_OF_SNIPPET))
    }

    /// The files that were read.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    pub fn all(&self) -> &[Text] {
        &self.texts
    }
}

/// The beginning of `line`, and how much more there is.
fn cut(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{} ... {} more bytes", &line[..end], line.len() - end),
        None => line.into(),
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
    fn a_text_is_there_once_also_if_its_file_is_not() {
        let mut texts = Texts::default();
        assert_eq!(texts.number(None, "/no/such.c", 1, 9), 0);
        assert_eq!(texts.number(None, "/no/such.c", 2, 9), 1);
        assert_eq!(texts.number(None, "/no/such.c", 1, 9), 0);
        assert!(texts.all()[0].lines.is_none());
    }
}
