//! Reads whether a live module has a profile, and writes an estimated profile.

use super::llvm::prelude::*;
use super::module::Module;
use super::value::FunctionRef;
use bpa_core::calls::{CallNode, IntegerCounts};

unsafe extern "C" {
    fn bpa_has_profile(module: LLVMModuleRef) -> bool;
    safe fn bpa_set_entry_count(function: FunctionRef, is_there: bool, count: u64);
    safe fn bpa_mark_unknown_entry_count(function: FunctionRef);
    fn bpa_add_cold_attributes(functions: *const FunctionRef, count: usize);
    fn bpa_summarize(
        module: LLVMModuleRef,
        writes: bool,
        counts: *const u64,
        sizes: *const usize,
        functions: usize,
        hot: &mut u64,
        cold: &mut u64,
    );
}

/// LLVM's thresholds for hot and cold counts.
#[derive(Default)]
pub(crate) struct Thresholds {
    /// Counts of at least this value are hot.
    pub hot: u64,
    /// LLVM treats counts of at most this value as cold.
    pub cold: u64,
}

impl Module<'_> {
    /// Whether the module has a profile. A module has a profile if it contains a profile summary or a function with an
    /// entry count.
    pub(crate) fn has_profile(&self) -> bool {
        // SAFETY: the module is valid.
        unsafe { bpa_has_profile(self.as_raw()) }
    }

    /// Lets LLVM summarise `counts`. If `writes` is true, the new profile summary replaces the summary of the module.
    pub(crate) fn summarize(&mut self, counts: &IntegerCounts, writes: bool) -> Thresholds {
        let mut thresholds = Thresholds::default();
        let Thresholds { hot, cold } = &mut thresholds;
        let IntegerCounts { blocks, sizes, .. } = counts;
        let sizes = sizes.values().as_slice();
        debug_assert_eq!(blocks.len(), sizes.iter().sum::<usize>());
        let (module, functions) = (self.as_raw(), sizes.len());
        // SAFETY: the module is valid, and the number of counts in `blocks` is the sum of `sizes`.
        unsafe { bpa_summarize(module, writes, blocks.as_ptr(), sizes.as_ptr(), functions, hot, cold) };
        thresholds
    }

    /// Sets the entry counts of functions. The functions are numbered as in [`Module::call_facts`]. If the new count is
    /// `None`, an existing count is removed.
    pub(crate) fn write_entry_counts(&mut self, mut count: impl FnMut(CallNode) -> Option<u64>) {
        for (number, function) in (0..).zip(self.called_functions()) {
            let count = count(CallNode::from_u32(number));
            bpa_set_entry_count(function, count.is_some(), count.unwrap_or(0));
        }
    }

    /// Writes on functions that their entry count is unknown. LLVM has this metadata from version 22 on; with earlier
    /// versions, this method does nothing. The functions are numbered as in [`Module::call_facts`].
    pub(crate) fn mark_unknown_entry_counts(&mut self, mut is_unknown: impl FnMut(CallNode) -> bool) {
        for (number, function) in (0..).zip(self.called_functions()) {
            if is_unknown(CallNode::from_u32(number)) {
                bpa_mark_unknown_entry_count(function);
            }
        }
    }

    /// Adds the attribute `cold` to the functions for which `is_cold` is true. The functions are numbered as in
    /// [`Module::call_facts`].
    pub(crate) fn add_cold_attributes(&mut self, mut is_cold: impl FnMut(CallNode) -> bool) {
        let mut functions = self.called_functions();
        let mut numbers = (0..).map(CallNode::from_u32);
        functions.retain(|_| numbers.next().is_some_and(&mut is_cold));
        // SAFETY: `functions` has the given length, and contains functions of the module.
        unsafe { bpa_add_cold_attributes(functions.as_ptr(), functions.len()) };
    }
}
