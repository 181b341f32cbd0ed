#![doc = include_str!("../README.md")]
//!
//! Writers append to a byte buffer because names need not be UTF-8. Writers do not depend on LLVM's IR, because the
//! caller provides the names of blocks.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]
#![warn(missing_docs)]

mod audit;
pub mod compared;
mod dot;
mod entry_counts;
mod explain;
mod features;
mod json;
mod names;
mod printers;
mod remarks;
mod score;
mod successors;

pub use audit::{write_audit, write_audit_json, AuditReport, AuditedBlock};
pub use bpa_schema::Analysis;
pub use dot::write_dot;
pub use entry_counts::{
    read_call_graph, write_call_graph_dot, write_call_graph_json, write_entry_count_score,
    write_entry_counts, write_entry_counts_json, write_explained_entry_count, write_function_features_json,
};
pub use explain::{edge_reasons, write_explained_frequencies, write_explained_probabilities, EdgeReasons};
pub use features::write_features_json;
pub use json::write_json;
pub use names::Names;
pub use printers::{write_biases, write_difference, write_frequencies, write_probabilities};
pub use remarks::{
    branch_remarks, frequency_remarks, Remark, RemarkLimits, RemarkPart, RemarkPlace, RemarkedFunction,
};
pub use score::{write_score_json, ScoreTable, ScoredFunction};

/// Appends the line that a printer pass prints first for each function.
///
/// LLVM: `BranchProbabilityPrinterPass`, `BlockFrequencyPrinterPass`.
pub fn write_header(header: &str, function: &[u8], out: &mut Vec<u8>) {
    out.extend([header.as_bytes(), b" '", function, b"':\n"].concat());
}

/// Lets `write!` append text to a byte buffer. In contrast to `std::io::Write`, the method returns no `Result`.
trait WriteText {
    fn write_fmt(&mut self, text: std::fmt::Arguments<'_>);
}

impl WriteText for Vec<u8> {
    fn write_fmt(&mut self, text: std::fmt::Arguments<'_>) {
        std::io::Write::write_fmt(self, text).expect("writing to memory does not fail");
    }
}

#[cfg(test)]
mod tests;
