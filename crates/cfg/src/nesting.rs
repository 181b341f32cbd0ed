//! The choice of cycles.

/// The cycles that branch probabilities and block frequencies use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nesting {
    /// Natural loops; for blocks outside all natural loops, strongly connected components. LLVM 14 to 23.
    #[default]
    LoopsAndComponents,
    /// All cycles, with one or several entries, and how they nest. LLVM 24.
    Cycles,
}
