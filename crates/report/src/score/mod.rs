//! Compares static predictions with a profile: as a table, and branch by branch as data.

mod json;
mod measure;
mod sites;
mod table;

pub use json::{write_score_json, ScoredFunction};
pub(super) use measure::Measure;
pub use sites::Site;
pub use table::ScoreTable;
