//! Writes weights on switches that test an expected value.

use super::intrinsic::Expectation;
use super::Lowering;
use crate::ir::value::{TerminatorInstruction, Value};

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
