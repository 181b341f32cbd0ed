//! What every part of the command uses: errors, messages, processes, output, paths, and the inputs.

pub mod demangle;
pub mod error;
pub mod failures;
pub mod graph;
pub mod input;
pub mod jobs;
pub mod messages;
pub mod output;
pub mod paths;
pub mod process;
pub mod shares;
