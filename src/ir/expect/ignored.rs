//! Static predictions that ignore the expectations in the source.

use crate::ir::value::{Instruction, Value};
use crate::ir::LiveFunction;

unsafe extern "C" {
    fn bpa_ignore_expectation<'ir>(branch: Instruction<'ir>, inserted: &mut usize) -> Option<Value<'ir>>;
    fn bpa_restore_condition<'ir>(branch: Instruction<'ir>, condition: Value<'ir>, inserted: usize);
}

/// A branch whose condition tested an expectation.
struct Ignored<'a> {
    branch: Instruction<'a>,
    condition: Value<'a>,
    /// The number of instructions that were inserted before the branch.
    inserted: usize,
}

/// While this value exists, the conditions of a function do not test expectations: a branch on
/// `__builtin_expect(x < y, 1)` has the condition `x < y`. When this value is dropped, the function is again as it was.
#[must_use]
pub(crate) struct IgnoredExpectations<'a>(Vec<Ignored<'a>>);

impl LiveFunction {
    /// Replaces the conditions that test expectations until the result is dropped. Until then, the caller must not
    /// change the function. If the expectation is about a phi, the branch on the phi remains.
    pub(crate) fn ignore_expectations(&self) -> IgnoredExpectations<'_> {
        let ignore = |block| {
            let branch = self.block(block).terminator().filter(|branch| branch.condition().is_some())?;
            let mut inserted = 0;
            // SAFETY: the instruction is a conditional branch of this function.
            let condition = unsafe { bpa_ignore_expectation(*branch, &mut inserted) }?;
            Some(Ignored { branch: *branch, condition, inserted })
        };
        IgnoredExpectations(self.layout().filter_map(ignore).collect())
    }
}

impl Drop for IgnoredExpectations<'_> {
    fn drop(&mut self) {
        for ignored in &self.0 {
            // SAFETY: the branch and its old condition still exist, because the function has not changed.
            unsafe { bpa_restore_condition(ignored.branch, ignored.condition, ignored.inserted) };
        }
    }
}
