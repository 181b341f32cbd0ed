//! The rows of selects.

use super::columns::{block_values, test_values};
use super::names::TEST_COUNT;
use super::select_columns::{own_values, value_values};
use super::select_names::{OWN_COUNT, SELECT_COUNT, VALUE_COUNT};
use super::selects::Select;
use super::view::View;

/// Features of a `select`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectFeatures {
    /// Its place among the [selects](super::FunctionContents::selects) of the function.
    pub place: usize,
    /// Integers, called what [`SELECT_NAMES`](super::SELECT_NAMES) say.
    pub values: [i32; SELECT_COUNT],
    /// Integers about what it chooses if its condition holds, and if not, called what
    /// [`VALUE_NAMES`](super::VALUE_NAMES) say.
    pub sides: [[i32; VALUE_COUNT]; 2],
}

impl View<'_> {
    /// A `select`, by its place.
    pub fn select(&self, place: usize) -> &Select {
        &self.contents.selects[place]
    }

    /// Features of all selects that the entry reaches, in their order.
    pub fn selects(&self) -> impl Iterator<Item = SelectFeatures> + '_ {
        let tree = self.graph().tree();
        let selects = self.contents.selects.iter().enumerate();
        selects.filter(|(_, select)| tree.reaches(select.block)).map(|(place, select)| SelectFeatures {
            place,
            values: self.select_values(select),
            sides: select.values.each_ref().map(value_values),
        })
    }

    fn select_values(&self, select: &Select) -> [i32; SELECT_COUNT] {
        let mut values = [0; SELECT_COUNT];
        let (own, others) = values.split_at_mut(OWN_COUNT);
        let (tests, place) = others.split_at_mut(TEST_COUNT);
        own.copy_from_slice(&own_values(self, select));
        tests.copy_from_slice(&test_values(&select.test));
        place.copy_from_slice(&block_values(self, select.block));
        values
    }
}
