//! Why the edges of a block have their probabilities.
//!
//! Everything told here is computed by the code that decides, a second time and rule by rule: what each rule would
//! say, what is known of every edge, and by which steps a weight came to where it counts.

use cranelift_entity::{EntityRef, PrimaryMap};

use super::analysis::Rules;
use super::branch_probabilities::BranchProbabilities;
use super::cold_reason::ColdReason;
use super::cycles::{Cycle, Cycles};
use super::edge_weights::{self, divisor_to_fit, EdgeEstimate};
use super::estimate::estimate;
use super::estimated_weights::{weight, Weighed};
use super::predictions::Predictions;
use super::probability::Probability;
use super::provenance::{Cause, Provenance, Record};
use crate::cfg::{Block, ControlFlow, Loop, Scc};
use crate::facts::{FunctionFacts, LoopConditions};
use crate::rules::Rule;
use crate::rules::{EstimateWeights, RuleSet};

/// Explains the branch probabilities of one function.
pub struct Explainer<'a, C> {
    graph: &'a ControlFlow,
    rules: Rules<'a, C>,
    /// The probabilities, and what they would be without the first rules, with ever fewer of them.
    results: Vec<BranchProbabilities>,
    provenance: Provenance,
    /// The first block of each irreducible cycle.
    first_blocks: PrimaryMap<Scc, Block>,
}

/// All that is left of `rules` when one after the other is left out, so that all are heard. Of rules that look at
/// conditions no two know the same one, so that it is enough to leave out all that stand together.
fn left_over(rules: &[Rule]) -> Vec<&[Rule]> {
    let looks_at_condition =
        |rule: &Rule| !matches!(rule, Rule::Metadata | Rule::Learned | Rule::EstimatedWeights);
    let begins = |&place: &usize| {
        let [before, here] = [place.checked_sub(1), Some(place)];
        let looks =
            |place: Option<usize>| place.and_then(|place| rules.get(place)).is_some_and(looks_at_condition);
        !(looks(before) && looks(here))
    };
    (0..=rules.len()).filter(begins).map(|place| &rules[place..]).collect()
}

/// Why the edges of a block have their probabilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Explanation {
    /// There is but one edge.
    OneWay,
    /// The entry does not reach the block: its edges are even, and no rule is asked.
    NotReached,
    /// The first rule with an answer decides.
    Decided(Decision),
}

/// What each rule says of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// All answers, in the order of the rules: the first one decides, and [`Rule::Even`] is always there.
    pub answers: Vec<Answer>,
    /// What is known of each edge.
    pub edges: Vec<EdgeFacts>,
    /// How many edges lead to what never completes, for all that is estimated.
    pub dead_ends: usize,
}

/// What one rule says of the edges of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The rule.
    pub rule: Rule,
    /// The weights that were compared.
    pub weights: Vec<u32>,
    /// What the weights are shares of: the low 32 bits of their sum, which mostly has no more.
    pub total: u32,
    /// What the weights have been divided by already, so that their sum fits into 32 bits; mostly 1.
    pub divisor: u64,
    /// What comes of them.
    pub probabilities: Vec<Probability>,
}

/// What is known of an edge, whichever rule decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeFacts {
    /// How its weight is estimated.
    pub estimate: EdgeEstimate,
    /// What gives it that weight: its target, or the cycle that it enters.
    pub end: WeightOwner,
    /// The innermost cycle around its source.
    pub around: Option<WeightOwner>,
    /// If going there makes the condition of the branch false next time: the constant that the tested value then is.
    pub unlikely_constant: Option<String>,
}

/// A place that can have a weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightOwner {
    /// A block.
    Block(Block),
    /// The natural loop of this header.
    Loop(Block),
    /// The irreducible cycle that holds this block, the first of its blocks in layout order.
    Cycle(Block),
}

/// How a weight came to a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derivation {
    /// The block that has the weight by itself.
    pub origin: Block,
    /// Why it has.
    pub reason: ColdReason,
    /// How many steps after that are left out, because there are many.
    pub left_out: u32,
    /// The last steps; the place they lead to last is the one asked about.
    pub steps: Vec<DerivationStep>,
}

/// How a weight went on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DerivationStep {
    /// By which relation.
    pub via: Via,
    /// Where to.
    pub to: WeightOwner,
}

/// Why a weight holds in another place too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// The block before post-dominates this one, which dominates it: one runs whenever the other does.
    PostDominance,
    /// All successors of the block have a weight; the place before has the highest, or is the `only` one.
    Successor {
        /// All edges lead to the same place.
        only: bool,
    },
    /// All exits of the cycle have a weight; the place before has the highest, or is the `only` one.
    Exit {
        /// All exits lead to the same place.
        only: bool,
        /// The weight went from 0 to 1: what is never left is still entered.
        raised: bool,
    },
}

impl Decision {
    /// The answer that counts.
    pub fn decisive(&self) -> &Answer {
        &self.answers[0]
    }

    /// Whether the estimated weights tell anything of the block.
    pub fn is_estimated(&self) -> bool {
        self.answers.iter().any(|answer| answer.rule == Rule::EstimatedWeights)
    }
}

impl EdgeFacts {
    /// Whether the edge leads to what never completes, for all that is estimated.
    pub fn never_completes(&self) -> bool {
        self.estimate.known == Some(weight::ZERO)
    }

    /// The weight of the edge, before all edges of the block are made to fit 32 bits.
    fn wide_weight(&self, numbers: &EstimateWeights) -> u32 {
        self.estimate.weight(numbers).unwrap_or(numbers.default)
    }
}

impl<'a, C: LoopConditions> Explainer<'a, C> {
    /// How many steps of a derivation are told at most.
    const MOST_STEPS: usize = 6;

    /// Explains the probabilities that the rules of `numbers`, with `predictions`, give the edges of `function`.
    pub fn new(
        function: &'a FunctionFacts,
        numbers: &'a RuleSet,
        predictions: Option<&'a Predictions>,
        conditions: &'a mut C,
    ) -> Self {
        let mut compute =
            |rules| BranchProbabilities::compute_by(rules, numbers, predictions, function, conditions);
        let results = left_over(numbers.rules()).into_iter().map(&mut compute).collect();
        let graph = &function.graph;
        let cycles = Cycles::new(graph);
        let sccs = cycles.sccs;
        let mut record = Record::default();
        let facts = &function.blocks;
        let estimated = estimate(cycles, facts, numbers.estimates(), &mut record);
        let provenance = Provenance::new(&record, &cycles, facts, &estimated);
        let first_block = |scc| sccs.members(scc).iter().copied().min().expect("a cycle has blocks");
        let first_blocks = (0..sccs.count()).map(|scc| first_block(Scc::new(scc))).collect();
        let rules = Rules::new(function, numbers, predictions, cycles, estimated, conditions);
        Explainer { graph, rules, results, provenance, first_blocks }
    }

    /// The rules that are explained.
    pub fn rules(&self) -> &'a RuleSet {
        self.rules.numbers
    }

    /// The predictions that the rules were given.
    pub fn predictions(&self) -> Option<&'a Predictions> {
        self.rules.predictions
    }

    /// Why the edges of `block` have their probabilities.
    pub fn explain(&mut self, block: Block) -> Explanation {
        if self.graph.successors(block).len() < 2 {
            Explanation::OneWay
        } else if !self.graph.tree().reaches(block) {
            Explanation::NotReached
        } else {
            let edges = self.edge_facts(block);
            let dead_ends = edges.iter().filter(|edge| edge.never_completes()).count();
            Explanation::Decided(Decision { answers: self.answers(block, &edges), edges, dead_ends })
        }
    }

    fn edge_facts(&mut self, block: Block) -> Vec<EdgeFacts> {
        let mut constants = self
            .rules
            .ask_condition(block, |conditions, around| conditions.unlikely_constants(block, around));
        let unlikely = [0, 1].map(|place| constants[place].is_some());
        let Rules { cycles, estimated, .. } = &self.rules;
        let source = cycles.of(block);
        let edges = self.graph.successors(block).iter().copied().enumerate();
        let facts = |edge: (usize, Block)| EdgeFacts {
            estimate: edge_weights::estimate_edge(cycles, estimated, source, unlikely, edge),
            end: self.place(Weighed::by_edge(cycles, source, edge.1)),
            around: self.cycle_place(source),
            unlikely_constant: constants.get_mut(edge.0).and_then(Option::take),
        };
        edges.map(facts).collect()
    }

    /// The answers of the rules: what is decided with all of them, and what as rule after rule is left out.
    fn answers(&self, block: Block, edges: &[EdgeFacts]) -> Vec<Answer> {
        let mut answers: Vec<Answer> = Vec::new();
        for result in &self.results {
            let rule = result.rule(block);
            if answers.last().is_some_and(|before| before.rule == rule) {
                continue;
            }
            let place = self.graph.edges(block);
            let mut weights = result.weights()[place.clone()].to_vec();
            let divisor = match rule {
                Rule::Metadata => divisor_to_fit(weights.iter().copied()),
                Rule::EstimatedWeights => {
                    let numbers = self.rules().estimates();
                    divisor_to_fit(edges.iter().map(|edge| edge.wide_weight(numbers)))
                }
                _ => 1,
            };
            if rule == Rule::Metadata {
                weights.iter_mut().for_each(|weight| *weight = (u64::from(*weight) / divisor) as u32);
            }
            let probabilities = result.probabilities()[place].to_vec();
            let total = edge_weights::total(&weights);
            answers.push(Answer { rule, weights, total, divisor, probabilities });
        }
        answers
    }

    /// How the edge from `source` to `target` came to its estimated weight; none if it has none.
    pub fn derivation(&self, source: Block, target: Block) -> Option<Derivation> {
        let Rules { cycles, function, .. } = &self.rules;
        let mut weighed = Weighed::by_edge(cycles, cycles.of(source), target);
        let origin = self.provenance.origin(weighed)?;
        let reason = ColdReason::of(&function.blocks[origin])?;
        let mut derivation = Derivation { origin, reason, left_out: 0, steps: Vec::new() };
        while let Some((cause, steps_before)) = self.provenance.cause(weighed) {
            let (via, before) = match cause {
                Cause::Itself => break,
                Cause::PostDominator(block) => (Via::PostDominance, Weighed::Block(block)),
                Cause::Successor { heaviest, only } => (Via::Successor { only }, heaviest),
                Cause::Exit { heaviest, only, raised } => (Via::Exit { only, raised }, heaviest),
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
            Weighed::Cycle(cycle) => self.cycle_place(cycle).expect("weight belongs to a cycle"),
        }
    }

    fn cycle_place(&self, cycle: Cycle) -> Option<WeightOwner> {
        match cycle {
            Cycle::None => None,
            Cycle::Nested(cycle) => Some(self.nested_place(cycle)),
            Cycle::Component(scc) => Some(WeightOwner::Cycle(self.first_blocks[scc])),
        }
    }

    fn nested_place(&self, cycle: Loop) -> WeightOwner {
        let loops = self.rules.cycles.loops;
        if loops.has_one_entry(cycle) {
            return WeightOwner::Loop(loops.header(cycle));
        }
        WeightOwner::Cycle(loops.members(cycle).iter().copied().min().expect("a cycle has blocks"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::test_support::{draw, pictures, Drawn, DrawnConditions};
    use super::*;
    use crate::cfg::test_support::config;

    /// Asks the explainer of `drawn` something.
    fn ask<R>(drawn: &Drawn, question: impl FnOnce(&mut Explainer<'_, DrawnConditions>) -> R) -> R {
        let mut conditions = drawn.conditions.clone();
        question(&mut Explainer::new(&drawn.function, RuleSet::llvm(), None, &mut conditions))
    }

    fn decision(drawn: &Drawn, name: &str) -> Decision {
        match ask(drawn, |explainer| explainer.explain(drawn.block(name))) {
            Explanation::Decided(decision) => decision,
            other => panic!("{name} is {other:?}"),
        }
    }

    fn derivation(drawn: &Drawn, source: &str, target: &str) -> Derivation {
        ask(drawn, |explainer| explainer.derivation(drawn.block(source), drawn.block(target)))
            .expect("a weight")
    }

    /// The rules with an answer and their weights.
    fn answers(drawn: &Drawn, name: &str) -> Vec<(Rule, Vec<u32>)> {
        decision(drawn, name).answers.into_iter().map(|answer| (answer.rule, answer.weights)).collect()
    }

    /// One block that every rule has an answer for.
    #[test]
    fn every_rule_with_an_answer_gives_it() {
        let drawn = draw("entry -> l; l: ptr_eq 7:8 -> a exit; a -> l; exit");
        let all = [
            (Rule::Metadata, vec![7, 8]),
            (Rule::EstimatedWeights, vec![1_048_575, 33_825]),
            (Rule::Pointer, vec![12, 20]),
            (Rule::Even, vec![1, 1]),
        ];
        assert_eq!(answers(&drawn, "l"), all);
        let decision = decision(&drawn, "l");
        let around = Some(WeightOwner::Loop(drawn.block("l")));
        assert_eq!((decision.edges[0].around, decision.edges[1].estimate.leaves_cycle), (around, true));
    }

    #[test]
    fn one_way_and_no_way_here_need_no_rule() {
        let drawn = draw("entry -> a; a; dead: 1:2 -> a entry");
        let explain = |name| ask(&drawn, |explainer| explainer.explain(drawn.block(name)));
        assert_eq!(explain("entry"), Explanation::OneWay);
        assert_eq!(explain("dead"), Explanation::NotReached);
    }

    /// 2^32 - 1 and 1 are halved to fit; 4,096 edges that turn and one that leaves are halved as well.
    #[test]
    #[cfg_attr(miri, ignore = "too large to be interpreted")]
    fn what_was_divided_is_told() {
        let drawn = draw("entry: 4294967295:4294967295 -> a b; a; b");
        let answer = decision(&drawn, "entry").answers.remove(0);
        assert_eq!((answer.divisor, answer.weights), (3, vec![1_431_655_765; 2]));
        let drawn = draw(&format!("entry -> s; s -> {}exit; exit", "s ".repeat(4_096)));
        let answer = decision(&drawn, "s").answers.remove(0);
        assert_eq!((answer.divisor, answer.weights[0]), (2, 524_287));
    }

    /// c calls something cold and runs whenever a does; after b there is nothing but that.
    #[test]
    fn a_derivation_goes_back_to_the_call() {
        let drawn = draw("entry -> a end; a -> b1 b2; b1 -> c; b2 -> c; c: cold -> end; end");
        let [a, b1, c] = ["a", "b1", "c"].map(|name| drawn.block(name));
        let step = |via, to| Derivation {
            origin: c,
            reason: ColdReason::ColdCall,
            left_out: 0,
            steps: vec![DerivationStep { via, to: WeightOwner::Block(to) }],
        };
        assert_eq!(derivation(&drawn, "entry", "a"), step(Via::PostDominance, a));
        assert_eq!(derivation(&drawn, "a", "b1"), step(Via::Successor { only: true }, b1));
        assert_eq!(derivation(&drawn, "b1", "c").steps, []);
    }

    /// Both ways out of a are rare, and the cold one is likelier than the dead end.
    #[test]
    fn the_likeliest_successor_is_the_cause() {
        let drawn = draw("entry -> a end; a -> dead c; dead: unreachable; c: cold; end");
        let derivation = derivation(&drawn, "entry", "a");
        assert_eq!((derivation.origin, derivation.reason), (drawn.block("c"), ColdReason::ColdCall));
        assert_eq!(derivation.steps[0].via, Via::Successor { only: false });
    }

    /// The loop has one way out, which never completes: it is entered for all that, once.
    #[test]
    fn a_loop_has_the_weight_of_its_exits() {
        let drawn = draw("entry -> l end; l -> l dead; dead: unreachable; end");
        let derivation = derivation(&drawn, "entry", "l");
        let step = DerivationStep {
            via: Via::Exit { only: true, raised: true },
            to: WeightOwner::Loop(drawn.block("l")),
        };
        assert_eq!((derivation.reason, derivation.steps), (ColdReason::NeverCompletes, vec![step]));
        // The same for an irreducible cycle, named by its first block.
        let drawn = draw("entry -> x end; x -> a b; a -> b; b -> a dead; dead: unreachable; end");
        let step = DerivationStep {
            via: Via::Exit { only: true, raised: true },
            to: WeightOwner::Cycle(drawn.block("a")),
        };
        assert_eq!(self::derivation(&drawn, "x", "b").steps, [step]);
    }

    /// 20 dead ends beside 20 steps, of which only the last ones are told.
    #[test]
    fn long_derivations_are_cut_in_the_middle() {
        let steps: String = (0..20).map(|i| format!("s{i} -> dead{i} s{};", i + 1)).collect();
        let dead: String = (0..20).map(|i| format!("dead{i}: unreachable;")).collect();
        let drawn = draw(&format!("entry -> s0 end; {steps} {dead} s20: cold; end"));
        let derivation = derivation(&drawn, "entry", "s0");
        assert_eq!(derivation.origin, drawn.block("s20"));
        assert_eq!((derivation.left_out, derivation.steps.len()), (14, 6));
        assert_eq!(derivation.steps[5].to, WeightOwner::Block(drawn.block("s0")));
    }

    proptest! {
        #![proptest_config(config())]

        /// The first answer is what was decided, to the bit, and what is told of each edge makes its weight.
        #[test]
        fn the_first_answer_is_the_decision(picture in pictures()) {
            let drawn = draw(&picture);
            let Drawn { function, result, .. } = &drawn;
            let check = |explainer: &mut Explainer<'_, DrawnConditions>| {
                for block in function.graph.blocks() {
                    let Explanation::Decided(decision) = explainer.explain(block) else { continue };
                    let answer = decision.decisive();
                    let edges = function.graph.edges(block);
                    prop_assert_eq!(answer.rule, result.rule(block));
                    prop_assert_eq!(&answer.probabilities, &result.probabilities()[edges.clone()]);
                    let given = result.weights()[edges].iter().map(|&weight| u64::from(weight));
                    if answer.rule == Rule::Metadata {
                        prop_assert!(given.map(|w| w / answer.divisor).eq(answer.weights.iter().map(|&w| u64::from(w))));
                    } else {
                        prop_assert!(given.eq(answer.weights.iter().map(|&w| u64::from(w))));
                    }
                    if answer.rule == Rule::EstimatedWeights && answer.divisor == 1 {
                        let llvm = RuleSet::llvm().estimates();
                        let told = decision.edges.iter().map(|edge| edge.wide_weight(llvm));
                        prop_assert!(told.eq(answer.weights.iter().copied()));
                    }
                }
                Ok(())
            };
            ask(&drawn, check)?;
        }

        /// Every edge with a weight has a derivation, whose steps hold in the graph and hand the weight on unchanged,
        /// but for the 1 of a loop that is never left.
        #[test]
        fn derivations_hold_step_by_step(picture in pictures()) {
            let drawn = draw(&picture);
            let cycles = drawn.cycles();
            let post_dominators = drawn.function.graph.post_dominators();
            let check = |explainer: &mut Explainer<'_, DrawnConditions>| {
                for source in drawn.function.graph.blocks().filter(|&block| drawn.function.graph.tree().reaches(block)) {
                    for &target in drawn.function.graph.successors(source) {
                        let weight = drawn.estimated.of_edge(&cycles, cycles.of(source), target);
                        let derivation = explainer.derivation(source, target);
                        prop_assert_eq!(derivation.is_some(), weight.is_some());
                        let Some(derivation) = derivation else { continue };
                        let mut told = derivation.reason.weight(RuleSet::llvm().estimates());
                        let mut before = WeightOwner::Block(derivation.origin);
                        if derivation.left_out > 0 {
                            continue;
                        }
                        for step in derivation.steps {
                            match (step.via, before, step.to) {
                                (Via::PostDominance, WeightOwner::Block(below), WeightOwner::Block(above)) => {
                                    prop_assert!(post_dominators.post_dominates(below, above));
                                    prop_assert!(drawn.function.graph.dominators().dominates(above, below));
                                }
                                (Via::Successor { .. }, _, WeightOwner::Block(above)) => {
                                    let targets = drawn.function.graph.successors(above).iter();
                                    let highest = targets
                                        .map(|&next| drawn.estimated.of_edge(&cycles, cycles.of(above), next))
                                        .max();
                                    prop_assert_eq!(highest, Some(Some(told)));
                                }
                                (Via::Exit { raised, .. }, _, WeightOwner::Loop(_) | WeightOwner::Cycle(_)) => {
                                    prop_assert_eq!(raised, told == 0);
                                    told = told.max(1);
                                }
                                other => prop_assert!(false, "{:?}", other),
                            }
                            before = step.to;
                        }
                        prop_assert_eq!(Some(told), weight);
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
            ask(&drawn, check)?;
        }
    }
}
