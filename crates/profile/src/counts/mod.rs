//! Execution counts that follow from other counts.
//!
//! | file | contains |
//! | --- | --- |
//! | `solver` | the counts of all blocks and edges of a function, from some of these counts |
//! | `instrumented` | the counts of a function's branches, from the counters of a front-end profile |
//! | `cleanups` | the paths through calls of destructors |

mod cleanups;
mod instrumented;
mod solver;

pub use cleanups::Cleanup;
pub use instrumented::{EdgeCounts, SourceBlock, SourceFunction};
pub use solver::{Direction, Flow, Solver};
