//! The rows of selects.

use super::columns::TEST_COLUMNS;
use super::rows::in_order;
use super::select_columns::{SELECT_COLUMNS, VALUE_COLUMNS};
use super::select_names::{SELECT_COUNT, VALUE_COUNT};
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
            sides: select.values.each_ref().map(|value| VALUE_COLUMNS.map(|column| (column.of)(value))),
        })
    }

    fn select_values(&self, select: &Select) -> [i32; SELECT_COUNT] {
        let own = SELECT_COLUMNS.iter().map(|column| (column.of)(self, select));
        let tests = TEST_COLUMNS.iter().map(|column| (column.of)(&select.test));
        in_order(own.chain(tests).chain(self.block_values(select.block)))
    }
}
