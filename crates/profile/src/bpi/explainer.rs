//! Explains branch probabilities.
//!
//! The explainer runs the code of the analysis several times. Each run omits one more rule: the second run omits the
//! first rule, the third run the first two rules, and so on. The explainer records the result of each rule, the
//! estimate of every edge, and the steps by which weights are propagated.

use cranelift_entity::{EntityRef, PrimaryMap};

use super::analysis::Rules;
use super::branch_probabilities::BranchProbabilities;
use super::cycles::{Cycle, Cycles};
use super::edge_weights::{self, divisor_to_fit};
use super::estimate::estimate;
use super::estimated_weights::{cold_reason, Weighed};
use super::explanation::{
    Decision, Derivation, DerivationStep, EdgeFacts, Explanation, NamedCycle, RulePrediction, Via,
    WeightOwner,
};
use super::predictions::Predictions;
use super::provenance::{Provenance, Record, WeightCause};
use crate::cfg::{table, Block, ControlFlow, Loop, Scc};
use crate::facts::{FunctionFacts, LoopConditions};
use crate::rules::{Rule, RuleSet};

/// Explains the branch probabilities of one function.
pub struct Explainer<'a, C> {
    graph: &'a ControlFlow,
    rules: Rules<'a, C>,
    /// The probabilities for each suffix of the list of rules that gives its own result. The first suffix is the whole
    /// list.
    results: Vec<BranchProbabilities>,
    provenance: Provenance,
    /// The header of each component: the first of its blocks in reverse postorder.
    component_headers: PrimaryMap<Scc, Block>,
}

/// The results of `compute` for the suffixes of `rules`, the longest suffix first. If no block uses the first rule of a
/// suffix, the next suffix gives the same result and is left out.
fn results_of_suffixes(
    rules: &[Rule],
    mut compute: impl FnMut(&[Rule]) -> BranchProbabilities,
) -> Vec<BranchProbabilities> {
    let mut results = vec![compute(rules)];
    for (place, rule) in rules.iter().enumerate() {
        if results.last().is_some_and(|result| result.rules.values().any(|used| used == rule)) {
            results.push(compute(&rules[place + 1..]));
        }
    }
    results
}

impl<'a, C: LoopConditions> Explainer<'a, C> {
    /// The greatest number of steps in a derivation.
    const MOST_STEPS: usize = 6;

    /// Creates an explainer for `function`. The analysis must have used `numbers` and `predictions` to compute the
    /// probabilities.
    pub(crate) fn new(
        function: &'a FunctionFacts,
        numbers: &'a RuleSet,
        predictions: Option<&'a Predictions>,
        conditions: &'a mut C,
    ) -> Self {
        let results = results_of_suffixes(numbers.rules(), |rules| {
            BranchProbabilities::compute_by(rules, numbers, predictions, function, conditions, None)
        });
        let graph = &function.graph;
        let cycles = Cycles::new(graph);
        let sccs = cycles.sccs;
        let mut record = Record::default();
        let facts = &function.blocks;
        let estimated = estimate(cycles, facts, numbers.estimates(), &mut record);
        let provenance = Provenance::new(&record, &cycles, facts, &estimated);
        let mut component_headers: PrimaryMap<Scc, Block> = table(sccs.count(), graph.entry());
        // The first block in reverse postorder is the last block in postorder.
        for &block in graph.tree().postorder() {
            if let Some(scc) = sccs.of(block) {
                component_headers[scc] = block;
            }
        }
        let rules = Rules::new(function, numbers, predictions, cycles, estimated, conditions);
        Explainer { graph, rules, results, provenance, component_headers }
    }

    /// The rules that determine the explained probabilities.
    pub fn rules(&self) -> &'a RuleSet {
        self.rules.numbers
    }

    /// The predictions of the rule [`Rule::Learned`], if there are any.
    pub fn predictions(&self) -> Option<&'a Predictions> {
        self.rules.predictions
    }

    /// Explains the probabilities of the edges of `block`.
    pub fn explain(&mut self, block: Block) -> Explanation {
        if self.graph.successors(block).len() < 2 {
            Explanation::SingleSuccessor
        } else if !self.graph.tree().reaches(block) {
            Explanation::NotReached
        } else {
            let edges = self.edge_facts(block);
            let dead_ends = edges.iter().filter(|edge| edge.never_completes()).count();
            Explanation::Decided(Decision {
                predictions: self.rule_predictions(block, &edges),
                edges,
                dead_ends,
            })
        }
    }

    fn edge_facts(&mut self, block: Block) -> Vec<EdgeFacts> {
        let mut constants = self
            .rules
            .query_condition(block, |conditions, around| conditions.unlikely_constants(block, around));
        let unlikely = [0, 1].map(|place| constants[place].is_some());
        let Rules { cycles, estimated, .. } = &self.rules;
        let source = cycles.of(block);
        let edges = self.graph.successors(block).iter().copied().enumerate();
        let facts = |edge: (usize, Block)| EdgeFacts {
            estimate: edge_weights::estimate_edge(cycles, estimated, source, unlikely, edge),
            end: self.place(Weighed::by_edge(cycles, source, edge.1)),
            around: self.cycle_place(source),
            stays_in_component: match source {
                Cycle::Component(scc) => cycles.sccs.of(edge.1) == Some(scc) && cycles.of(edge.1) != source,
                Cycle::None | Cycle::Nested(_) => false,
            },
            unlikely_constant: constants.get_mut(edge.0).and_then(Option::take),
        };
        edges.map(facts).collect()
    }

    /// The predictions of all rules that apply to `block`.
    fn rule_predictions(&self, block: Block, edges: &[EdgeFacts]) -> Vec<RulePrediction> {
        let mut predictions: Vec<RulePrediction> = Vec::new();
        for result in &self.results {
            let rule = result.rule(block);
            if predictions.last().is_some_and(|before| before.rule == rule) {
                continue;
            }
            let place = self.graph.edges(block);
            let mut weights = result.weights()[place.clone()].to_vec();
            let mut undivided = weights.clone();
            let divisor = match rule {
                Rule::Metadata => divisor_to_fit(weights.iter().copied()),
                Rule::EstimatedWeights => {
                    let numbers = self.rules().estimates();
                    undivided = edges.iter().map(|edge| edge.wide_weight(numbers)).collect();
                    divisor_to_fit(undivided.iter().copied())
                }
                Rule::Single
                | Rule::Learned
                | Rule::Pointer
                | Rule::Constant
                | Rule::FloatingPoint
                | Rule::Even
                | Rule::Update => 1,
            };
            if rule == Rule::Metadata {
                weights.iter_mut().for_each(|weight| *weight = (u64::from(*weight) / divisor) as u32);
            }
            let probabilities = result.probabilities()[place].to_vec();
            let total = edge_weights::total(&weights);
            predictions.push(RulePrediction { rule, weights, undivided, total, divisor, probabilities });
        }
        predictions
    }

    /// The derivation of the estimated weight of the edge from `source` to `target`, or `None` if the edge has no
    /// weight.
    pub fn derivation(&self, source: Block, target: Block) -> Option<Derivation> {
        let Rules { cycles, function, .. } = &self.rules;
        let mut weighed = Weighed::by_edge(cycles, cycles.of(source), target);
        let origin = self.provenance.origin(weighed)?;
        let reason = cold_reason(&function.blocks[origin])?;
        let mut derivation = Derivation { origin, reason, left_out: 0, steps: Vec::new() };
        while let Some((cause, steps_before)) = self.provenance.cause(weighed) {
            let (via, before) = match cause {
                WeightCause::Itself => break,
                WeightCause::PostDominator(block) => (Via::PostDominance, Weighed::Block(block)),
                WeightCause::Successor { heaviest, only } => (Via::Successor { only }, heaviest),
                WeightCause::Exit { heaviest, only, raised } => (Via::Exit { only, raised }, heaviest),
            };
            if derivation.steps.len() == Self::MOST_STEPS {
                derivation.left_out = steps_before;
                break;
            }
            derivation.steps.push(DerivationStep { via, to: self.place(weighed) });
            weighed = before;
        }
        derivation.steps.reverse();
        Some(derivation)
    }

    fn place(&self, weighed: Weighed) -> WeightOwner {
        match weighed {
            Weighed::Block(block) => WeightOwner::Block(block),
            Weighed::Cycle(cycle) => self.cycle_place(cycle).expect("the cycle has a weight"),
        }
    }

    fn cycle_place(&self, cycle: Cycle) -> Option<WeightOwner> {
        match cycle {
            Cycle::None => None,
            Cycle::Nested(cycle) => Some(self.nested_place(cycle)),
            Cycle::Component(scc) => Some(WeightOwner::Cycle(self.component_headers[scc])),
        }
    }

    fn nested_place(&self, cycle: Loop) -> WeightOwner {
        let loops = self.rules.cycles.loops;
        match loops.has_one_entry(cycle) {
            true => WeightOwner::Loop(loops.header(cycle)),
            false => WeightOwner::Cycle(loops.header(cycle)),
        }
    }

    /// The natural loops and irreducible cycles that explanations name. A cycle comes after the cycle around it.
    pub fn cycles(&self) -> Vec<NamedCycle> {
        let Cycles { loops, sccs, .. } = self.rules.cycles;
        let mut named = Vec::new();
        // A component is a cycle of the rules only if one of its blocks is in no natural loop.
        let mut place_of: PrimaryMap<Scc, Option<usize>> = table(sccs.count(), None);
        for (scc, &header) in self.component_headers.iter() {
            let members = sccs.members(scc).iter().copied();
            let blocks: Vec<Block> = members.filter(|&block| loops.innermost(block).is_none()).collect();
            if !blocks.is_empty() {
                place_of[scc] = Some(named.len());
                named.push(NamedCycle { owner: WeightOwner::Cycle(header), parent: None, blocks });
            }
        }
        let first = named.len();
        named.extend(loops.loops().map(|nested| NamedCycle {
            owner: self.nested_place(nested),
            parent: match loops.parent(nested) {
                Some(parent) => Some(first + parent.index()),
                None => sccs.of(loops.header(nested)).and_then(|scc| place_of[scc]),
            },
            blocks: loops.own_members(nested).to_vec(),
        }));
        named
    }
}

#[cfg(test)]
mod tests {

    use proptest::prelude::*;

    use super::super::estimated_weights::initial_weight;
    use super::super::test_support::{parse_function, pictures, ParsedConditions, ParsedFunction};
    use super::*;
    use crate::cfg::test_support::config;

    /// Returns the result of `query` for an [`Explainer`] of the function `parsed`.
    fn with_explainer<R>(
        parsed: &ParsedFunction,
        query: impl FnOnce(&mut Explainer<'_, ParsedConditions>) -> R,
    ) -> R {
        let mut conditions = parsed.conditions.clone();
        query(&mut Explainer::new(&parsed.function, RuleSet::llvm(), None, &mut conditions))
    }

    fn decision(parsed: &ParsedFunction, name: &str) -> Decision {
        match with_explainer(parsed, |explainer| explainer.explain(parsed.block(name))) {
            Explanation::Decided(decision) => decision,
            other => panic!("{name} is {other:?}"),
        }
    }

    fn derivation(parsed: &ParsedFunction, source: &str, target: &str) -> Derivation {
        with_explainer(parsed, |explainer| explainer.derivation(parsed.block(source), parsed.block(target)))
            .expect("the edge has a weight")
    }

    /// Two rules can apply to the same condition, so each rule has its own suffix.
    #[test]
    fn every_suffix_whose_first_rule_applies_is_computed() {
        let lengths = |used: &[Rule]| {
            let mut lengths = Vec::new();
            results_of_suffixes(&[Rule::Metadata, Rule::Pointer, Rule::Constant], |rules| {
                lengths.push(rules.len());
                let rule = rules.iter().find(|rule| used.contains(rule)).copied().unwrap_or(Rule::Even);
                BranchProbabilities { probabilities: vec![], weights: vec![], rules: table(1, rule) }
            });
            lengths
        };
        assert_eq!(lengths(&[Rule::Metadata, Rule::Pointer, Rule::Constant]), [3, 2, 1, 0]);
        assert_eq!(lengths(&[Rule::Pointer]), [3, 1]);
        assert_eq!(lengths(&[]), [3]);
    }

    /// The first branch has two weights of 2^32 - 1, which are divided by 3. The weights of the second
    /// branch, which has 4,096 back edges and one exit, are divided by 2.
    #[test]
    #[cfg_attr(miri, ignore = "too large for Miri")]
    fn divisors_are_recorded() {
        let parsed = parse_function("entry: 4294967295:4294967295 -> a b; a; b");
        let prediction = decision(&parsed, "entry").predictions.remove(0);
        assert_eq!((prediction.divisor, prediction.weights), (3, vec![1_431_655_765; 2]));
        let parsed = parse_function(&format!("entry -> s; s -> {}exit; exit", "s ".repeat(4_096)));
        let prediction = decision(&parsed, "s").predictions.remove(0);
        assert_eq!((prediction.divisor, prediction.weights[0]), (2, 524_287));
    }

    /// The function has a sequence of 20 branches. One successor of each branch ends in `unreachable`. The derivation
    /// lists only the last steps.
    #[test]
    fn long_derivations_omit_the_first_steps() {
        let steps: String = (0..20).map(|i| format!("s{i} -> dead{i} s{};", i + 1)).collect();
        let dead: String = (0..20).map(|i| format!("dead{i}: unreachable;")).collect();
        let parsed = parse_function(&format!("entry -> s0 end; {steps} {dead} s20: cold; end"));
        let derivation = derivation(&parsed, "entry", "s0");
        assert_eq!(derivation.origin, parsed.block("s20"));
        assert_eq!((derivation.left_out, derivation.steps.len()), (14, 6));
        assert_eq!(derivation.steps[5].to, WeightOwner::Block(parsed.block("s0")));
    }

    proptest! {
        #![proptest_config(config())]

        /// The analysis returns exactly the prediction of the first rule that applies. The weights in the explanation
        /// follow from the facts about each edge.
        #[test]
        fn the_first_prediction_equals_the_result(picture in pictures()) {
            let parsed = parse_function(&picture);
            let ParsedFunction { function, result, .. } = &parsed;
            let check = |explainer: &mut Explainer<'_, ParsedConditions>| {
                for block in function.graph.blocks() {
                    let Explanation::Decided(decision) = explainer.explain(block) else { continue };
                    let prediction = decision.decisive();
                    let edges = function.graph.edges(block);
                    prop_assert_eq!(prediction.rule, result.rule(block));
                    prop_assert_eq!(&prediction.probabilities, &result.probabilities()[edges.clone()]);
                    let given = result.weights()[edges].iter().map(|&weight| u64::from(weight));
                    if prediction.rule == Rule::Metadata {
                        let divided = given.map(|weight| weight / prediction.divisor);
                        prop_assert!(divided.eq(prediction.weights.iter().map(|&weight| u64::from(weight))));
                    } else {
                        prop_assert!(given.eq(prediction.weights.iter().map(|&weight| u64::from(weight))));
                    }
                    if prediction.rule == Rule::EstimatedWeights && prediction.divisor == 1 {
                        let llvm = RuleSet::llvm().estimates();
                        let weights = decision.edges.iter().map(|edge| edge.wide_weight(llvm));
                        prop_assert!(weights.eq(prediction.weights.iter().copied()));
                    }
                }
                Ok(())
            };
            with_explainer(&parsed, check)?;
        }

        /// An edge has a derivation if and only if it has an estimated weight. The graph allows each step of the
        /// derivation. No step changes the weight, with one exception: a loop gets the weight 1 if all its exits have
        /// the weight 0.
        #[test]
        fn each_step_of_a_derivation_is_valid(picture in pictures()) {
            let parsed = parse_function(&picture);
            let cycles = parsed.cycles();
            let post_dominators = parsed.function.graph.post_dominators();
            let check = |explainer: &mut Explainer<'_, ParsedConditions>| {
                let graph = &parsed.function.graph;
                for source in graph.blocks().filter(|&block| graph.tree().reaches(block)) {
                    for &target in parsed.function.graph.successors(source) {
                        let weight = parsed.estimated.of_edge(&cycles, cycles.of(source), target);
                        let derivation = explainer.derivation(source, target);
                        prop_assert_eq!(derivation.is_some(), weight.is_some());
                        let Some(derivation) = derivation else { continue };
                        let mut expected = initial_weight(derivation.reason, RuleSet::llvm().estimates());
                        let mut before = WeightOwner::Block(derivation.origin);
                        if derivation.left_out > 0 {
                            continue;
                        }
                        for step in derivation.steps {
                            match (step.via, before, step.to) {
                                (Via::PostDominance, WeightOwner::Block(below), WeightOwner::Block(above)) => {
                                    prop_assert!(post_dominators.post_dominates(below, above));
                                    prop_assert!(parsed.function.graph.dominators().dominates(above, below));
                                }
                                (Via::Successor { .. }, _, WeightOwner::Block(above)) => {
                                    let targets = parsed.function.graph.successors(above).iter();
                                    let highest = targets
                                        .map(|&next| parsed.estimated.of_edge(&cycles, cycles.of(above), next))
                                        .max();
                                    prop_assert_eq!(highest, Some(Some(expected)));
                                }
                                (Via::Exit { raised, .. }, _, WeightOwner::Loop(_) | WeightOwner::Cycle(_)) => {
                                    prop_assert_eq!(raised, expected == 0);
                                    expected = expected.max(1);
                                }
                                other => prop_assert!(false, "{:?}", other),
                            }
                            before = step.to;
                        }
                        prop_assert_eq!(Some(expected), weight);
                        let end = match before {
                            WeightOwner::Block(block) => block == target,
                            WeightOwner::Loop(header) => header == target,
                            WeightOwner::Cycle(block) => cycles.sccs.of(block) == cycles.sccs.of(target),
                        };
                        prop_assert!(end, "{} to {}", source, target);
                    }
                }
                Ok(())
            };
            with_explainer(&parsed, check)?;
        }
    }
}
