//! Tests that no analysis panics on facts that the builder accepts, for any LLVM version.

use bpa_core::cfg::{Block, Graph};
use bpa_core::dialect::Dialect;
use bpa_core::facts::{
    Condition, ConstantKind, EntryCount, FloatPredicate, FunctionFacts, FunctionFactsBuilder, IntegerOperand,
    LoopAround, LoopConditions, Predicate, Terminator,
};
use bpa_core::profile::Profile;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, Index};

/// Random facts about one block. A fact that is impossible for the terminator of the block is ignored.
#[derive(Clone, Debug)]
struct RandomFacts {
    targets: Vec<Index>,
    terminator: Index,
    cold: bool,
    exceptional: bool,
    noreturn: bool,
    condition: Option<Condition>,
    weights: Option<[u32; 5]>,
    header_weight: Option<u64>,
}

fn random_facts() -> impl Strategy<Value = RandomFacts> {
    let conditions = vec![
        None,
        Some(Condition::Pointer { unequal: true }),
        Some(Condition::Float { predicate: FloatPredicate::Unordered }),
        Some(Condition::Integer {
            predicate: Predicate::Equal,
            operand: IntegerOperand::Plain,
            constant: ConstantKind::Zero,
        }),
    ];
    let rarely = || proptest::bool::weighted(0.15);
    let weights = proptest::option::weighted(0.3, any::<[u32; 5]>());
    let header_weight = proptest::option::weighted(0.3, prop_oneof![any::<u64>(), Just(u64::MAX), Just(0)]);
    let targets = prop_oneof![1 => 0..1_usize, 2 => 1..2_usize, 4 => 2..3_usize, 1 => 3..6_usize]
        .prop_flat_map(|count| vec(any::<Index>(), count));
    (targets, any::<Index>(), rarely(), rarely(), rarely(), select(conditions), weights, header_weight)
        .prop_map(|(targets, terminator, cold, exceptional, noreturn, condition, weights, header_weight)| {
            RandomFacts {
                targets,
                terminator,
                cold,
                exceptional,
                noreturn,
                condition,
                weights,
                header_weight,
            }
        })
}

impl RandomFacts {
    fn add_to(&self, block: Block, facts: &mut FunctionFactsBuilder) {
        use Terminator::*;
        let choices: &[Terminator] = match self.targets.len() {
            0 => &[Return, Unreachable, Exceptional, IndirectBranch],
            1 => &[Jump, Exceptional, Switch, CallBranch],
            2 => &[Branch, Branch, Invoke, Switch, IndirectBranch],
            _ => &[Switch, IndirectBranch, CallBranch, Exceptional],
        };
        let terminator = *self.terminator.get(choices);
        facts.terminator(block, terminator);
        if self.cold {
            facts.cold_call(block);
        }
        if self.exceptional {
            facts.exception_path(block);
        }
        if terminator == Unreachable && self.noreturn {
            facts.noreturn_call(block);
        }
        if terminator == Branch {
            self.condition.into_iter().for_each(|condition| _ = facts.condition(block, condition));
            facts.compares_with_constant(block);
        }
        let has_choice = self.targets.len() > 1 && terminator.may_carry_weights(true);
        if let Some(weights) = self.weights.filter(|_| has_choice) {
            facts.weights(block, &weights[..self.targets.len()]);
        }
        self.header_weight.into_iter().for_each(|weight| _ = facts.header_weight(block, weight));
    }
}

/// Reports that the first successor of every branch in a loop is unlikely.
struct FirstUnlikely;

impl LoopConditions for FirstUnlikely {
    fn unlikely_successors(&mut self, branch: Block, around: &LoopAround) -> [bool; 2] {
        assert!((around.contains)(branch) && (around.contains)(around.header));
        [true, false]
    }
}

fn built(all: &[RandomFacts]) -> FunctionFacts {
    let lists = all.iter().map(|one| one.targets.iter().map(|target| block(target.index(all.len()))));
    let mut facts = FunctionFacts::builder(Graph::from_successor_lists(lists).expect("all successors exist"));
    all.iter().enumerate().for_each(|(number, one)| one.add_to(block(number), &mut facts));
    facts.entry_count(EntryCount { count: u64::MAX, synthetic: false });
    facts.build().expect("the facts are consistent")
}

fn block(number: usize) -> Block {
    Block::from_u32(number as u32)
}

/// The order of predecessors decides which rule applies to the first branch. The expected numbers are those of opt of
/// LLVM 16 for a module with these branches.
#[test]
fn predecessors_have_the_order_of_a_module_that_llvm_reads() {
    let rows: [&[usize]; 4] = [&[3, 1], &[3, 2, 1], &[], &[3, 2]];
    let lists = rows.map(|row| row.iter().map(|&target| block(target)));
    let mut facts = FunctionFacts::builder(Graph::from_successor_lists(lists).expect("all successors exist"));
    facts.unreachable(block(2)).noreturn_call(block(2));
    let facts = facts.build().expect("the facts are consistent");
    let profile = Profile::new(facts, Dialect::named("16").expect("supported"));
    let numerators = profile.probabilities(block(0)).iter().map(|edge| edge.numerator());
    assert_eq!(numerators.collect::<Vec<_>>(), [2048, (1 << 31) - 2048]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn checked_facts_can_be_analysed(all in vec(random_facts(), 1..16)) {
        for version in bpa_schema::LLVM_VERSIONS {
            let dialect = Dialect::of_llvm(version).expect("supported");
            let profile = Profile::builder(built(&all), dialect).build_with(&mut FirstUnlikely);
            for block in profile.blocks() {
                let reached = profile.dominators().contains(block);
                prop_assert_eq!(profile.bias(block).is_some(), reached);
                prop_assert_eq!(profile.integer_frequency(block) > 0, reached);
                prop_assert!(profile.post_dominators().post_dominates(block, block));
                let sum: u64 = profile.probabilities(block).iter().map(|edge| u64::from(edge.numerator())).sum();
                let edges = profile.successors(block).len() as u64;
                prop_assert!(edges == 0 || sum.abs_diff(1 << 31) <= edges);
            }
            profile.nest();
        }
    }
}
