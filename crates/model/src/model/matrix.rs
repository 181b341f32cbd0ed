//! Stores the features of many branches as rows.

/// A matrix of integers. Each row is one input of a model.
#[derive(Clone, Debug, Default)]
pub struct FeatureMatrix {
    width: usize,
    values: Vec<i32>,
}

impl FeatureMatrix {
    /// Creates an empty matrix of rows of length `width`, with memory for `count` rows.
    ///
    /// # Panics
    ///
    /// Panics if `width` is 0.
    pub fn new(width: usize, count: usize) -> Self {
        assert!(width > 0, "the rows have length 0");
        FeatureMatrix { width, values: Vec::with_capacity(width * count) }
    }

    /// Appends the concatenation of `parts` as a row.
    ///
    /// # Panics
    ///
    /// Panics if the sum of the lengths of the parts is not the length of a row.
    pub fn push(&mut self, parts: &[&[i32]]) {
        let end = self.values.len() + self.width;
        parts.iter().for_each(|part| self.values.extend_from_slice(part));
        assert_eq!(self.values.len(), end, "the sum of the lengths of the parts is not the length of a row");
    }

    /// The number of rows in the matrix.
    pub(crate) fn len(&self) -> usize {
        self.values.len().checked_div(self.width).unwrap_or(0)
    }

    /// The row at index `place`.
    ///
    /// # Panics
    ///
    /// Panics if the matrix has no row at index `place`.
    pub(crate) fn row(&self, place: usize) -> &[i32] {
        &self.values[place * self.width..][..self.width]
    }

    /// Divides the rows into batches of up to `most` rows. Returns the batches, and the length of a row. A batch is a
    /// slice that contains the values of its rows, one row after the other.
    pub(crate) fn batches(&self, most: usize) -> (impl Iterator<Item = &[i32]>, usize) {
        (self.values.chunks((most * self.width).max(1)), self.width)
    }
}
