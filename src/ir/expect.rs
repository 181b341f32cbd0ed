//! Expectations in the source: `__builtin_expect(x, 1)` is a call of `llvm.expect` that returns `x`.

use std::marker::PhantomData;
use std::ptr::NonNull;

use super::value::FunctionRef;
use super::LiveFunction;

/// The replaced conditions; the fields are private to C++.
#[repr(C)]
struct Ignored {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    safe fn bpa_lower_expect(function: FunctionRef) -> bool;
    safe fn bpa_ignore_expectations(function: FunctionRef) -> NonNull<Ignored>;
    fn bpa_restore_conditions(ignored: NonNull<Ignored>);
}

/// While this value exists, the conditions of a function do not test expectations: a branch on
/// `__builtin_expect(x < y, 1)` has the condition `x < y`. When this value is dropped, the function is again as it was,
/// and the use lists have their old order.
#[must_use]
pub(crate) struct IgnoredExpectations<'a>(NonNull<Ignored>, PhantomData<&'a ()>);

impl LiveFunction<'_> {
    /// Lowers the calls of `llvm.expect` intrinsics to branch weights, by LLVM's pass. Returns whether there was such a
    /// call.
    ///
    /// LLVM: `LowerExpectIntrinsicPass::run`.
    pub fn lower_expect(&mut self) -> bool {
        bpa_lower_expect(self.value())
    }

    /// Replaces the conditions that test expectations until the result is dropped. Until then, the caller must not
    /// change the function. If the expectation is about a phi, the branch on the phi remains.
    pub(crate) fn ignore_expectations(&self) -> IgnoredExpectations<'_> {
        IgnoredExpectations(bpa_ignore_expectations(self.value()), PhantomData)
    }
}

impl Drop for IgnoredExpectations<'_> {
    fn drop(&mut self) {
        // SAFETY: the branches and their old conditions still exist, because the function has not changed.
        unsafe { bpa_restore_conditions(self.0) };
    }
}
