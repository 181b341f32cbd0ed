//! Stores the features of many branches as rows.

/// The number of rows in a block.
pub(super) const LANES: usize = 128;

/// The values of one column in a block of rows: one value for each row.
pub(super) type Column = [HalfColumn; 2];

/// The values of one column in half a block of rows.
pub(super) type HalfColumn = [[i16; GROUP]; HALF / GROUP];

/// The number of rows in half a block.
pub(super) const HALF: usize = LANES / 2;

/// The number of rows in a group. The compiler compares all values of a group with a number at once.
pub(super) const GROUP: usize = 8;

/// A matrix of integers. Each row is one input of a model.
///
/// The rows are stored in blocks of 128 rows. In each block, the values of a column are consecutive. Values outside the
/// range of `i16` are replaced by the least or greatest number of this type.
#[derive(Clone, Debug, Default)]
pub struct FeatureMatrix {
    width: usize,
    len: usize,
    /// The columns of the first block, then the columns of the second block, and so on. If the last block has fewer
    /// rows, the other values are 0.
    columns: Vec<Column>,
}

impl FeatureMatrix {
    /// Creates an empty matrix of rows of length `width`, with memory for `count` rows.
    ///
    /// # Panics
    ///
    /// Panics if `width` is 0.
    pub fn new(width: usize, count: usize) -> Self {
        assert!(width > 0, "the rows have length 0");
        FeatureMatrix { width, len: 0, columns: Vec::with_capacity(width * count.div_ceil(LANES)) }
    }

    /// Reserves memory for `count` more rows.
    pub(crate) fn reserve(&mut self, count: usize) {
        let blocks = (self.len + count).div_ceil(LANES);
        self.columns.reserve((self.width * blocks).saturating_sub(self.columns.len()));
    }

    /// Appends the concatenation of `parts` as a row.
    ///
    /// # Panics
    ///
    /// Panics if the sum of the lengths of the parts is not the length of a row.
    pub fn push(&mut self, parts: &[&[i32]]) {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        assert_eq!(length, self.width, "the sum of the lengths of the parts is not the length of a row");
        let place = self.add_row();
        let block = self.columns.len() - self.width;
        for (column, &value) in self.columns[block..].iter_mut().zip(parts.iter().copied().flatten()) {
            let limited = value.clamp(i16::MIN.into(), i16::MAX.into());
            column.as_flattened_mut().as_flattened_mut()[place] = limited as i16;
        }
    }

    /// Appends a row of zeros. Returns a function that sets the value of a column in this row. A value must be in the
    /// range of `i16`.
    ///
    /// # Panics
    ///
    /// Panics if `WIDTH` is not the length of a row.
    #[inline]
    pub(crate) fn push_zeros<const WIDTH: usize>(&mut self) -> impl FnMut(usize, i32) + '_ {
        assert_eq!(self.width, WIDTH, "the length of a row differs");
        let place = self.add_row();
        let block: &mut [Column; WIDTH] =
            self.columns.last_chunk_mut().expect("the matrix has a block for the new row");
        // The remainder shows the compiler that the index is valid.
        let place = place % LANES;
        move |column, value| block[column].as_flattened_mut().as_flattened_mut()[place] = value as i16
    }

    /// Adds a row of zeros, and returns its index in its block.
    fn add_row(&mut self) -> usize {
        let place = self.len % LANES;
        if place == 0 {
            (0..self.width).for_each(|_| self.columns.push(Column::default()));
        }
        self.len += 1;
        place
    }

    /// The number of rows in the matrix.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The row at index `place`.
    ///
    /// # Panics
    ///
    /// Panics if the matrix has no row at index `place`.
    pub(crate) fn row(&self, place: usize) -> Vec<i32> {
        assert!(place < self.len, "the matrix has no row {place}");
        let (block, place) = (place / LANES, place % LANES);
        let columns = &self.columns[block * self.width..][..self.width];
        columns.iter().map(|column| column.as_flattened().as_flattened()[place].into()).collect()
    }

    /// The columns of each block, and the number of rows in the block.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (&[Column], usize)> {
        let starts = (0..self.len).step_by(LANES);
        let counts = starts.map(|start| LANES.min(self.len - start));
        self.columns.chunks(self.width.max(1)).zip(counts)
    }
}
