//! Parses functions for tests of the rules. The text of a function has one line for each block:
//!
//! ```text
//! name: word word ... -> successor successor ...
//! ```
//!
//! A word is a fact about the block (`cold`, `noreturn`, `unreachable`, `exception`), the condition of its branch
//! (`ptr_eq`, `ptr_ne`, `eq_zero`, `uno`), the terminator `switch`, or the branch weights (`7:8`). A successor with the
//! suffix `/2` is unlikely: the branch never takes the edge in two successive iterations. If the branch is in a loop,
//! the weight of the edge to this successor is halved.

use cranelift_entity::EntityRef;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::branch_probabilities::BranchProbabilities;
use super::control_equivalence::ControlEquivalence;
use super::cycles::Cycles;
use super::estimate::estimate;
use super::estimated_weights::EstimatedWeights;
use super::probability::Probability;
use crate::cfg::test_support::{line, rows};
use crate::cfg::{parse_graph, Block};
use crate::dialect::Nesting;
use crate::facts::{
    BlockFacts, BlockProperties, Condition, ConstantKind, FloatPredicate, FunctionFacts, IntegerOperand,
    LoopAround, LoopConditions, Predicate, Terminator, WeightIndex,
};
use crate::rules::{Rule, RuleSet};

/// A function and its branch probabilities, with intermediate results.
pub struct ParsedFunction {
    pub function: FunctionFacts,
    pub conditions: ParsedConditions,
    #[cfg_attr(not(test), expect(dead_code, reason = "for the tests of this crate"))]
    pub(super) estimated: EstimatedWeights,
    pub result: BranchProbabilities,
    names: Box<dyn Fn(&str) -> Block>,
}

/// Parses a function from the text `picture`, and computes its branch probabilities with LLVM's rules.
pub fn parse_function(picture: &str) -> ParsedFunction {
    parse_with_nesting(picture, Nesting::LoopsAndComponents)
}

/// Parses a function from the text `picture`, and computes its branch probabilities with LLVM's rules. `nesting`
/// selects the cycles that the rules use.
pub fn parse_with_nesting(picture: &str, nesting: Nesting) -> ParsedFunction {
    let (mut function, mut conditions, names) = parse(picture);
    function.graph.set_nesting(nesting);
    let result = BranchProbabilities::compute(&function, &mut conditions);
    let cycles = Cycles::new(&function.graph);
    let estimated = estimate(cycles, &function.blocks, RuleSet::llvm().estimates(), &mut ());
    ParsedFunction { function, conditions, estimated, result, names }
}

impl ParsedFunction {
    pub fn block(&self, name: &str) -> Block {
        (self.names)(name)
    }

    pub(super) fn cycles(&self) -> Cycles<'_> {
        Cycles::new(&self.function.graph)
    }

    #[cfg_attr(not(test), expect(dead_code, reason = "for the tests of this crate"))]
    pub(in crate::bpi) fn control_equivalence(&self) -> ControlEquivalence {
        let mut classes = ControlEquivalence::default();
        classes.compute(&self.cycles());
        classes
    }

    /// The rule that determined the probabilities of the block `name`.
    pub fn rule(&self, name: &str) -> Rule {
        self.result.rule(self.block(name))
    }

    /// The integer weights of the edges of the block `name`.
    pub fn weights(&self, name: &str) -> &[u32] {
        &self.result.weights()[self.function.graph.edges(self.block(name))]
    }

    /// The probabilities of the edges of the block `name`.
    pub fn probabilities(&self, name: &str) -> &[Probability] {
        &self.result.probabilities()[self.function.graph.edges(self.block(name))]
    }

    /// The numerators of the probabilities of the edges of the block `name`.
    pub fn numerators(&self, name: &str) -> Vec<u32> {
        self.probabilities(name).iter().map(|probability| probability.numerator()).collect()
    }
}

/// The loop conditions of a parsed function, and a record of the queries.
#[derive(Clone, Debug, Default)]
pub struct ParsedConditions {
    /// The blocks with a successor whose name has the suffix `/2` in the text. The array has one value for each of the
    /// block's two successors: true if the successor has this suffix.
    pub halved: Vec<(Block, [bool; 2])>,
    /// The arguments of each query: the block, and the blocks of the loop.
    pub queries: Vec<(Block, Vec<Block>)>,
    block_count: usize,
}

impl ParsedConditions {
    /// For each of the two successors of `branch`, whether the text has the suffix `/2` after the successor's name.
    pub fn halved(&self, branch: Block) -> [bool; 2] {
        self.halved.iter().find(|(block, _)| *block == branch).map_or([false; 2], |&(_, halved)| halved)
    }
}

impl LoopConditions for ParsedConditions {
    fn unlikely_successors(&mut self, branch: Block, around: &LoopAround) -> [bool; 2] {
        let blocks = (0..self.block_count as u32).map(Block::from_u32);
        self.queries.push((branch, blocks.filter(|&block| (around.contains)(block)).collect()));
        self.halved(branch)
    }
}

type Names = Box<dyn Fn(&str) -> Block>;

fn parse(picture: &str) -> (FunctionFacts, ParsedConditions, Names) {
    let mut lines = Vec::new();
    for line in picture.split([';', '\n']).map(str::trim).filter(|line| !line.is_empty()) {
        let (head, successors) = line.split_once("->").unwrap_or((line, ""));
        let (name, words) = head.split_once(':').unwrap_or((head, ""));
        let successors: Vec<&str> = successors.split_whitespace().collect();
        lines.push((name.trim(), words, successors));
    }
    let bare: Vec<String> = lines
        .iter()
        .map(|(name, _, successors)| format!("{name} -> {}", successors.join(" ").replace("/2", "")))
        .collect();
    let (graph, names) = parse_graph(&bare.join(";")).expect("the text is a valid graph");

    let mut function = FunctionFacts::with_blocks(graph, Default::default());
    let mut conditions = ParsedConditions { block_count: lines.len(), ..ParsedConditions::default() };
    for (name, words, successors) in lines {
        let mut facts = BlockFacts { terminator: terminator(successors.len()), ..BlockFacts::default() };
        for word in words.split_whitespace() {
            read_word(word, &mut facts, &mut function.weight_pool);
        }
        if let Some(start) = facts.weights.expand() {
            assert_eq!(function.weight_pool.len() - start.index(), successors.len(), "weights of {name}");
        }
        if let [yes, no] = successors[..] {
            let halved = [yes, no].map(|successor| successor.ends_with("/2"));
            if halved.contains(&true) {
                facts.properties.add(BlockProperties::COMPARES_WITH_CONSTANT);
                conditions.halved.push((names(name), halved));
            }
        }
        function.blocks.push(facts);
    }
    (function, conditions, Box::new(names))
}

fn terminator(successors: usize) -> Terminator {
    match successors {
        0 => Terminator::Return,
        1 => Terminator::Jump,
        2 => Terminator::Branch,
        _ => Terminator::Switch,
    }
}

fn read_word(word: &str, facts: &mut BlockFacts, weight_pool: &mut Vec<u32>) {
    match word {
        "unreachable" => {
            facts.terminator = Terminator::Unreachable;
            facts.properties.add(BlockProperties::NEVER_COMPLETES);
        }
        "noreturn" => facts.properties.add(BlockProperties::NORETURN_CALL),
        "cold" => facts.properties.add(BlockProperties::COLD_CALL),
        "exception" => facts.properties.add(BlockProperties::EXCEPTION_PATH),
        "switch" => facts.terminator = Terminator::Switch,
        "ptr_eq" => facts.condition = Condition::Pointer { unequal: false },
        "ptr_ne" => facts.condition = Condition::Pointer { unequal: true },
        "eq_zero" | "ne_zero" => {
            facts.condition = Condition::Integer {
                predicate: if word == "eq_zero" { Predicate::Equal } else { Predicate::Unequal },
                operand: IntegerOperand::Plain,
                constant: ConstantKind::Zero,
            }
        }
        "ord" => facts.condition = Condition::Float { predicate: FloatPredicate::Ordered },
        "uno" => facts.condition = Condition::Float { predicate: FloatPredicate::Unordered },
        weights => {
            facts.weights = WeightIndex::new(weight_pool.len()).into();
            weight_pool.extend(
                weights
                    .split(':')
                    .map(|weight| weight.parse::<u32>().expect("an unknown word is a list of weights")),
            );
        }
    }
}

/// Random functions in the syntax of [`parse_function`]. The blocks have the names `0`, `1`, `2` and further numbers.
pub fn pictures() -> impl Strategy<Value = String> {
    const MOST: usize = 16;
    (rows(MOST), vec(any_facts(), MOST)).prop_map(|(rows, facts)| {
        let blocks = rows.iter().zip(facts).enumerate();
        blocks.map(|(block, (row, facts))| facts.line(block, row)).collect::<Vec<_>>().join("; ")
    })
}

/// Random facts about a block. The number of successors of the block determines which of these facts apply.
#[derive(Clone, Debug)]
struct Facts {
    at_exit: &'static str,
    elsewhere: &'static str,
    condition: &'static str,
    weights: Option<[u32; 5]>,
    halved: [bool; 2],
}

fn any_facts() -> impl Strategy<Value = Facts> {
    let at_exit =
        select(vec!["", "", "cold", "unreachable", "unreachable", "unreachable noreturn", "exception"]);
    let elsewhere = prop_oneof![
        4 => Just(""),
        1 => select(vec!["cold", "cold", "exception", "noreturn"]),
    ];
    let condition = select(vec!["", "", "ptr_eq", "eq_zero", "uno", "switch ptr_eq"]);
    let weight = || prop_oneof![4 => 0..20u32, 1 => Just(u32::MAX), 1 => any::<u32>()];
    let weights = prop_oneof![
        4 => Just(None),
        1 => [weight(), weight(), weight(), weight(), weight()].prop_map(Some),
    ];
    let halved = [proptest::bool::weighted(0.1), proptest::bool::weighted(0.1)];
    (at_exit, elsewhere, condition, weights, halved).prop_map(
        |(at_exit, elsewhere, condition, weights, halved)| Facts {
            at_exit,
            elsewhere,
            condition,
            weights,
            halved,
        },
    )
}

impl Facts {
    fn line(&self, block: usize, row: &[usize]) -> String {
        let mut words = Vec::new();
        words.push(if row.is_empty() { self.at_exit } else { self.elsewhere }.to_string());
        if row.len() == 2 {
            words.push(self.condition.to_string());
        }
        if let (Some(weights), true) = (self.weights, row.len() > 1) {
            words.push(weights[..row.len()].iter().map(u32::to_string).collect::<Vec<_>>().join(":"));
        }
        words.retain(|word| !word.is_empty());
        let name = |(place, successor): (usize, &usize)| {
            let halved = row.len() == 2 && self.halved[place];
            format!("{successor}{}", if halved { "/2" } else { "" })
        };
        line(block, &words.join(" "), &row.iter().enumerate().map(name).collect::<Vec<_>>())
    }
}
