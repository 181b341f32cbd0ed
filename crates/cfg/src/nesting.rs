//! The kinds of cycles that analyses use.

/// The cycles that branch probabilities and block frequencies use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nesting {
    /// Natural loops and, for blocks outside all natural loops, strongly connected components, as in LLVM 14 to 23.
    #[default]
    LoopsAndComponents,
    /// Nested cycles, including cycles with several entries, as in LLVM 24.
    Cycles,
}
