//! Renders a reason as one sentence about the source.

use super::derivation::rarity;
use super::full::assumption;
use super::{Explained, Vocabulary};
use crate::{
    Assumption, Cap, Cause, ColdReason, Condition, Estimate, LearnedScore, Origin, WeightOwner, WeightUse,
};

/// Renders a reason as one sentence, without estimated weights and without the predictions of other rules.
pub fn short(explained: &Explained<impl Vocabulary>) -> String {
    let Explained { reason, to, vocabulary: words, .. } = explained;
    match &reason.cause {
        Cause::OnlySuccessor => "there is one successor".to_string(),
        Cause::NotReached { .. } => "this branch is not reachable from the function's entry".to_string(),
        Cause::Metadata { cap: Some(Cap::This), .. } => format!("{} never completes", words.block(*to)),
        Cause::Metadata { weights: WeightUse::Used, .. } => {
            let share = format!("{} of {}", reason.weight, reason.total);
            match reason.undivided {
                Some(weight) => format!(
                    "a profile or a hint gives the edge the branch weight {weight}, which LLVM scales to {share}"
                ),
                None => format!("a profile or a hint gives the edge the branch weight {share}"),
            }
        }
        Cause::Metadata { weights: WeightUse::Zero, .. } => "all its branch weights are 0".to_string(),
        Cause::Metadata { weights: WeightUse::Ignored, .. } => {
            "the branch weights are ignored because no successor completes".to_string()
        }
        Cause::Learned { score: Some(score) } => learned(score),
        Cause::Learned { score: None } => {
            "LLVM's prediction for a rare successor; the model predicts the other successors".to_string()
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

/// A clause with the features that contribute most to the model's prediction.
fn learned(score: &LearnedScore) -> String {
    let most = score.features.iter().take(3).map(|one| format!("{} = {}", one.name, one.value));
    let most: Vec<String> = most.collect();
    match most.is_empty() {
        true => "predicted by a model trained on profiles".to_string(),
        false => format!("predicted by a model trained on profiles, mostly because {}", most.join(", ")),
    }
}

/// The source construct from which clang usually generates a terminator.
fn construct(terminator: &str) -> &str {
    match terminator {
        "br" => "branch",
        "invoke" => "call that may throw",
        "callbr" => "assembly goto",
        "indirectbr" => "computed goto",
        other => other,
    }
}

/// The assumption of a rule about a condition, as text. If a pointer is compared with null, the text mentions null.
fn assumption_about(assumes: &Assumption, condition: &Condition) -> String {
    let is_null = condition.operands.iter().any(|operand| operand == "null");
    match assumes {
        Assumption::PointersDiffer if is_null => "pointers are rarely null".to_string(),
        Assumption::UnorderedEqualityFails => "LLVM predicts it as unlikely".to_string(),
        Assumption::EqualityHolds => "LLVM predicts it as likely".to_string(),
        other => assumption(other),
    }
}

impl<V: Vocabulary> Explained<'_, V> {
    fn short_estimate(&self, estimate: &Estimate) -> String {
        let words = self.vocabulary;
        let target = words.block(self.to);
        let rare = estimate.rarity.map(|rare| self.rare(&target, rarity(rare), estimate));
        let text = match (estimate.around, rare) {
            (_, Some(rare)) => rare,
            (Some(around), None) if estimate.leaves_loop => {
                format!("the edge to {target} leaves {}", words.weight_owner(around))
            }
            (Some(around), None) if estimate.treated_as_exit => {
                let (around, inner) = (words.weight_owner(around), words.weight_owner(estimate.end));
                format!("LLVM treats the edge to {target} as an exit of {around}, because it enters {inner}")
            }
            (Some(around @ WeightOwner::Loop(header)), None) if header == self.to => {
                format!("it starts the next iteration of {}", words.weight_owner(around))
            }
            (Some(around), None) => format!("the edge to {target} stays in {}", words.weight_owner(around)),
            (None, None) => format!("no rule makes {target} unlikely"),
        };
        text + &self.next_value(estimate)
    }

    /// A clause with the reason why `target` is unlikely.
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
            ColdReason::Unwind => "runs only if an exception is thrown".to_string(),
            ColdReason::Cold => format!("calls {call}, which has the attribute cold"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reason;

    /// A vocabulary in which block 8 has the name `line 8`.
    struct Lines;

    impl Vocabulary for Lines {
        fn block(&self, block: usize) -> String {
            format!("line {block}")
        }

        fn condition(&self, _: &Condition) -> String {
            "`p == q`".to_string()
        }
    }

    /// Renders a reason for the edge from line 1 to line 2. The argument `cause` is the JSON of the reason's cause.
    fn sentence(rule: &str, cause: &str) -> String {
        let json = format!(r#"{{"rule":"{rule}","weight":1,"total":4,"cause":{cause}}}"#);
        let reason: Reason = serde_json::from_str(&json).expect("a reason");
        short(&Explained { reason: &reason, from: 1, to: 2, vocabulary: &Lines })
    }

    #[test]
    fn pointers_are_compared_with_null_or_each_other() {
        let cause = |right: &str| {
            format!(
                r#"{{"kind":"condition","condition":{{"predicate":"icmp eq","operands":["%p","{right}"]}},
                "holds":true,"assumes":"pointers-differ"}}"#
            )
        };
        let equal = sentence("pointer", &cause("%q"));
        assert_eq!(equal, "`p == q`: pointers are rarely equal (pointer rule)");
        let null = sentence("pointer", &cause("null"));
        assert_eq!(null, "`p == q`: pointers are rarely null (pointer rule)");
    }

    #[test]
    fn a_rare_block_is_named_unless_it_is_the_successor() {
        let cause = |origin: usize| {
            format!(
                r#"{{"kind":"estimate","end":{{"block":2}},"rarity":"cold","base":65535,"derivation":{{"origin":
                {{"block":{origin},"reason":"cold","call":{{"callee":"@grow","is_call_site_attribute":true}}}}}}}}"#
            )
        };
        let rule = "estimated weights";
        assert_eq!(sentence(rule, &cause(2)), "line 2 is cold: it calls @grow, which has the attribute cold");
        let elsewhere = "line 2 is cold: it leads to line 7, which calls @grow, which has the attribute cold";
        assert_eq!(sentence(rule, &cause(7)), elsewhere);
    }

    #[test]
    fn edges_leave_a_loop_or_start_its_next_iteration() {
        let cause = |rest: &str| format!(r#"{{"kind":"estimate","end":{{"block":2}},"base":9,{rest}}}"#);
        let rule = "estimated weights";
        let leaves = sentence(rule, &cause(r#""around":{"loop":1},"leaves_loop":true"#));
        assert_eq!(leaves, "the edge to line 2 leaves the loop of line 1");
        let again = sentence(rule, &cause(r#""around":{"loop":2}"#));
        assert_eq!(again, "it starts the next iteration of the loop of line 2");
    }
}
