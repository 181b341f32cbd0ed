//! What a model says of branches.

use crate::cfg::Block;

/// What a model says of the branches of a function, and what it was told of them.
#[derive(Clone, Debug, Default)]
pub struct Predictions {
    /// Ascending, each with where its edges begin.
    blocks: Vec<(Block, u32)>,
    /// Of each edge, how much it weighs, of some 2^31 together...
    weights: Vec<u32>,
    /// ... and the row by which that was said.
    rows: Vec<Option<u32>>,
    /// The rows of two-way branches, and of sides of switches.
    features: [Rows; 2],
}

/// What a model says of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prediction<'a> {
    /// How much each edge weighs, of some 2^31 together.
    pub weights: &'a [u32],
    /// The place of the [row](Predictions::two_way_rows) that the model was asked with about each edge; none if LLVM knows how
    /// likely it is.
    pub rows: &'a [Option<u32>],
}

impl Predictions {
    /// Nothing is said as yet; these are the rows by which it will be, of about so many blocks and edges.
    pub(crate) fn new(two_way_rows: Rows, switch_rows: Rows, blocks: usize, edges: usize) -> Self {
        Predictions {
            blocks: Vec::with_capacity(blocks),
            weights: Vec::with_capacity(edges),
            rows: Vec::with_capacity(edges),
            features: [two_way_rows, switch_rows],
        }
    }

    /// The rows of two-way branches.
    pub fn two_way_rows(&self) -> &Rows {
        &self.features[0]
    }

    /// The rows of sides of switches.
    pub fn switch_rows(&self) -> &Rows {
        &self.features[1]
    }

    /// Adds what is said of `block`, which comes after those before: of each edge its weight, and by which row.
    pub(crate) fn add(&mut self, block: Block, edges: impl Iterator<Item = (u32, Option<u32>)>) {
        self.blocks.push((block, self.weights.len() as u32));
        for (weight, row) in edges {
            self.weights.push(weight);
            self.rows.push(row);
        }
    }

    /// What is said of each block, in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Block, Prediction<'_>)> + '_ {
        (0..self.blocks.len()).map(|place| (self.blocks[place].0, self.at(place)))
    }

    /// What is said of `block`, if something is.
    pub fn of(&self, block: Block) -> Option<Prediction<'_>> {
        let place = self.blocks.binary_search_by_key(&block, |&(known, _)| known).ok()?;
        Some(self.at(place))
    }

    fn at(&self, place: usize) -> Prediction<'_> {
        let start = self.blocks[place].1 as usize;
        let end = self.blocks.get(place + 1).map_or(self.weights.len(), |next| next.1 as usize);
        Prediction { weights: &self.weights[start..end], rows: &self.rows[start..end] }
    }
}

/// Rows of integers that a model is asked with, each as long as the others.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    width: usize,
    values: Vec<i32>,
}

impl Rows {
    /// No rows as yet, each `width` long, and memory for `count` of them.
    ///
    /// # Panics
    ///
    /// If the width is 0.
    pub fn new(width: usize, count: usize) -> Self {
        assert!(width > 0, "a row has a width");
        Rows { width, values: Vec::with_capacity(width * count) }
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
