//! Block frequencies: how often each block of a function runs, relative to the function's entry.
//!
//! The algorithm and the numbers are the same as LLVM's, bit for bit (see LLVM's "Block Frequency Terminology"). Inner
//! loops are solved before outer loops, in these steps:
//!
//! 1. *Mass* flows from the header of a loop along the edges. Each block divides its mass among its edges in proportion
//!    to their probabilities.
//! 2. The mass that returns to the header determines the *scale* of the loop: the expected number of iterations each
//!    time the loop is entered.
//! 3. In the enclosing loop or function, the loop is then one node. The weight of each outgoing edge of this node is
//!    the mass that leaves the loop by this edge.
//! 4. The *frequency* of a block is its mass times the masses and scales of all loops around it.
//!
//! | file | contains |
//! | --- | --- |
//! | `analysis` | entry points |
//! | `rpo` | blocks numbered in reverse postorder |
//! | `mass` | parts of a flow in 64-bit fixed point |
//! | `distribution` | distribution of a block's mass without loss, in LLVM's order, and the weights by which it is distributed |
//! | `dense_order` | the iteration order of LLVM's hash table, which affects rounding errors |
//! | `regions` | solved loops, each as one node of the enclosing loop or function |
//! | `irreducible` | search for irreducible regions |
//! | `flow` | distribution of mass in every level |
//! | `frequencies` | frequencies from masses and scales, integer frequencies, execution counts |
//! | `nest` | solved loops, natural and irreducible, and the share of each block in them |
//! | `exact` | exact solution of the flow equations, as an alternative to LLVM's algorithm |
//! | `header_weights` | `irr_loop` weights with which LLVM's algorithm approximates the exact solution |
//! | `bias` | the effect of all evidence on each frequency |
//! | `scaled` | numbers with a binary exponent |
//! | `decimal`, `scientific` | decimal text of these numbers, and the value of the printed text |
//! | `double` | conversions to `f64` |

mod analysis;
pub mod bias;
mod decimal;
mod dense_order;
mod distribution;
pub(crate) mod double;
pub(crate) mod exact;
mod flow;
mod frequencies;
mod header_weights;
mod irreducible;
mod mass;
pub mod nest;
mod regions;
mod rpo;
mod scaled;
mod scientific;

#[cfg(test)]
mod arithmetic_tests;
#[cfg(test)]
mod naive;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod test_function;
#[cfg(test)]
mod tests;

pub use analysis::{FrequencyAnalysis, FrequencyInput};
pub use exact::FrequencyMethod;
pub use frequencies::{BlockFrequencies, FrequenciesAndDepths};
use mass::Mass;
pub use scaled::Scaled;
