//! Conditions of branches and selects that test an expected value. The condition is the value itself, or a comparison
//! of the value with a constant.

use super::intrinsic::Expectation;
use super::Lowering;
use crate::ir::value::{Comparison, Instruction, Integer};

/// The maximum width of compared integers. Comparisons of wider integers are skipped, as in LLVM.
const WIDEST_COMPARISON: u32 = 64;

/// A condition that depends on one value.
struct Test<'ir> {
    /// The instruction that has the value as its first operand. If the condition is an `icmp`, `reader` is the `icmp`.
    /// If the condition is not an `icmp`, `reader` is the branch or select.
    reader: Instruction<'ir>,
    equality: Option<Equality<'ir>>,
}

/// A comparison that tests whether the value equals a constant, or whether it differs from the constant.
struct Equality<'ir> {
    constant: Integer<'ir>,
    /// Whether the condition is true if the value equals the constant.
    when_equal: bool,
}

impl<'ir> Lowering<'ir> {
    /// Adds weights to a conditional branch or select if its condition tests the result of an `llvm.expect` intrinsic.
    ///
    /// LLVM: `handleBrSelExpect`.
    pub(super) fn weigh_outcomes(&self, decision: Instruction<'ir>) {
        let Some(test) = Test::of(decision) else { return };
        let Some(expectation) = self.intrinsics.expectation(test.reader.operand(0)) else {
            return;
        };
        test.reader.set_operand(0, expectation.value);
        self.write(decision, &test.weights(&expectation));
    }
}

impl<'ir> Test<'ir> {
    fn of(decision: Instruction<'ir>) -> Option<Test<'ir>> {
        let condition = decision.operand(0);
        match condition.comparison() {
            Some(comparison) if comparison.is_of_integers() => {
                Some(Test { reader: *comparison, equality: Some(Equality::of(comparison)?) })
            }
            _ => Some(Test { reader: decision, equality: None }),
        }
    }

    fn weights(&self, expectation: &Expectation) -> [u32; 2] {
        let odds = expectation.confidence.odds(2);
        match self.outcome(expectation.expected) {
            true => [odds.expected, odds.other],
            false => [odds.other, odds.expected],
        }
    }

    /// The result of the condition if the value is `expected`. If there is no comparison, the value itself is the
    /// condition.
    fn outcome(&self, expected: Integer) -> bool {
        match &self.equality {
            Some(equality) => (expected == equality.constant) == equality.when_equal,
            None => !expected.is_zero(),
        }
    }
}

impl<'ir> Equality<'ir> {
    fn of(compare: Comparison<'ir>) -> Option<Self> {
        let when_equal = compare.holds_for_equal()?;
        let constant = compare.right().integer()?;
        (constant.bits() <= WIDEST_COMPARISON).then_some(Equality { constant, when_equal })
    }
}
