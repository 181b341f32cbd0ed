//! Reads calls of `llvm.expect` and `llvm.expect.with.probability`, weighs switches on them, and leaves them out.

use std::marker::PhantomData;
use std::ptr::NonNull;

use super::odds::{Confidence, Odds};
use super::Lowering;
use crate::ir::llvm::core::{LLVMConstRealGetDouble, LLVMLookupIntrinsicID};
use crate::ir::llvm::prelude::LLVMContextRef;
use crate::ir::value::{FunctionRef, Instruction, Integer, TerminatorInstruction, Value};
use crate::ir::LiveFunction;

unsafe extern "C" {
    fn bpa_expected_weights(context: LLVMContextRef, likely: &mut u32, unlikely: &mut u32);
}

/// The two intrinsics.
pub(super) struct ExpectIntrinsics {
    /// The intrinsic ID of `llvm.expect`.
    expect: u32,
    with_probability: u32,
    /// The odds for `llvm.expect`, which has no probability as an argument.
    usual: Odds,
}

/// The expectation in a call of an `llvm.expect` intrinsic. Both values are operands of the call, and have its type.
pub(super) struct Expectation<'ir> {
    /// The value that the call returns, and to which the expectation applies.
    pub value: Value<'ir>,
    /// The expected value. Constants are unique in a context. Two constants of one type are therefore equal if and only
    /// if their addresses are equal.
    pub expected: Integer<'ir>,
    /// The probability of the expected value, or its odds.
    pub confidence: Confidence,
}

impl ExpectIntrinsics {
    /// Looks up the IDs of the intrinsics, and reads the host's flags that determine the odds for `llvm.expect`.
    pub fn new(live: &LiveFunction) -> Self {
        // SAFETY: the call gets the start and length of a name.
        let number = |name: &str| unsafe { LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len()) };
        ExpectIntrinsics {
            expect: number("llvm.expect"),
            with_probability: number("llvm.expect.with.probability"),
            usual: usual_odds(live),
        }
    }

    /// Whether `instruction` calls one of the two intrinsics.
    pub fn are_called_by(&self, instruction: Instruction) -> bool {
        self.called_by(*instruction).is_some()
    }

    /// Reads the expectation from the call `value`. The result is `None` if `value` calls no `llvm.expect` intrinsic,
    /// or if the expected value is not a constant integer.
    pub fn expectation<'ir>(&self, value: Value<'ir>) -> Option<Expectation<'ir>> {
        let confidence = if self.called_by(value)? == self.with_probability {
            Confidence::Probability(probability(value.operand(2))?)
        } else {
            Confidence::Usual(self.usual)
        };
        Some(Expectation { value: value.operand(0), expected: value.operand(1).integer()?, confidence })
    }

    /// The ID of the `llvm.expect` intrinsic that `value` calls, or `None` if `value` calls no such intrinsic.
    fn called_by(&self, value: Value) -> Option<u32> {
        if !value.is_call() {
            return None;
        }
        let intrinsic = value.instruction()?.called_function()?.intrinsic();
        (intrinsic == self.expect || intrinsic == self.with_probability).then_some(intrinsic)
    }
}

/// The odds for `llvm.expect`, according to the host's flags. The flags are read each time because a program that runs
/// LLVM can change the flags. From LLVM 24 on, each context also has its own flags.
///
/// LLVM: `LikelyBranchWeight`, `UnlikelyBranchWeight`.
fn usual_odds(live: &LiveFunction) -> Odds {
    let Odds { mut expected, mut other } = Odds::USUAL;
    // SAFETY: the context is valid.
    unsafe { bpa_expected_weights(live.context(), &mut expected, &mut other) };
    Odds { expected, other }
}

/// The value of a floating-point constant. The verifier requires that the probability is such a constant.
fn probability(constant: Value) -> Option<f64> {
    let mut inexact = 0;
    // SAFETY: the value is a floating-point constant.
    constant.is_float_constant().then(|| unsafe { LLVMConstRealGetDouble(constant.raw(), &mut inexact) })
}

/// The replaced conditions; the fields are private to C++.
#[repr(C)]
struct Ignored {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    safe fn bpa_ignore_expectations(function: FunctionRef) -> NonNull<Ignored>;
    fn bpa_restore_conditions(ignored: NonNull<Ignored>);
}

/// While this value exists, the conditions of a function do not test expectations: a branch on
/// `__builtin_expect(x < y, 1)` has the condition `x < y`. When this value is dropped, the function is again as it was,
/// and the use lists have their old order.
#[must_use]
pub(crate) struct IgnoredExpectations<'a>(NonNull<Ignored>, PhantomData<&'a ()>);

impl LiveFunction<'_> {
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

impl<'ir> Lowering<'ir> {
    /// If a switch tests an expected value, writes weights on the switch. The likely successor is the case with the
    /// expected value. If no case has this value, the default is likely.
    ///
    /// LLVM: `handleSwitchExpect`.
    pub(super) fn weigh_cases(&self, switch: TerminatorInstruction<'ir>) {
        let Some(expectation) = self.intrinsics.expectation(switch.operand(0)) else { return };
        let weights = weights(switch, &expectation);
        switch.set_operand(0, expectation.value);
        self.write(*switch, &weights);
    }
}

fn weights(switch: TerminatorInstruction, expectation: &Expectation) -> Vec<u32> {
    let successors = switch.successor_count();
    let likely =
        (1..successors).find(|&place| case_value(switch, place) == Some(*expectation.expected)).unwrap_or(0);
    let odds = expectation.confidence.odds(successors);
    let mut weights = vec![odds.other; successors];
    weights[likely] = odds.expected;
    weights
}

/// The value of the case whose destination is the successor at index `place`. Successor 0 is the default, which has no
/// value.
#[cfg(no_case_operands)]
pub(in crate::ir) fn case_value(switch: TerminatorInstruction, place: usize) -> Option<Value> {
    // SAFETY: callers pass a switch and the index of a successor that is not the default.
    unsafe { Value::new(crate::ir::llvm::core::LLVMGetSwitchCaseValue(switch.raw(), place as u32)) }
}

/// The value of the case whose destination is the successor at index `place`. Successor 0 is the default, which has no
/// value. The list of a switch's operands consists of pairs. The first pair consists of the switch's condition and
/// its default destination. Each further pair consists of the value and the successor of a case.
#[cfg(not(no_case_operands))]
pub(in crate::ir) fn case_value(switch: TerminatorInstruction, place: usize) -> Option<Value> {
    Some(switch.operand(2 * place as u32))
}
