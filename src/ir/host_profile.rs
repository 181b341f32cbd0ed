//! The results of the host's own analyses of a live function, as numbers.

use std::ops::Range;
use std::ptr;

use cranelift_entity::PrimaryMap;

use super::live::LiveFunction;
use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use bpa_core::cfg::Block;

extern "C" {
    fn bpa_host_profile(function: LLVMValueRef, probabilities: *mut u32, frequencies: *mut u64);
}

/// The host's numbers for one function.
pub(crate) struct HostProfile {
    /// Index of the first edge of each block among all edges, in the order of its terminator.
    pub edges: PrimaryMap<Block, Range<usize>>,
    /// The numerator of each edge's probability, over 2^31.
    pub probabilities: Vec<u32>,
    /// The integer frequency of each block, if requested.
    pub frequencies: Option<PrimaryMap<Block, u64>>,
}

impl LiveFunction {
    /// Has the host analyse the function as it is now, and keeps only the numbers.
    pub(crate) fn host_profile(&self, with_frequencies: bool) -> HostProfile {
        let mut count = 0;
        let edges: PrimaryMap<Block, Range<usize>> = self
            .blocks()
            .values()
            .map(|&block| {
                let start = count;
                // SAFETY: blocks of an analysed function have terminators.
                count += unsafe { LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block)) } as usize;
                start..count
            })
            .collect();
        let mut probabilities = vec![0; count];
        let mut frequencies = with_frequencies.then(|| vec![0; self.block_count()]);
        let place = frequencies.as_mut().map_or(ptr::null_mut(), |frequencies| frequencies.as_mut_ptr());
        // SAFETY: there is a number for every edge, and for every block or for none; the function is valid.
        unsafe { bpa_host_profile(self.value(), probabilities.as_mut_ptr(), place) };
        HostProfile { edges, probabilities, frequencies: frequencies.map(|all| all.into_iter().collect()) }
    }
}
