//! Finds what a rule assumes about a condition.

use bpa_schema::Assumption;

use bpa_profile::bpi::{condition_weights, Rule};
use bpa_profile::facts::{Condition, ConstantKind, FloatPredicate, IntegerOperand, Predicate};
use bpa_profile::rules::RuleSet;

/// The assumption of `rule`, which predicts a branch on `condition`. If the weights of `predictor` differ from LLVM's
/// weights, or if LLVM does not have the rule, the result is [`Assumption::OwnNumbers`].
pub(crate) fn assumption(rule: Rule, condition: Condition, predictor: &RuleSet) -> Assumption<'static> {
    let weights = |predictor| condition_weights(rule, condition, predictor);
    if weights(predictor) == weights(RuleSet::llvm()) {
        return llvm_assumption(condition);
    }
    Assumption::OwnNumbers {
        predictor: predictor.name().to_string().into(),
        condition: condition.name().map(Into::into),
    }
}

fn llvm_assumption(condition: Condition) -> Assumption<'static> {
    use ConstantKind::{MinusOne, One, Zero};
    use Predicate::{Greater, Less};
    match condition {
        Condition::Pointer { .. } => Assumption::PointersDiffer,
        Condition::Float { predicate } => match predicate {
            FloatPredicate::Ordered | FloatPredicate::Unordered => Assumption::NotNan,
            FloatPredicate::EqualityUnordered => Assumption::UnorderedEqualityFails,
            _ => Assumption::EqualityHolds,
        },
        Condition::Integer { operand: IntegerOperand::StringComparison, .. } => Assumption::StringsDiffer,
        Condition::Integer { predicate: Less, constant: Zero, .. }
        | Condition::Integer { predicate: Greater, constant: MinusOne, .. } => Assumption::NotNegative,
        Condition::Integer { predicate: Less, constant: One, .. }
        | Condition::Integer { predicate: Greater, constant: Zero, .. } => Assumption::Positive,
        Condition::Integer { constant: MinusOne, .. } => Assumption::NotMinusOne,
        Condition::Integer { .. } => Assumption::NotZero,
        Condition::Opaque => Assumption::Nothing,
    }
}
