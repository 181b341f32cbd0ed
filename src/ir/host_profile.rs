//! Reads the results of the host LLVM's own analyses of a live function.

use std::ops::Range;
use std::ptr;

use cranelift_entity::PrimaryMap;

use super::live::LiveFunction;
use super::value::FunctionRef;
use bpa_core::cfg::Block;

unsafe extern "C" {
    fn bpa_host_profile(
        function: FunctionRef,
        probabilities: *mut u32,
        edge_count: usize,
        frequencies: *mut u64,
        block_count: usize,
    ) -> bool;
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

impl LiveFunction<'_> {
    /// Runs the host LLVM's analyses on the function's current IR and keeps only the numbers. The result is `None` if a
    /// block has no terminator, because LLVM would crash.
    pub(crate) fn host_profile(&self, with_frequencies: bool) -> Option<HostProfile> {
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
        // SAFETY: `probabilities` has the given length. `place` is null or has space for every block.
        let is_done = unsafe {
            bpa_host_profile(self.value(), probabilities.as_mut_ptr(), count, place, self.block_count())
        };
        let frequencies = frequencies.map(|all| all.into_iter().collect());
        is_done.then_some(HostProfile { edges, probabilities, frequencies })
    }
}
