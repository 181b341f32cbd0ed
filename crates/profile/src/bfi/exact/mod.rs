//! Block frequencies that solve the equations of flow, on every graph.
//!
//! A block runs as often as its predecessors lead to it, and the entry once more than that:
//!
//! > f(entry) = 1 + what returns to it, f(b) = the sum of f(p) x probability over the edges p -> b
//!
//! with the probabilities of a block's edges over their own sum, none of them 0, as LLVM's scheme shares out mass. What
//! is never left has no solution: there, one part in 4096 of what comes back to where it is entered is taken to end
//! (what goes round a loop further inside does not come back by that). So it iterations 4096 times for each time it is
//! entered, as in LLVM.
//!
//! Loops are solved from the inside out, each for one turn of its header: what of it leaves, summed up and never taken
//! from 1, says how often the loop iterations, and the loop becomes a node of the level around it. What is strongly connected
//! among the nodes of a level is irreducible, and is solved by elimination. See `docs/src/guide/exact.md` in the repository for
//! how far the result can be off.
//!
//! | file | its one idea |
//! | --- | --- |
//! | `flow` | from level to level |
//! | `levels`, `level` | the nodes of each loop, and where their edges lead |
//! | `exits` | where loops are left to |
//! | `regions` | finding what is irreducible |
//! | `solver` | solving it: |
//! | `elimination` | by taking out one node after another |
//! | `iteration` | by iterating what of it is too much to eliminate |
//! | `elimination_graph`, `queue` | the edges that are left; which node goes next |
//! | `real` | numbers of 96 digits |

pub(crate) mod elimination;
mod elimination_graph;
mod exits;
mod flow;
mod iteration;
mod level;
mod levels;
mod queue;
pub(crate) mod real;
mod regions;
pub(crate) mod solver;
#[cfg(test)]
mod tests;

pub(super) use flow::ExactFlow;

/// How block frequencies are worked out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrequencyMethod {
    /// By LLVM's scheme, and so with LLVM's numbers.
    #[default]
    Llvm,
    /// By solving the equations of flow: [`exact`](self).
    Exact,
}
