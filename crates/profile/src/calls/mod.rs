//! Call frequencies: how often each function of a module is called, estimated.
//!
//! The calls of a function are the calls from its callers and from outside the module:
//!
//! > calls(f) = starts(f) + the sum of calls(g) x weight over the calls g -> f
//!
//! The weight of a call is the frequency of its block in its function. Block frequencies solve the same system of
//! equations, with blocks instead of functions, and the same solver is used here (`bfi::exact`): functions
//! that call each other are a region, which is solved by elimination.
//!
//! | file | contains |
//! | --- | --- |
//! | `graph` | the call graph |
//! | `components` | recursive functions, callers first |
//! | `recursion` | bounds on the growth of recursions |
//! | `entries` | the solution of the equations |
//! | `module` | facts about a module |
//! | `pointers`, `callbacks` | calls through pointers |
//! | `returning` | functions that never return |
//! | `starts` | calls from outside |
//! | `estimate` | the estimate for a module |
//! | `integers` | counts as integers, for metadata |
//! | `score` | comparison with profiled counts |

mod callbacks;
mod components;
mod entries;
mod estimate;
mod graph;
mod integers;
mod module;
mod pointers;
mod recursion;
mod returning;
mod score;
mod starts;
#[cfg(test)]
mod tests;

pub use callbacks::times_called_back;
pub use entries::{EntryCounts, Recursion};
pub use estimate::Estimate;
pub use graph::CallNode;
pub use integers::IntegerCounts;
pub use module::{Basis, Body, CallSite, FunctionAttributes, ModuleFacts, ModuleFunction, Signature, Target};
pub use score::{found, Counted, Guess, Measured};
pub use starts::Start;
