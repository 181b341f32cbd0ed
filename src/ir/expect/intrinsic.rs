//! Reads calls of `llvm.expect` and `llvm.expect.with.probability`.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;

use super::odds::{Confidence, Odds};
use crate::ir::calls::called_function;

unsafe extern "C" {
    fn bpa_expected_weights(context: LLVMContextRef, likely: &mut u32, unlikely: &mut u32);
}

/// The two intrinsics.
pub(super) struct ExpectIntrinsics {
    /// LLVM's numbers of the two intrinsics.
    expect: u32,
    with_probability: u32,
    /// The odds for `llvm.expect`, which has no probability.
    usual: Odds,
}

/// The expectation that a call states. Both values are operands of the call and have its type.
pub(super) struct Expectation {
    /// The value that the call returns, and about which it states the expectation.
    pub value: LLVMValueRef,
    /// The expected value, a constant integer. Constants are unique in a context, so two constants of one type are
    /// equal if and only if their addresses are.
    pub expected: LLVMValueRef,
    /// The odds of the expected value.
    pub confidence: Confidence,
}

impl ExpectIntrinsics {
    /// Looks up the numbers of the intrinsics, and the host's flags for `context`.
    ///
    /// # Safety
    ///
    /// `context` is a valid context.
    pub unsafe fn new(context: LLVMContextRef) -> Self {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let number = |name: &str| LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            ExpectIntrinsics {
                expect: number("llvm.expect"),
                with_probability: number("llvm.expect.with.probability"),
                usual: usual_odds(context),
            }
        }
    }

    /// Whether `instruction` calls one of the two intrinsics.
    ///
    /// # Safety
    ///
    /// `instruction` is a valid value.
    pub unsafe fn are_called_by(&self, instruction: LLVMValueRef) -> bool {
        // SAFETY: the caller keeps this function's contract.
        unsafe { self.called_by(instruction).is_some() }
    }

    /// The expectation that the call `value` states. The result is `None` if `value` calls neither intrinsic, or if the
    /// expected value is not a constant integer.
    ///
    /// # Safety
    ///
    /// `value` is a valid value.
    pub unsafe fn expectation(&self, value: LLVMValueRef) -> Option<Expectation> {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let confidence = if self.called_by(value)? == self.with_probability {
                Confidence::Probability(probability(LLVMGetOperand(value, 2))?)
            } else {
                Confidence::Usual(self.usual)
            };
            let expected = LLVMGetOperand(value, 1);
            let known = !LLVMIsAConstantInt(expected).is_null();
            known.then(|| Expectation { value: LLVMGetOperand(value, 0), expected, confidence })
        }
    }

    /// LLVM's number of the intrinsic that `value` calls, or `None` if `value` calls neither intrinsic.
    unsafe fn called_by(&self, value: LLVMValueRef) -> Option<u32> {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            if LLVMIsACallInst(value).is_null() {
                return None;
            }
            let intrinsic = LLVMGetIntrinsicID(called_function(value)?);
            (intrinsic == self.expect || intrinsic == self.with_probability).then_some(intrinsic)
        }
    }
}

/// The odds for `llvm.expect` by the host's flags. The flags are read each time because a program that runs LLVM may
/// change them, and because from LLVM 24 on each context has its own flags.
///
/// # Safety
///
/// `context` is a valid context.
///
/// LLVM: `LikelyBranchWeight`, `UnlikelyBranchWeight`.
unsafe fn usual_odds(context: LLVMContextRef) -> Odds {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let Odds { mut expected, mut other } = Odds::USUAL;
        bpa_expected_weights(context, &mut expected, &mut other);
        Odds { expected, other }
    }
}

/// The value of a floating-point constant. The verifier allows no other operand as a probability.
unsafe fn probability(constant: LLVMValueRef) -> Option<f64> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let mut inexact = 0;
        (!LLVMIsAConstantFP(constant).is_null()).then(|| LLVMConstRealGetDouble(constant, &mut inexact))
    }
}
