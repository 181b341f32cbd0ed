//! Collects the reasons for the probability of each edge.

use std::cell::RefCell;

use bpa_profile::bpi::{
    condition_weights, Decision, Derivation, EdgeEstimate, EdgeFacts, Explainer, Explanation, LogOdds,
    NamedCycle, Rule, RulePrediction, Via, WeightOwner,
};
use bpa_profile::cfg::Block;
use bpa_profile::facts::{
    Condition, ConstantKind, FloatPredicate, FunctionFacts, IntegerOperand, IrText, LoopConditions,
    Predicate, Terminator, UnreadProfile,
};
use bpa_profile::profile::Profile;
use bpa_profile::rules::RuleSet;
use bpa_schema::{
    Assumption, Cap, Cause, ColdReason, Contribution, LearnedScore, NextValue, Origin, OtherRule, Outcome,
    Rarity, Reason, WeightUse,
};
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;

/// The maximum number of features in an explanation of a model's score.
const MOST_FEATURES: usize = 6;

/// Computes the reasons for the edge probabilities of one function.
pub(crate) struct Reasons<'a, 'b, P, C> {
    function: &'a FunctionFacts,
    ir_text: &'a P,
    explainer: &'a mut Explainer<'b, C>,
    /// For each block that determines a weight, caches the description of this block. Without this cache, a long block
    /// would be searched several times for the same call.
    origins: RefCell<FxHashMap<Block, Origin<'static>>>,
}

impl<'a, 'b, P: IrText, C: LoopConditions> Reasons<'a, 'b, P, C> {
    /// Prepares the reasons for the probabilities of one function. `profile` is the profile of this function, and
    /// `explainer` must explain this function.
    pub(crate) fn new(profile: &'a Profile, explainer: &'a mut Explainer<'b, C>, ir_text: &'a P) -> Self {
        Reasons { function: profile.facts(), ir_text, explainer, origins: RefCell::default() }
    }

    /// The loops and cycles that the reasons name, if one of them is irreducible.
    pub(crate) fn cycles(&self) -> Vec<bpa_schema::Cycle> {
        let cycles = self.explainer.cycles();
        if !cycles.iter().any(|cycle| matches!(cycle.owner, WeightOwner::Cycle(_))) {
            return Vec::new();
        }
        let row = |cycle: NamedCycle| bpa_schema::Cycle {
            owner: cycle.owner.into(),
            parent: cycle.parent,
            blocks: cycle.blocks.iter().map(|block| block.index()).collect(),
        };
        cycles.into_iter().map(row).collect()
    }

    /// The explainer of the function.
    pub(crate) fn explainer(&mut self) -> &mut Explainer<'b, C> {
        self.explainer
    }

    /// The reason for each edge of `block`, in the order of its successors.
    pub(crate) fn of(&mut self, block: Block) -> Vec<Reason<'static>> {
        let explanation = self.explainer.explain(block);
        let targets = self.function.graph().successors(block);
        let edges = targets.iter().enumerate();
        edges
            .map(|(place, &target)| {
                ExplainedEdge { reasons: self, block, target, place }.reason(&explanation)
            })
            .collect()
    }

    fn derivation(&self, block: Block, target: Block) -> Option<bpa_schema::Derivation<'static>> {
        let Derivation { origin, reason, left_out, steps } = self.explainer.derivation(block, target)?;
        let mut origins = self.origins.borrow_mut();
        let origin = origins.entry(origin).or_insert_with(|| self.origin(origin, reason)).clone();
        let step = |step: &bpa_profile::bpi::DerivationStep| {
            let (via, only, raised) = match step.via {
                Via::PostDominance => (bpa_schema::Via::PostDominance, false, false),
                Via::Successor { only } => (bpa_schema::Via::Successor, only, false),
                Via::Exit { only, raised } => (bpa_schema::Via::Exit, only, raised),
            };
            bpa_schema::DerivationStep { via, only, raised, to: step.to.into() }
        };
        Some(bpa_schema::Derivation { origin, left_out, steps: steps.iter().map(step).collect() })
    }

    fn origin(&self, block: Block, reason: ColdReason) -> Origin<'static> {
        let call = match reason {
            ColdReason::Noreturn => self.ir_text.noreturn_call(block),
            ColdReason::Cold => self.ir_text.cold_call(block),
            ColdReason::Unreachable | ColdReason::Unwind => None,
        };
        let handles = reason == ColdReason::Unwind;
        let ends_here = self.function.blocks()[block].terminator == Terminator::Unreachable;
        Origin {
            block: block.index(),
            reason,
            call,
            pad: handles.then(|| self.ir_text.pad(block).into()),
            deoptimizes: reason == ColdReason::Unreachable && !ends_here,
        }
    }

    /// The condition of the terminator of `block`.
    fn condition(&self, block: Block) -> bpa_schema::Condition<'static> {
        let name = self.function.blocks()[block].condition.name().map(Into::into);
        bpa_schema::Condition { name, ..self.ir_text.condition(block) }
    }

    /// Classifies how rarely a block or loop runs, by its estimated weight.
    fn rarity(&self, weight: u32) -> Rarity {
        let numbers = self.explainer.rules().estimates();
        match weight {
            0 => Rarity::NeverCompletes,
            _ if weight <= numbers.noreturn.max(numbers.unwind) => Rarity::HardlyEver,
            _ => Rarity::Cold,
        }
    }
}

/// An edge whose probability is explained.
struct ExplainedEdge<'r, 'a, 'b, P, C> {
    reasons: &'r Reasons<'a, 'b, P, C>,
    block: Block,
    target: Block,
    /// The index of the edge among the successors of the block.
    place: usize,
}

impl<P: IrText, C: LoopConditions> ExplainedEdge<'_, '_, '_, P, C> {
    fn reason(&self, explanation: &Explanation) -> Reason<'static> {
        let function = self.reasons.function;
        let even = |rule, total, cause| Reason {
            rule,
            weight: 1,
            total,
            divisor: 1,
            undivided: None,
            cause,
            others: Vec::new(),
        };
        let count = function.graph().successors(self.block).len() as u32;
        match explanation {
            Explanation::SingleSuccessor => even(Rule::Single, 1, Cause::OnlySuccessor),
            Explanation::NotReached => {
                let has_weights = function.weights(self.block).is_some();
                even(Rule::Even, count, Cause::NotReached { has_weights })
            }
            Explanation::Decided(decision) => {
                let prediction = decision.decisive();
                let cause = self.cause(decision);
                // If the weights in the metadata have no effect, the reason reports the weight 1 for each edge.
                let is_even =
                    matches!(cause, Cause::Metadata { weights: WeightUse::Zero | WeightUse::Ignored, .. });
                let (weight, total) = match is_even {
                    true => (1, count),
                    false => (prediction.weights[self.place], prediction.total),
                };
                // The number of weights fits in 32 bits, and the divisor is at most this number.
                let divisor = if is_even { 1 } else { prediction.divisor.try_into().unwrap_or(u32::MAX) };
                let undivided = (divisor > 1).then(|| prediction.undivided[self.place]);
                let (rule, others) = (prediction.rule, self.others(decision));
                Reason { rule, weight, total, divisor, undivided, cause, others }
            }
        }
    }

    fn cause(&self, decision: &Decision) -> Cause<'static> {
        match decision.decisive().rule {
            Rule::Metadata => self.metadata(decision),
            Rule::Learned => Cause::Learned { score: self.learned() },
            Rule::EstimatedWeights => Cause::Estimate(self.estimate(&decision.edges[self.place])),
            rule @ (Rule::Pointer | Rule::Constant | Rule::FloatingPoint) => Cause::Condition {
                condition: self.reasons.condition(self.block),
                holds: self.place == 0,
                assumes: self.assumption(rule),
            },
            // If a block has several successors, the analysis returns neither `Single` nor `Update`.
            Rule::Even | Rule::Single | Rule::Update => self.even(),
        }
    }

    fn metadata(&self, decision: &Decision) -> Cause<'static> {
        let prediction = decision.decisive();
        if decision.dead_ends == prediction.weights.len() {
            return Cause::Metadata { weights: WeightUse::Ignored, cap: None, derivation: self.derivation() };
        }
        let weights = if prediction.total == 0 { WeightUse::Zero } else { WeightUse::Used };
        if decision.edges[self.place].never_completes() {
            return Cause::Metadata { weights, cap: Some(Cap::This), derivation: self.derivation() };
        }
        let cap = (decision.dead_ends > 0).then_some(Cap::Others);
        Cause::Metadata { weights, cap, derivation: None }
    }

    /// The score of the model, and the features that contribute most to the score.
    fn learned(&self) -> Option<LearnedScore<'static>> {
        let predictions = self.reasons.explainer.predictions().expect("a prediction decided");
        let LogOdds { of_switch, start, contributions } = predictions.explain(self.block, self.place)?;
        let amount = |amount: i64| amount as f64 / 65_536.0;
        let others = contributions.iter().skip(MOST_FEATURES).map(|one| one.amount).sum();
        let most = contributions.into_iter().take(MOST_FEATURES).map(|one| Contribution {
            name: one.feature.into(),
            value: one.value,
            amount: amount(one.amount),
        });
        Some(LearnedScore {
            is_switch: of_switch,
            start: amount(start),
            features: most.collect(),
            others: amount(others),
        })
    }

    fn estimate(&self, facts: &EdgeFacts) -> bpa_schema::Estimate<'static> {
        let EdgeEstimate { known, leaves_cycle, unlikely } = facts.estimate;
        let numbers = self.reasons.explainer.rules().estimates();
        let ratios = [(leaves_cycle, numbers.around_loop), (unlikely, numbers.unlikely)];
        bpa_schema::Estimate {
            end: facts.end.into(),
            rarity: known.map(|weight| self.reasons.rarity(weight)),
            around: facts.around.map(Into::into),
            leaves_loop: leaves_cycle && !facts.stays_in_component,
            treated_as_exit: leaves_cycle && facts.stays_in_component,
            base: known.unwrap_or(numbers.default),
            ratios: ratios.iter().filter(|(applies, _)| *applies).map(|&(_, ratio)| ratio).collect(),
            next_value: facts.unlikely_constant.as_ref().map(|value| NextValue {
                value: value.clone().into(),
                condition: self.reasons.condition(self.block),
            }),
            derivation: self.derivation(),
        }
    }

    fn assumption(&self, rule: Rule) -> Assumption<'static> {
        let condition = self.reasons.function.blocks()[self.block].condition;
        assumption(rule, condition, self.reasons.explainer.rules())
    }

    fn even(&self) -> Cause<'static> {
        let facts = &self.reasons.function.blocks()[self.block];
        let is_branch = facts.terminator == Terminator::Branch;
        let is_bit = matches!(facts.condition, Condition::Integer { operand: IntegerOperand::SingleBit, .. });
        Cause::Even {
            terminator: facts.terminator.opcode().into(),
            condition: is_branch.then(|| self.reasons.condition(self.block)),
            is_bit: is_branch && is_bit,
            derivation: self.derivation(),
        }
    }

    /// The derivation of the edge's estimated weight, or `None` if the edge has no estimated weight.
    fn derivation(&self) -> Option<bpa_schema::Derivation<'static>> {
        self.reasons.derivation(self.block, self.target)
    }

    /// The rules that do not decide the prediction, in the order of evaluation.
    fn others(&self, decision: &Decision) -> Vec<OtherRule<'static>> {
        let decisive = decision.decisive().rule;
        let rules = self.reasons.explainer.rules().rules();
        let other = |rule: Rule, outcome| OtherRule { rule, outcome };
        let mut others = Vec::new();
        if !rules.contains(&Rule::Metadata) {
            others.push(other(Rule::Metadata, Outcome::LeftOut));
        }
        for &rule in rules.iter().take_while(|&&rule| rule != decisive) {
            others.extend(self.why_not(rule, decision).map(|outcome| other(rule, outcome)));
        }
        let predicts = |prediction: &RulePrediction| Outcome::Predicts {
            weight: prediction.weights[self.place],
            total: prediction.total,
            percent: prediction.probabilities[self.place].percentage(),
        };
        others.extend(
            decision.predictions[1..].iter().map(|prediction| other(prediction.rule, predicts(prediction))),
        );
        others
    }

    /// The reason why a rule does not apply. For a rule about conditions, the result is `None`, because the condition
    /// explains why the rule does not apply.
    fn why_not(&self, rule: Rule, decision: &Decision) -> Option<Outcome<'static>> {
        match rule {
            Rule::Metadata => Some(self.no_metadata()),
            Rule::EstimatedWeights if decision.dead_ends > 0 => Some(Outcome::ZeroSum),
            Rule::EstimatedWeights => Some(Outcome::NothingEstimated),
            Rule::Pointer | Rule::Constant | Rule::FloatingPoint => None,
            Rule::Single | Rule::Learned | Rule::Even | Rule::Update => None,
        }
    }

    /// The reason why the metadata of the block is not used.
    fn no_metadata(&self) -> Outcome<'static> {
        let kind = self.reasons.function.blocks()[self.block].terminator;
        match self.reasons.ir_text.unread_profile(self.block, kind) {
            None => Outcome::NoMetadata,
            Some(UnreadProfile::Terminator) => Outcome::UnreadTerminator(kind.opcode().into()),
            Some(UnreadProfile::Name(name)) => Outcome::OtherMetadata(name.into()),
            Some(UnreadProfile::Count { weights, successors }) => Outcome::WrongCount { weights, successors },
            Some(UnreadProfile::NoNumber) => Outcome::NotANumber,
        }
    }
}

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
