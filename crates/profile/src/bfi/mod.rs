//! Block frequencies: how often each block of a function runs, relative to the function's entry.
//!
//! The algorithm is LLVM's (see LLVM's "Block Frequency Terminology"), and so are the numbers, bit for bit. Loops are
//! solved from the inside out:
//!
//! 1. *Mass* flows from the header of a loop along the edges, by probability.
//! 2. The mass that returns to the header determines the *scale* of the loop, its expected iterations for each entry.
//! 3. The mass that leaves the loop determines the edges of the loop in the level around it, where the loop is one node.
//! 4. The *frequency* of a block is its mass times the masses and scales of all loops around it.
//!
//! | file | contains |
//! | --- | --- |
//! | `analysis` | the entry points |
//! | `rpo` | blocks numbered in reverse postorder |
//! | `mass` | shares of a flow, 64-bit fixed point |
//! | `distribution` | splitting a mass without loss, in LLVM's order |
//! | `dense_order` | the order of LLVM's hash table, where results depend on it |
//! | `regions` | loops as nodes of the level around them |
//! | `irreducible` | finding irreducible regions |
//! | `flow` | mass through every level |
//! | `evidence` | the weights that mass is split by |
//! | `frequencies` | frequencies from masses and scales; integers; counts |
//! | `nest`, `nest_builder` | the solved loops, natural and irreducible, and each block's share in them |
//! | `exact` | the equations of flow, solved exactly instead |
//! | `header_weights` | `irr_loop` weights with which LLVM's algorithm approximates the exact solution |
//! | `bias` | frequencies compared with a function without evidence |
//! | `scaled`, `scaled_sums` | numbers with a binary exponent |
//! | `decimal`, `scientific`, `printed` | text of such numbers, and their values as printed |

mod analysis;
pub mod bias;
mod decimal;
mod dense_order;
mod distribution;
mod evidence;
pub(crate) mod exact;
mod flow;
mod frequencies;
mod header_weights;
mod irreducible;
mod mass;
pub mod nest;
mod nest_builder;
mod printed;
mod regions;
mod rpo;
mod scaled;
mod scaled_sums;
mod scientific;

#[cfg(test)]
mod drawing;
#[cfg(any(test, feature = "definitions"))]
#[doc(hidden)]
pub mod naive;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

pub use analysis::{FrequencyAnalysis, FrequencyInput};
pub use exact::FrequencyMethod;
pub use frequencies::BlockFrequencies;
use mass::Mass;
pub use scaled::Scaled;
