//! Reports how often each function of a module is called, as text, JSON and pictures. docs/src/guide/entry-counts.md
//! describes these reports.

mod callers;
mod dot;
mod graph;
mod hot_part;
mod json;
mod score;
mod text;

pub use dot::write_call_graph_dot;
pub use graph::{read_call_graph, write_call_graph_json};
pub use json::write_entry_counts_json;
pub use score::{write_entry_count_score, write_function_features_json};
pub use text::{write_entry_counts, write_explained_entry_count};
