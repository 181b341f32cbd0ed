//! Call frequencies: the estimated number of calls of each function of a module.
//!
//! The calls of a function come from its callers and from outside the module:
//!
//! > calls(f) = starts(f) + the sum of calls(g) x weight over the calls g -> f
//!
//! The weight of a call site in `g` is the number of its executions for each execution of `g`.
//!
//! | file | contains |
//! | --- | --- |
//! | `graph` | the call graph, and groups of functions that call each other, callers first |
//! | `recursion` | functions that call each other: limits on the number of their calls, and the sums of these calls |
//! | `entries` | the solution of the call equations |
//! | `module` | facts about a module |
//! | `link` | the call graph of a program, from the call graphs of its modules |
//! | `pointers` | calls through pointers, and functions with callbacks |
//! | `returning` | detection of functions that never return |
//! | `starts` | calls from outside the module |
//! | `estimate` | the estimate for a module |
//! | `integers` | integer counts for metadata |
//! | `score` | comparison with profiled counts |

mod entries;
mod estimate;
mod graph;
mod integers;
mod link;
mod module;
mod pointers;
mod recursion;
mod returning;
mod score;
mod starts;
#[cfg(test)]
mod tests;

pub use bpa_schema::{Basis, Linkage, Start};
pub use entries::{EntryCounts, Recursion};
pub use estimate::Estimate;
pub use graph::CallNode;
pub use integers::IntegerCounts;
pub use link::{link, Linkable, Linked, Symbol};
pub use module::{Body, CallSite, FunctionAttributes, ModuleFacts, ModuleFunction, Signature, Target};
pub use pointers::times_called_back;
pub use score::{found, Counted, Guess, Measured};
