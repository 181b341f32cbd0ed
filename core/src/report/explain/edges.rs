//! Why each edge has its probability.

use super::derivation::Wording;
use super::{counted, is_unclear, write_reason};
use crate::bpi::{judge, Answer, Decision, EdgeEstimate, EdgeFacts, Explainer, Explanation, Place, Rule};
use crate::cfg::{table, Block};
use crate::facts::{
    Condition, FloatPredicate, FunctionFacts, IntegerConstant, IntegerOperand, IntegerPredicate, IrText,
    LoopConditions, Terminator, UnreadProfile,
};
use crate::predictor::{EstimateWeights, ModelPart, Predictor};
use crate::profile::Profile;
use crate::report::places::way_in_words;
use crate::report::probabilities::{percentage, write_edge, HEADING};

/// So many features are told of what a model says.
const MOST_FEATURES: usize = 6;

/// Appends the probabilities of every edge to `out`, and under each why it is what it is.
///
/// `explainer` explains the function of `profile`, which has not been changed; the rest is as for
/// [`write_probabilities`](crate::report::write_probabilities).
pub fn write_explained_probabilities(
    profile: &Profile,
    explainer: &mut Explainer<impl LoopConditions>,
    ir_text: &impl IrText,
    write_name: impl Fn(Block, &mut Vec<u8>),
    out: &mut Vec<u8>,
) {
    let (function, result) = (profile.facts(), profile.branch_probabilities());
    let graph = profile.graph();
    out.extend_from_slice(HEADING);
    let unclear = |block| is_unclear(block, &write_name, ir_text);
    let wording = Wording::new(function, explainer.predictor(), ir_text);
    let mut totals = table(graph.block_count(), 0);
    let mut parallel = table(graph.block_count(), 0usize);
    for block in graph.blocks() {
        let targets = graph.successors(block);
        targets.iter().for_each(|&target| parallel[target] += 1);
        let explanation = explainer.explain(block);
        let no_metadata = &why_no_metadata(block, function.blocks[block].terminator, ir_text);
        let mut place = 0;
        result.for_each_target(graph, block, &mut totals, |target, probability| {
            write_edge(block, target, probability, &write_name, out);
            if unclear(block) || unclear(target) {
                let [source, target] = [block, target].map(|block| ir_text.block_name(block));
                write_reason(out, &format!("({source} -> {target})"));
            }
            let wording = &wording;
            let edge = Edge { function, ir_text, explainer, wording, no_metadata, block, target, place };
            edge.explain(&explanation, out);
            if parallel[target] > 1 {
                let line =
                    format!("{} edges lead there; the probability is that of all of them.", parallel[target]);
                write_reason(out, &line);
            }
            if targets.len() > 1 {
                write_places(block, target, ir_text, out);
            }
            place += 1;
        });
        targets.iter().for_each(|&target| parallel[target] = 0);
    }
}

/// Where in the source the branch of `block` stands, and where its way to `target` leads, if that is known.
fn write_places(block: Block, target: Block, ir_text: &impl IrText, out: &mut Vec<u8>) {
    let branch = ir_text.source(block).and_then(|source| source.branch.as_ref());
    let first = ir_text.source(target).and_then(|source| source.first.as_ref());
    if let Some(words) = way_in_words(branch, first) {
        write_reason(out, &format!("source: {words}."));
    }
}

/// Of each edge of the function of `profile`, the lines that [`write_explained_probabilities`] has under it, but for
/// those about which edge it is and where it leads.
pub fn edge_reasons(
    profile: &Profile,
    explainer: &mut Explainer<impl LoopConditions>,
    ir_text: &impl IrText,
) -> Vec<Vec<String>> {
    let function = profile.facts();
    let graph = profile.graph();
    let wording = Wording::new(function, explainer.predictor(), ir_text);
    let mut reasons = Vec::new();
    for block in graph.blocks() {
        let explanation = explainer.explain(block);
        let no_metadata = &why_no_metadata(block, function.blocks[block].terminator, ir_text);
        for (place, &target) in graph.successors(block).iter().enumerate() {
            let (wording, explainer) = (&wording, &*explainer);
            let edge = Edge { function, ir_text, explainer, wording, no_metadata, block, target, place };
            let mut text = Vec::new();
            edge.explain(&explanation, &mut text);
            reasons
                .push(String::from_utf8_lossy(&text).lines().map(|line| line.trim_start().into()).collect());
        }
    }
    reasons
}

/// One edge, and whom to ask about it.
struct Edge<'a, 'b, P, C> {
    function: &'a FunctionFacts,
    ir_text: &'a P,
    explainer: &'a Explainer<'b, C>,
    wording: &'a Wording<'a, P>,
    /// Why no metadata decides about the block, if that is so.
    no_metadata: &'a str,
    block: Block,
    target: Block,
    /// Which of the edges from the block it is.
    place: usize,
}

impl<P: IrText, C: LoopConditions> Edge<'_, '_, P, C> {
    fn explain(&self, explanation: &Explanation, out: &mut Vec<u8>) {
        let source = self.ir_text.block_name(self.block);
        match explanation {
            Explanation::OneWay => {
                write_reason(out, &format!("single successor, 1 of 1: {source} goes nowhere else."));
            }
            Explanation::NotReached => {
                let count = self.function.graph.successors(self.block).len();
                let ignored = match self.function.weights(self.block) {
                    Some(_) => "neither rules nor branch weights count",
                    None => "no rule is asked",
                };
                let line =
                    format!("not reached, 1 of {count}: the entry does not reach {source}: {ignored}.");
                write_reason(out, &line);
            }
            Explanation::Decided(decision) => {
                let answer = decision.decisive();
                match answer.rule {
                    Rule::Metadata => self.metadata(decision, out),
                    Rule::Learned => self.learned(answer, out),
                    Rule::EstimatedWeights => self.estimate(decision, out),
                    Rule::Even => self.even(decision, out),
                    _ => self.condition(answer, out),
                }
                write_reason(out, &self.other_rules(decision));
            }
        }
    }

    /// The beginning of a reason: the rule, and which share of the whole the edge has.
    fn share(&self, answer: &Answer) -> String {
        format!("{}, {} of {}", answer.rule.name(), answer.weights[self.place], answer.total)
    }

    /// What a model says, and what moved it.
    fn learned(&self, answer: &Answer, out: &mut Vec<u8>) {
        let predictions = self.function.predictions().expect("a model was asked");
        let prediction = predictions.of(self.block).expect("it has answered");
        let Some(row) = prediction.rows[self.place] else {
            let reason =
                "as LLVM's rules have it, since they know where it leads; the rest is what was learned.";
            return write_reason(out, &format!("{}: {reason}", self.share(answer)));
        };
        write_reason(out, &format!("{}: by what was learned from profiles.", self.share(answer)));
        let (part, rows, when) = match self.function.blocks()[self.block].terminator {
            Terminator::Switch => {
                (ModelPart::Switch, predictions.switch_rows(), ", before all sides are made one")
            }
            _ => (ModelPart::TwoWay, predictions.two_way_rows(), ""),
        };
        let sign = if part == ModelPart::TwoWay && self.place == 1 { -1 } else { 1 };
        let moved = self.moved(part, rows.row(row as usize), sign);
        write_reason(out, &format!("Log-odds{when}: {moved}."));
    }

    /// The features that moved an answer of `part` most: by how much they raised the logarithm of the odds, times `sign`.
    fn moved(&self, part: ModelPart, features: &[i32], sign: i64) -> String {
        let model = self.explainer.predictor().model().expect("it has answered");
        let (start, moved) = model.part(part).expect("it has answered").contributions(features);
        let names = part.feature_names();
        let amount = |amount: i64| format!("{:+.2}", (sign * amount) as f64 / 65_536.0);
        let told = moved.iter().take(MOST_FEATURES).map(|one| {
            format!("{} = {} {}; ", names[one.feature], features[one.feature], amount(one.amount))
        });
        let others: i64 = moved.iter().skip(MOST_FEATURES).map(|one| one.amount).sum();
        format!("start {}; {}others {}", amount(start), told.collect::<String>(), amount(others))
    }

    fn metadata(&self, decision: &Decision, out: &mut Vec<u8>) {
        let answer = decision.decisive();
        let count = answer.weights.len();
        let source = self.ir_text.block_name(self.block);
        if decision.dead_ends == count {
            let line = format!(
                "metadata, 1 of {count}: no successor of {source} completes, so its branch weights are not believed."
            );
            write_reason(out, &line);
            return self.derivation(out);
        }
        if answer.total == 0 {
            let line =
                format!("metadata, 1 of {count}: the branch weights of {source} are all 0: even shares.");
            write_reason(out, &line);
        } else {
            write_reason(out, &format!("{}: its branch weight.", self.share(answer)));
            self.divisor(answer, out);
        }
        if decision.edges[self.place].never_completes() {
            write_reason(out, "Capped at 1 of 2147483648, since what it leads to never completes.");
            self.derivation(out);
        } else if decision.dead_ends > 0 {
            let line = "Edges to what never completes are capped; the others share what that frees.";
            write_reason(out, line);
        }
    }

    fn estimate(&self, decision: &Decision, out: &mut Vec<u8>) {
        let answer = decision.decisive();
        let facts = &decision.edges[self.place];
        let derivation = self.explainer.derivation(self.block, self.target).map(|derivation| {
            let told_at_once = derivation.steps.is_empty() && !facts.estimate.leaves_cycle;
            (told_at_once, self.wording.derivation(&derivation))
        });
        let mut words = match &derivation {
            Some((true, derivation)) => derivation.clone(),
            _ => self.estimate_words(facts),
        };
        if let Some(constant) = &facts.unlikely_constant {
            let condition = self.ir_text.condition(self.block);
            words += &format!(
                ", but then the tested value comes back as {constant}, and {condition} goes the other way"
            );
        }
        words += &arithmetic(facts.estimate, self.explainer.predictor().estimates());
        write_reason(out, &format!("{}: {words}.", self.share(answer)));
        self.divisor(answer, out);
        if let Some((false, derivation)) = derivation {
            write_reason(out, &(derivation + "."));
        }
    }

    /// What is known of the edge.
    fn estimate_words(&self, facts: &EdgeFacts) -> String {
        let EdgeFacts { estimate, end, around, .. } = *facts;
        let name = |place: Place| self.wording.place(place);
        let target = name(end);
        match (around, estimate.known) {
            (Some(cycle), None) if estimate.leaves_cycle => format!("it leaves {}", name(cycle)),
            (Some(cycle), Some(weight)) if estimate.leaves_cycle => {
                format!("it leaves {} for {target}, which {}", name(cycle), self.wording.meaning(weight))
            }
            (_, Some(weight)) => format!("{target} {}", self.wording.meaning(weight)),
            (Some(Place::Loop(header)), None) if header == self.target => {
                format!("it goes round the loop of {target}")
            }
            (Some(cycle), None) => format!("it stays in {}", name(cycle)),
            (None, None) => format!("nothing speaks against {target}"),
        }
    }

    fn condition(&self, answer: &Answer, out: &mut Vec<u8>) {
        let test = self.ir_text.condition(self.block);
        let holds = if self.place == 0 { "holds" } else { "does not hold" };
        let saying = saying(self.function.blocks[self.block].condition, self.explainer.predictor());
        write_reason(out, &format!("{}: taken if {test} {holds}; {saying}.", self.share(answer)));
    }

    fn even(&self, decision: &Decision, out: &mut Vec<u8>) {
        let facts = &self.function.blocks[self.block];
        let why = match (facts.terminator, facts.condition) {
            (Terminator::Branch, Condition::Integer { operand: IntegerOperand::SingleBit, .. }) => {
                format!("{} tests one bit, which tells nothing", self.ir_text.condition(self.block))
            }
            (Terminator::Branch, _) => format!("{} tells nothing", self.ir_text.condition(self.block)),
            (other, _) => format!("no rule knows what a {} goes by", terminator_name(other)),
        };
        write_reason(out, &format!("{}: {why}.", self.share(decision.decisive())));
        self.derivation(out);
    }

    /// Where the estimated weight comes from, if there is one.
    fn derivation(&self, out: &mut Vec<u8>) {
        if let Some(derivation) = self.explainer.derivation(self.block, self.target) {
            write_reason(out, &(self.wording.derivation(&derivation) + "."));
        }
    }

    fn divisor(&self, answer: &Answer, out: &mut Vec<u8>) {
        if answer.divisor > 1 {
            let line =
                format!("All weights are divided by {}, so that their sum fits 32 bits.", answer.divisor);
            write_reason(out, &line);
        }
    }

    /// What the rules that did not decide say, in their order.
    fn other_rules(&self, decision: &Decision) -> String {
        let decisive = decision.decisive().rule;
        let rules = self.explainer.predictor().rules();
        let mut words = Vec::new();
        if !rules.contains(&Rule::Metadata) {
            words.push("metadata left out".to_string());
        }
        for silent in rules.iter().take_while(|&&rule| rule != decisive) {
            words.extend(self.why_silent(*silent, decision));
        }
        for other in &decision.answers[1..] {
            let percent = percentage(other.probabilities[self.place]);
            words.push(match other.rule {
                Rule::Even => format!("even {percent:.2}%"),
                _ => format!("{} = {percent:.2}%", self.share(other).replace(", ", " ")),
            });
        }
        format!("Other rules: {}.", words.join("; "))
    }

    /// Why a rule has no answer, where there is more to tell than that it does not know the condition.
    fn why_silent(&self, rule: Rule, decision: &Decision) -> Option<String> {
        match rule {
            Rule::Metadata => Some(self.no_metadata.to_string()),
            Rule::EstimatedWeights if decision.dead_ends > 0 => {
                Some("estimated weights add up to 0".to_string())
            }
            Rule::EstimatedWeights => Some("nothing estimated".to_string()),
            _ => None,
        }
    }
}

/// Why the metadata of `block`, whose terminator is of `kind`, is none to go by.
fn why_no_metadata(block: Block, kind: Terminator, ir_text: &impl IrText) -> String {
    match ir_text.unread_profile(block, kind) {
        None => "no metadata".to_string(),
        Some(UnreadProfile::Terminator) => format!("metadata not read from a {}", terminator_name(kind)),
        Some(UnreadProfile::Name(name)) => format!("metadata '{name}' is not branch_weights"),
        Some(UnreadProfile::Count { weights, successors }) => format!(
            "metadata not read, with {} for {}",
            counted(weights, "weight"),
            counted(successors, "successor")
        ),
        Some(UnreadProfile::NoNumber) => "metadata not read, a weight is no number".to_string(),
    }
}

/// How the weight of what the edge leads to became that of the edge, if it did not stay the same.
fn arithmetic(estimate: EdgeEstimate, numbers: &EstimateWeights) -> String {
    let known = estimate.known.unwrap_or(numbers.default);
    let ratios = [(estimate.leaves_cycle, numbers.around_loop), (estimate.unlikely, numbers.unlikely)];
    let by: String =
        ratios.iter().filter(|(applies, _)| *applies).map(|(_, ratio)| division(*ratio)).collect();
    match known {
        _ if by.is_empty() => String::new(),
        0 => String::new(),
        1 => format!(": 1{by}, but at least 1"),
        _ => format!(": {known}{by}"),
    }
}

/// What a ratio does to a weight.
fn division([more, less]: [u32; 2]) -> String {
    if more % less == 0 {
        format!(" / {}", more / less)
    } else {
        format!(" x {less} / {more}")
    }
}

/// What programs mostly do, by which LLVM judges `condition`; where `predictor` has other numbers for it, that it has.
fn saying(condition: Condition, predictor: &Predictor) -> String {
    let judged = |predictor| {
        [Rule::Pointer, Rule::Constant, Rule::FloatingPoint].map(|rule| judge(rule, condition, predictor))
    };
    if judged(predictor) == judged(Predictor::llvm()) {
        return llvm_saying(condition).to_string();
    }
    format!("{} has these numbers for {}", predictor.name(), condition.name().unwrap_or("it"))
}

fn llvm_saying(condition: Condition) -> &'static str {
    use IntegerConstant::{MinusOne, One, Zero};
    use IntegerPredicate::{SignedGreater, SignedLess};
    match condition {
        Condition::Pointer { .. } => "pointers are rarely equal",
        Condition::Float { predicate } => float_saying(predicate),
        Condition::Integer { operand: IntegerOperand::StringComparison, .. } => "strings are rarely equal",
        Condition::Integer { predicate: SignedLess, constant: Zero, .. }
        | Condition::Integer { predicate: SignedGreater, constant: MinusOne, .. } => {
            "numbers are rarely negative"
        }
        Condition::Integer { predicate: SignedLess, constant: One, .. }
        | Condition::Integer { predicate: SignedGreater, constant: Zero, .. } => {
            "numbers are rarely 0 or negative"
        }
        Condition::Integer { constant: MinusOne, .. } => "numbers are rarely -1",
        Condition::Integer { .. } => "numbers are rarely 0",
        Condition::Opaque => "no rule knows it",
    }
}

fn float_saying(predicate: FloatPredicate) -> &'static str {
    match predicate {
        FloatPredicate::Ordered | FloatPredicate::Unordered => "a floating point number is rarely NaN",
        FloatPredicate::EqualityUnordered => "of all equality tests LLVM takes this one alone for unlikely",
        _ => "LLVM takes it for likely, as all equality tests but fcmp ueq",
    }
}

fn terminator_name(terminator: Terminator) -> &'static str {
    match terminator {
        Terminator::Return => "ret",
        Terminator::Jump | Terminator::Branch => "br",
        Terminator::Switch => "switch",
        Terminator::IndirectBranch => "indirectbr",
        Terminator::Invoke => "invoke",
        Terminator::CallBranch => "callbr",
        Terminator::Unreachable => "unreachable",
        Terminator::Exceptional => "catchswitch",
    }
}
