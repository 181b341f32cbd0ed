//! The kinds of cycles that analyses use.

/// The cycles that branch probabilities and block frequencies use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nesting {
    /// As in LLVM 14 to 23: natural loops, and strongly connected components for blocks outside all natural loops.
    #[default]
    LoopsAndComponents,
    /// As in LLVM 24: nested cycles, including cycles with several entries.
    Cycles,
}
