//! How often each function of a module is called, estimated.
//!
//! A function is called as often as its callers lead to it, and from outside:
//!
//! > calls(f) = starts(f) + the sum of calls(g) x weight over the calls g -> f
//!
//! where the weight of a call is the frequency of its block in its function. That is the system of equations that block
//! frequencies solve, over functions instead of blocks, and the same solver serves ([`exact`](crate::bfi::exact)): what
//! calls each other is a region, solved by elimination.
//!
//! | file | its one idea |
//! | --- | --- |
//! | `graph` | who calls whom, how often |
//! | `components` | what calls each other, callers first |
//! | `recursion` | how far a recursion may multiply |
//! | `entries` | the solution |
//! | `module` | what is known of a module |
//! | `pointers`, `callbacks` | calls through pointers |
//! | `returning` | which functions never return |
//! | `starts` | where counts start |
//! | `estimate` | all of it together |
//! | `integers` | counts as compilers keep them |
//! | `score` | held against measured counts |

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
pub use entries::{EntryCounts, Recursion, RecursionFacts};
pub use estimate::Estimate;
pub use graph::{CallEdge, CallGraph, CallNode};
pub use integers::IntegerCounts;
pub use module::{Basis, Body, CallSite, FunctionAttributes, ModuleFacts, ModuleFunction, Signature, Target};
pub use score::{found, Counted, Guess, Measured};
pub use starts::Start;
