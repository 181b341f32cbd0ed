//! Computes a row of features for each `select`, and for each of its two values.

use super::column::collected;
use super::columns::{block_values, test_values};
use super::counts::{OWN_COUNT, SELECT_COUNT, TEST_COUNT, VALUE_COUNT};
use super::select_columns::{own_values, value_values};
use super::selects::Select;
use super::view::View;

/// The features of a `select`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectFeatures {
    /// The index of the `select` among the [selects](super::FunctionStatistics::selects) of the function.
    pub place: usize,
    /// The integers whose names are in [`SELECT_NAMES`](super::SELECT_NAMES).
    pub values: [i32; SELECT_COUNT],
    /// The integers whose names are in [`VALUE_NAMES`](super::VALUE_NAMES). The first row describes the value for a
    /// true condition, and the second row describes the value for a false condition.
    pub choices: [[i32; VALUE_COUNT]; 2],
}

impl View<'_> {
    /// The `select` at index `place`.
    pub fn select(&self, place: usize) -> &Select {
        &self.statistics.selects[place]
    }

    /// The features of all selects in reachable blocks, in the order of
    /// [`FunctionStatistics::selects`](super::FunctionStatistics::selects).
    pub fn selects(&self) -> impl Iterator<Item = SelectFeatures> + '_ {
        let tree = self.graph().tree();
        let selects = self.statistics.selects.iter().enumerate();
        selects.filter(|(_, select)| tree.reaches(select.block)).map(|(place, select)| SelectFeatures {
            place,
            values: self.select_values(select),
            choices: select.values.each_ref().map(|value| collected(|put| value_values(value, put))),
        })
    }

    fn select_values(&self, select: &Select) -> [i32; SELECT_COUNT] {
        collected(|put| {
            own_values(self, select, &mut *put);
            test_values(&select.test, |column, value| put(OWN_COUNT + column, value));
            block_values(self, select.block, |column, value| put(OWN_COUNT + TEST_COUNT + column, value));
        })
    }
}
