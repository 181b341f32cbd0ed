//! A reason in one sentence, for readers of the source.

use super::derivation::rarity;
use super::full::assumption;
use super::{Explained, Vocabulary};
use crate::{Assumption, Cap, Cause, ColdReason, Condition, Estimate, Origin, Place, Reason, WeightUse};

/// The reason in one sentence, without weights and without what other rules would predict.
pub fn short(explained: &Explained<impl Vocabulary>) -> String {
    let Explained { reason, to, vocabulary: words, .. } = explained;
    match &reason.cause {
        Cause::OnlySuccessor => "there is one successor".to_string(),
        Cause::NotReached { .. } => "the function's entry does not reach this branch".to_string(),
        Cause::Metadata { cap: Some(Cap::This), .. } => format!("{} never completes", words.block(*to)),
        Cause::Metadata { weights: WeightUse::Used, .. } => {
            format!("branch weights of a profile or a hint: {} of {}", reason.weight, reason.total)
        }
        Cause::Metadata { weights: WeightUse::Zero, .. } => "all its branch weights are 0".to_string(),
        Cause::Metadata { weights: WeightUse::Ignored, .. } => {
            "no successor completes, and so its branch weights are ignored".to_string()
        }
        Cause::Learned { score: Some(_) } => learned(reason),
        Cause::Learned { score: None } => {
            "LLVM's rules know where it leads; the model predicts the rest".to_string()
        }
        Cause::Estimate(estimate) => explained.short_estimate(estimate),
        Cause::Condition { condition, assumes, .. } => format!(
            "{}: {} ({} rule)",
            words.condition(condition),
            assumption_about(assumes, condition),
            reason.rule
        ),
        Cause::Even { condition: Some(condition), .. } => {
            format!("no rule applies to {}", words.condition(condition))
        }
        Cause::Even { terminator, .. } => format!("no rule applies to a {}", construct(terminator)),
    }
}

/// What the model's prediction is made of, most of it.
fn learned(reason: &Reason) -> String {
    let Cause::Learned { score: Some(score) } = &reason.cause else { return String::new() };
    let most = score.features.iter().take(3).map(|one| format!("{} = {}", one.name, one.value));
    let most: Vec<String> = most.collect();
    match most.is_empty() {
        true => "a model predicts it that was trained on profiles".to_string(),
        false => format!("a model predicts it that was trained on profiles, mostly by {}", most.join(", ")),
    }
}

/// What a terminator is in a program.
fn construct(terminator: &str) -> &str {
    match terminator {
        "br" => "branch",
        "invoke" => "call that may throw",
        "callbr" => "assembly goto",
        "indirectbr" => "computed goto",
        other => other,
    }
}

/// What a rule assumes, where the operands say more than the rule.
fn assumption_about(assumes: &Assumption, condition: &Condition) -> String {
    let is_null = condition.operands.iter().any(|operand| operand == "null");
    match assumes {
        Assumption::PointersDiffer if is_null => "pointers are rarely null".to_string(),
        Assumption::UnorderedEqualityFails => "LLVM takes it for unlikely".to_string(),
        Assumption::EqualityHolds => "LLVM takes it for likely".to_string(),
        other => assumption(other),
    }
}

impl<V: Vocabulary> Explained<'_, V> {
    fn short_estimate(&self, estimate: &Estimate) -> String {
        let words = self.vocabulary;
        let target = words.block(self.to);
        let rare = estimate.rarity.map(|rare| self.rare(&target, rarity(rare), estimate));
        let mut text = match (estimate.around, rare) {
            (_, Some(rare)) => rare,
            (Some(around), None) if estimate.leaves_loop => {
                format!("{target} leaves {}", words.place(around))
            }
            (Some(around @ Place::Loop(header)), None) if header == self.to => {
                format!("it is the next iteration of {}", words.place(around))
            }
            (Some(around), None) => format!("{target} stays in {}", words.place(around)),
            (None, None) => format!("nothing makes {target} unlikely"),
        };
        if let Some(next) = &estimate.next_value {
            let condition = words.condition(&next.condition);
            text += &format!(
                "; the tested value is then {}, which changes the result of {condition}",
                next.value
            );
        }
        text
    }

    /// Why `target` is rare.
    fn rare(&self, target: &str, rarity: &str, estimate: &Estimate) -> String {
        let Some(derivation) = &estimate.derivation else { return format!("{target} {rarity}") };
        let origin = self.vocabulary.block(derivation.origin.block);
        let why = self.origin(&derivation.origin);
        match origin == target {
            true => format!("{target} {rarity}: it {why}"),
            false => format!("{target} {rarity}: it leads to {origin}, which {why}"),
        }
    }

    fn origin(&self, origin: &Origin) -> String {
        let call = origin.call.as_ref().map(|call| self.vocabulary.callee(call));
        let call = call.unwrap_or_else(|| "a function".to_string());
        match origin.reason {
            ColdReason::Unreachable if origin.deoptimizes => "ends in a deoptimization".to_string(),
            ColdReason::Unreachable => "ends in unreachable code".to_string(),
            ColdReason::Noreturn => format!("calls {call}, which does not return"),
            ColdReason::Unwind => "handles an exception".to_string(),
            ColdReason::Cold => format!("calls {call}, which is marked cold"),
        }
    }
}
