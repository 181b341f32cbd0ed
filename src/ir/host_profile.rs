//! Reads the results of the host LLVM's own analyses of a live function.

use std::ops::Range;
use std::ptr;

use cranelift_entity::PrimaryMap;

use super::live::LiveFunction;
use crate::ir::llvm::prelude::LLVMValueRef;
use bpa_core::cfg::Block;

unsafe extern "C" {
    fn bpa_host_profile(function: LLVMValueRef, probabilities: *mut u32, frequencies: *mut u64);
}

/// The numbers that the host's LLVM computes for one function.
pub(crate) struct HostProfile {
    /// The range of each block's edges in `probabilities`. The edges of a block are in the order of its terminator's
    /// successors.
    pub edges: PrimaryMap<Block, Range<usize>>,
    /// The numerator of each edge's probability. The denominator is 2^31.
    pub probabilities: Vec<u32>,
    /// The integer frequency of each block, if requested.
    pub frequencies: Option<PrimaryMap<Block, u64>>,
}

impl LiveFunction {
    /// Runs the host LLVM's analyses on the function's current IR and keeps only the numbers.
    pub(crate) fn host_profile(&self, with_frequencies: bool) -> HostProfile {
        let mut count = 0;
        let edges: PrimaryMap<Block, Range<usize>> = self
            .basic_blocks()
            .map(|(_, block)| {
                let start = count;
                count += block.terminator().map_or(0, |terminator| terminator.successor_count());
                start..count
            })
            .collect();
        let mut probabilities = vec![0; count];
        let mut frequencies = with_frequencies.then(|| vec![0; self.block_count()]);
        let place = frequencies.as_mut().map_or(ptr::null_mut(), |frequencies| frequencies.as_mut_ptr());
        // SAFETY: the function is valid. `probabilities` has space for every edge. `place` is null or has space for
        // every block.
        unsafe { bpa_host_profile(self.value().raw(), probabilities.as_mut_ptr(), place) };
        HostProfile { edges, probabilities, frequencies: frequencies.map(|all| all.into_iter().collect()) }
    }
}
