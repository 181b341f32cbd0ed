//! Reports how static predictions differ from a profile: as a table, and as JSON for each branch.

mod json;
mod measure;
mod table;

pub use json::{write_score_json, ScoredFunction};
pub use table::ScoreTable;
