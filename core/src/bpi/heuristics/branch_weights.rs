//! Weights that several rules answer with.

/// Weights of a branch's two edges, on true and on false.
pub(in crate::bpi) type BranchWeights = [u32; 2];

/// The comparison mostly holds, 20 to 12 (62.50%).
///
/// LLVM: `PH_TAKEN_WEIGHT`, `PH_NONTAKEN_WEIGHT`, `ZH_TAKEN_WEIGHT`, `ZH_NONTAKEN_WEIGHT`,
/// `FPH_TAKEN_WEIGHT`, `FPH_NONTAKEN_WEIGHT`.
pub(super) const LIKELY: BranchWeights = [20, 12];
/// The comparison mostly fails, 12 to 20 (37.50%).
///
/// LLVM: `PH_TAKEN_WEIGHT`, `PH_NONTAKEN_WEIGHT`, `ZH_TAKEN_WEIGHT`, `ZH_NONTAKEN_WEIGHT`,
/// `FPH_TAKEN_WEIGHT`, `FPH_NONTAKEN_WEIGHT`.
pub(super) const UNLIKELY: BranchWeights = [12, 20];
