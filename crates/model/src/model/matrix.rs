//! Features of many branches.

/// Rows of integers that a model is asked with, each as long as the others.
#[derive(Clone, Debug, Default)]
pub struct FeatureMatrix {
    width: usize,
    values: Vec<i32>,
}

impl FeatureMatrix {
    /// No rows as yet, each `width` long, and memory for `count` of them.
    ///
    /// # Panics
    ///
    /// If the width is 0.
    pub fn new(width: usize, count: usize) -> Self {
        assert!(width > 0, "a row has a width");
        FeatureMatrix { width, values: Vec::with_capacity(width * count) }
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// If the parts together are not as long as a row is.
    pub fn push(&mut self, parts: &[&[i32]]) {
        let end = self.values.len() + self.width;
        parts.iter().for_each(|part| self.values.extend_from_slice(part));
        assert_eq!(self.values.len(), end, "the length of a row");
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len().checked_div(self.width).unwrap_or(0)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// A row, by its place.
    ///
    /// # Panics
    ///
    /// If there are not so many.
    pub fn row(&self, place: usize) -> &[i32] {
        &self.values[place * self.width..][..self.width]
    }

    /// The rows, up to `most` at a time, each time as one list of integers; and how long each is.
    pub(crate) fn batches(&self, most: usize) -> (impl Iterator<Item = &[i32]>, usize) {
        (self.values.chunks((most * self.width).max(1)), self.width)
    }
}
