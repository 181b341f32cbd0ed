//! Which cycles are looked at.

/// Which cycles branch probabilities and block frequencies go by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nesting {
    /// Natural loops; for blocks that none of them holds, strongly connected components.
    #[default]
    LoopsAndComponents,
    /// All cycles and those inside them, with however many entries.
    Cycles,
}
