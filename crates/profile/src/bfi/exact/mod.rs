//! Block frequencies that satisfy the flow equations on every graph.
//!
//! The frequency of a block is the sum of the frequencies of its incoming edges. The frequency of the entry is 1 plus
//! this sum:
//!
//! > f(entry) = 1 + the sum of f(p) x probability over the edges p -> entry,
//! > f(b) = the sum of f(p) x probability over the edges p -> b
//!
//! The probabilities of a block's edges are divided by their sum. As in LLVM's algorithm, no probability is 0. The
//! equations of an infinite loop have no solution. In such a loop, 1/4096 of the flow that returns to an entry of the
//! loop is lost. The loop then has 4096 iterations each time it is entered, as in LLVM. (Flow that returns to the
//! header of an inner loop is not lost.)
//!
//! Inner loops are solved before outer loops. The solver computes the flow of one loop iteration, in which the header
//! runs once. The solver sums the flow that leaves the loop, instead of subtracting the returning flow from 1. The
//! flow that leaves a loop determines its number of iterations. The loop then becomes one node of the next outer
//! level: the enclosing loop or the function. The strongly connected components among the nodes of a level are
//! irreducible regions. Elimination solves these regions. The page `docs/src/guide/exact.md` in the repository states
//! the error bounds.
//!
//! | file | contains |
//! | --- | --- |
//! | `flow` | the solver, level by level, and the flow that leaves loops |
//! | `levels` | the nodes of each level, and the targets of their edges |
//! | `regions` | search for irreducible regions |
//! | `elimination` | solution of one irreducible region by eliminating one node after another, and the edges among the remaining nodes |
//! | `real` | numbers of 96 bits |

pub(crate) mod elimination;
mod flow;
mod levels;
pub(crate) mod real;
mod regions;
#[cfg(test)]
mod tests;

pub(super) use flow::ExactFlow;

/// The algorithm that computes block frequencies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrequencyMethod {
    /// LLVM's algorithm. The resulting frequencies are equal to LLVM's frequencies.
    #[default]
    Llvm,
    /// The exact solution of the flow equations.
    Exact,
}
