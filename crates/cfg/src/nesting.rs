//! The kinds of cycles.

/// The cycles that branch probabilities and block frequencies use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nesting {
    /// Natural loops and, for blocks outside all natural loops, strongly connected components. LLVM 14 to 23.
    #[default]
    LoopsAndComponents,
    /// All cycles and how they nest, including cycles with several entries. LLVM 24.
    Cycles,
}
