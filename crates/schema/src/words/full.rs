//! Renders all data of a reason as lines of text, as `rust-bpi<explain>` prints them.

use super::derivation::{derivation, rarity};
use super::{counted, Explained, Vocabulary};
use crate::{
    Assumption, Cap, Cause, Estimate, LearnedScore, OtherRule, Outcome, Reason, Rule, WeightOwner, WeightUse,
};

/// Renders a reason as sentences.
pub fn full(explained: &Explained<impl Vocabulary>) -> Vec<String> {
    let reason = explained.reason;
    let share = format!("{}, {} of {}", explained.name(), reason.weight, reason.total);
    let mut lines = vec![format!("{share}: {}.", explained.clause())];
    if reason.divisor > 1 {
        let undivided =
            reason.undivided.map_or(String::new(), |weight| format!(": {weight} / {}", reason.divisor));
        lines.push(format!("All weights are divided so that their sum fits in 32 bits{undivided}."));
    }
    lines.extend(explained.details());
    lines.extend(others(reason));
    lines
}

/// Renders the predictions of the other rules, or the reasons why these rules do not apply. The result is `None` if no
/// rule was applied.
pub fn others(reason: &Reason) -> Option<String> {
    let others: Vec<String> = reason.others.iter().map(other_rule).collect();
    (!others.is_empty()).then(|| format!("Other rules: {}.", others.join("; ")))
}

impl<V: Vocabulary> Explained<'_, V> {
    /// The name at the beginning of the text: the rule or the cause.
    fn name(&self) -> String {
        match self.reason.cause {
            Cause::OnlySuccessor => "single successor".to_string(),
            Cause::NotReached { .. } => "not reached".to_string(),
            _ => self.reason.rule.to_string(),
        }
    }

    /// The reason as one clause, without the names of rules and without weights.
    pub fn clause(&self) -> String {
        let words = self.vocabulary;
        let source = || words.block(self.from);
        match &self.reason.cause {
            Cause::OnlySuccessor => format!("{} has no other successor", source()),
            Cause::NotReached { has_weights } => {
                let ignored = match has_weights {
                    true => "neither rules nor branch weights are used",
                    false => "no rule is applied",
                };
                format!("{} is not reachable from the entry: {ignored}", source())
            }
            Cause::Metadata { weights: WeightUse::Used, .. } => match self.reason.undivided {
                Some(weight) => format!("its branch weight {weight}"),
                None => "its branch weight".to_string(),
            },
            Cause::Metadata { weights: WeightUse::Zero, .. } => {
                format!("the branch weights of {} are all 0: equal probabilities", source())
            }
            Cause::Metadata { weights: WeightUse::Ignored, .. } => {
                format!("no successor of {} completes, so its branch weights are ignored", source())
            }
            Cause::Learned { score: Some(_) } => "predicted by a model trained on profiles".to_string(),
            Cause::Learned { score: None } => {
                "LLVM's prediction for a rare destination; the model predicts the other edges".to_string()
            }
            Cause::Estimate(estimate) => self.estimate(estimate),
            Cause::Condition { condition, holds, assumes } => {
                let holds = if *holds { "holds" } else { "does not hold" };
                format!("taken if {} {holds}; {}", words.condition(condition), assumption(assumes))
            }
            Cause::Even { condition: Some(condition), is_bit: true, .. } => {
                format!("no rule applies to {}, which tests one bit", words.condition(condition))
            }
            Cause::Even { condition: Some(condition), .. } => {
                format!("no rule applies to {}", words.condition(condition))
            }
            Cause::Even { terminator, .. } => format!("no rule applies to a {terminator}"),
        }
    }

    /// The sentences that follow the first sentence. Each item is one line.
    pub fn details(&self) -> Vec<String> {
        let (note, derived) = match &self.reason.cause {
            Cause::Metadata { cap, derivation, .. } => {
                let note = cap.map(|cap| match cap {
                    Cap::This => "The probability is at most 1 / 2147483648 because the destination never completes.",
                    Cap::Others => {
                        "The probabilities of edges to destinations that never complete are limited, so this edge is \
                         more likely."
                    }
                });
                (note.map(String::from), derivation.as_ref())
            }
            Cause::Learned { score: Some(score) } => (Some(log_odds(score)), None),
            Cause::Estimate(estimate) if !estimate.is_only_its_origin() => {
                (None, estimate.derivation.as_ref())
            }
            Cause::Even { derivation, .. } => (None, derivation.as_ref()),
            _ => (None, None),
        };
        let derived = derived.map(|derived| derivation(derived, self.vocabulary) + ".");
        note.into_iter().chain(derived).collect()
    }

    fn estimate(&self, estimate: &Estimate) -> String {
        let text = match &estimate.derivation {
            Some(derived) if estimate.is_only_its_origin() => derivation(derived, self.vocabulary),
            _ => self.estimate_without_derivation(estimate),
        };
        text + &self.next_value(estimate) + &arithmetic(estimate)
    }

    fn estimate_without_derivation(&self, estimate: &Estimate) -> String {
        let name = |one: WeightOwner| self.vocabulary.weight_owner(one);
        let target = name(estimate.end);
        match (estimate.around, estimate.rarity.map(rarity)) {
            (Some(around), None) if estimate.leaves_loop => format!("it leaves {}", name(around)),
            (Some(around), Some(rarity)) if estimate.leaves_loop => {
                format!("it leaves {} for {target}, which {rarity}", name(around))
            }
            (Some(around), rarity) if estimate.treated_as_exit => {
                let rarity = rarity.map_or(String::new(), |rarity| format!(", which {rarity}"));
                let around = name(around);
                format!("LLVM treats it as an exit of {around}, because it enters {target} inside the cycle{rarity}")
            }
            (_, Some(rarity)) => format!("{target} {rarity}"),
            (Some(WeightOwner::Loop(header)), None) if header == self.to => {
                format!("it starts the next iteration of the loop of {target}")
            }
            (Some(around), None) => format!("it stays in {}", name(around)),
            (None, None) => format!("no rule makes {target} unlikely"),
        }
    }
}

impl Estimate<'_> {
    /// Whether the edge's destination itself is the origin of the edge's weight. In this case, one clause describes
    /// the edge and the origin.
    fn is_only_its_origin(&self) -> bool {
        !self.leaves_loop
            && !self.treated_as_exit
            && self.derivation.as_ref().is_some_and(|derivation| derivation.steps.is_empty())
    }
}

/// A text that shows how the edge's weight is computed from the destination's weight. If the weights are equal, the
/// text is empty.
fn arithmetic(estimate: &Estimate) -> String {
    let by: String = estimate.ratios.iter().map(|&ratio| division(ratio)).collect();
    match estimate.base {
        _ if by.is_empty() => String::new(),
        0 => String::new(),
        1 => format!(": 1{by}, but at least 1"),
        base => format!(": {base}{by}"),
    }
}

/// Formats the multiplication of a weight by `less / more`. Examples: ` / 31`, ` x 2 / 3`.
fn division([more, less]: [u32; 2]) -> String {
    if more % less == 0 {
        format!(" / {}", more / less)
    } else {
        format!(" x {less} / {more}")
    }
}

fn log_odds(score: &LearnedScore) -> String {
    let when = if score.is_switch {
        ", before the probabilities of all successors are scaled to the sum 1"
    } else {
        ""
    };
    let features: String = score
        .features
        .iter()
        .map(|feature| format!("{} = {} {:+.2}; ", feature.name, feature.value, feature.amount))
        .collect();
    format!("Log-odds{when}: start {:+.2}; {features}others {:+.2}.", score.start, score.others)
}

/// What a rule assumes about a condition, for example "pointers are rarely equal".
pub(crate) fn assumption(assumption: &Assumption) -> String {
    let text = match assumption {
        Assumption::PointersDiffer => "pointers are rarely equal",
        Assumption::StringsDiffer => "strings are rarely equal",
        Assumption::NotNegative => "numbers are rarely negative",
        Assumption::Positive => "numbers are rarely 0 or negative",
        Assumption::NotMinusOne => "numbers are rarely -1",
        Assumption::NotZero => "numbers are rarely 0",
        Assumption::NotNan => "a floating point number is rarely NaN",
        Assumption::UnorderedEqualityFails => "LLVM predicts only this kind of equality test as unlikely",
        Assumption::EqualityHolds => "LLVM predicts all equality tests except fcmp ueq as likely",
        Assumption::Nothing => "no rule applies",
        Assumption::OwnNumbers { predictor, condition } => {
            return format!("{predictor} has its own weights for {}", condition.as_deref().unwrap_or("it"));
        }
    };
    text.to_string()
}

/// Describes the result of a rule that did not decide the prediction. Examples: `no metadata`, `even 50.00%`.
fn other_rule(other: &OtherRule) -> String {
    match &other.outcome {
        Outcome::LeftOut => format!("{} left out", other.rule),
        Outcome::NoMetadata => "no metadata".to_string(),
        Outcome::UnreadTerminator(terminator) => format!("metadata not read from a {terminator}"),
        Outcome::OtherMetadata(name) if name == "unknown" => "metadata: the profile is unknown".to_string(),
        Outcome::OtherMetadata(name) => format!("metadata '{name}' is not branch_weights"),
        Outcome::WrongCount { weights, successors } => format!(
            "metadata not read: {} for {}",
            counted(*weights, "weight"),
            counted(*successors, "successor")
        ),
        Outcome::NotANumber => "metadata not read: a weight is not a number".to_string(),
        Outcome::NothingEstimated => "no estimated weights".to_string(),
        Outcome::ZeroSum => "estimated weights add up to 0".to_string(),
        Outcome::Predicts { percent, .. } if other.rule == Rule::Even => format!("even {percent:.2}%"),
        Outcome::Predicts { weight, total, percent } => {
            format!("{} {weight} of {total} = {percent:.2}%", other.rule)
        }
    }
}
