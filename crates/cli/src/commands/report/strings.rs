//! A table of texts. The data of the page refers to each text by its index.

use std::collections::HashMap;

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
    fn a_text_has_one_number() {
        let mut strings = Strings::default();
        assert_eq!(["a", "b", "a"].map(|text| strings.number(text)), [0, 1, 0]);
        assert_eq!(strings.into_list(), ["a", "b"]);
    }
}
