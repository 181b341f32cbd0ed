//! Block frequencies: how often each block of a function runs, relative to the function's entry.
//!
//! The scheme is LLVM's (its "Block Frequency Terminology"), and so are the numbers, to the last bit.
//! *Mass* falls from the header of every loop, inner loops first, along the edges by probability. What comes
//! back to the header gives the loop's *scale*, how often it repeats; what leaves it, how the loop as a whole
//! passes mass on in the loop around it. In the end masses and scales along the way from the outside in
//! multiply to *frequencies*.
//!
//! | file | its one idea |
//! | --- | --- |
//! | `analysis` | the way in |
//! | `rpo` | blocks numbered in reverse postorder |
//! | `mass` | shares of a flow, 64-bit fixed point |
//! | `distribution` | splitting a mass without loss, in LLVM's order |
//! | `dense_order` | the order of LLVM's hash table, where it shows |
//! | `regions` | loops as nodes of the level around them |
//! | `irreducible` | finding loops with several headers |
//! | `flow` | mass through every level |
//! | `evidence` | what mass is divided by |
//! | `frequencies` | masses and scales multiplied out; integers; counts |
//! | `nest` | the loops that come out, natural and irreducible, and each block's share in them |
//! | `exact` | frequencies without any of that: the equations of flow, solved |
//! | `header_weights` | weights of headers that bring LLVM's scheme near the solution |
//! | `bias` | frequencies against those of a function without evidence |
//! | `scaled`, `scaled_sums` | numbers with a binary exponent |
//! | `decimal`, `scientific`, `printed` | such numbers as text, and what that leaves of them |

mod analysis;
pub mod bias;
mod decimal;
mod dense_order;
mod distribution;
mod evidence;
pub mod exact;
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
