//! Generates whole functions from bytes.

use bpa_core::bfi::FrequencyInput;
use bpa_core::bpi::BranchProbabilities;
use bpa_core::cfg::Block;
use bpa_core::dialect::{Dialect, FrequencyScaling, HashProbing};
use bpa_core::facts::{
    Condition, ConstantKind, FloatPredicate, FunctionFacts, FunctionFactsBuilder, IntegerOperand, LoopAround,
    LoopConditions, Predicate, Terminator,
};
use libfuzzer_sys::arbitrary::{Arbitrary, Result, Unstructured};

use crate::graph;

/// A function of up to 16 blocks, with random data about its conditions.
#[derive(Debug)]
pub struct Function {
    pub facts: FunctionFacts,
    pub conditions: Conditions,
    pub scaling: FrequencyScaling,
    pub probing: HashProbing,
}

/// For each block, whether the first successor is unlikely, and whether the second successor is unlikely. A successor
/// is unlikely if the branch cannot go to this successor in two successive iterations.
#[derive(Clone, Debug)]
pub struct Conditions {
    halved: Vec<[bool; 2]>,
}

impl Conditions {
    pub fn halved(&self, branch: Block) -> [bool; 2] {
        self.halved[branch.as_u32() as usize]
    }
}

impl LoopConditions for Conditions {
    fn unlikely_successors(&mut self, branch: Block, around: &LoopAround) -> [bool; 2] {
        assert!((around.contains)(branch), "only branches in loops have unlikely successors");
        self.halved(branch)
    }
}

impl<'a> Arbitrary<'a> for Function {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let graph = graph(bytes, 16)?;
        let successor_counts: Vec<usize> =
            graph.blocks().map(|block| graph.successors(block).len()).collect();
        let mut facts = FunctionFacts::builder(graph);
        let mut conditions = Conditions { halved: Vec::new() };
        for (block, &successors) in (0..).map(Block::from_u32).zip(&successor_counts) {
            let terminator = terminator(bytes, successors)?;
            facts.terminator(block, terminator);
            add_properties(bytes, terminator, &mut facts, block)?;
            add_profile(bytes, terminator, successors, &mut facts, block)?;
            let mut halved = [false; 2];
            if terminator == Terminator::Branch {
                facts.condition(block, condition(bytes)?);
                halved = bytes.arbitrary()?;
                if halved.contains(&true) {
                    facts.compares_with_constant(block);
                }
            }
            conditions.halved.push(halved);
        }
        let facts = facts.build().expect("the facts are consistent");
        let scaling =
            *bytes.choose(&[FrequencyScaling::SmallestToEight, FrequencyScaling::LargestTo54Bits])?;
        let probing = *bytes.choose(&[HashProbing::Growing, HashProbing::Linear])?;
        Ok(Function { facts, conditions, scaling, probing })
    }
}

fn terminator(bytes: &mut Unstructured, successors: usize) -> Result<Terminator> {
    use Terminator::*;
    let terminators: &[Terminator] = match successors {
        0 => &[Return, Unreachable, Unreachable, Exceptional],
        1 => &[Jump, Jump, Exceptional],
        2 => &[Branch, Branch, Branch, Switch, Invoke, CallBranch, IndirectBranch],
        _ => &[Switch, Switch, IndirectBranch, CallBranch, Exceptional],
    };
    Ok(*bytes.choose(terminators)?)
}

/// Adds properties that make a block unlikely.
fn add_properties(
    bytes: &mut Unstructured,
    terminator: Terminator,
    facts: &mut FunctionFactsBuilder,
    block: Block,
) -> Result<()> {
    let deoptimizes = terminator == Terminator::Return && bytes.ratio(1, 8)?;
    if deoptimizes {
        facts.deoptimizes(block);
    }
    if (deoptimizes || terminator == Terminator::Unreachable) && bytes.arbitrary()? {
        facts.noreturn_call(block);
    }
    if bytes.ratio(1, 8)? {
        facts.cold_call(block);
    }
    if bytes.ratio(1, 8)? {
        facts.exception_path(block);
    }
    Ok(())
}

/// Adds profile data to a block.
fn add_profile(
    bytes: &mut Unstructured,
    terminator: Terminator,
    successors: usize,
    facts: &mut FunctionFactsBuilder,
    block: Block,
) -> Result<()> {
    if successors > 1 && terminator.may_carry_weights(true) {
        if bytes.ratio(1, 4)? {
            let weights = (0..successors).map(|_| weight(bytes)).collect::<Result<Vec<u32>>>()?;
            facts.weights(block, &weights);
        } else if bytes.ratio(1, 8)? {
            facts.other_profile(block);
        }
    }
    // The sum of all header weights is below 2^64. LLVM adds header weights in 64 bits, so a larger sum would overflow.
    if bytes.ratio(1, 8)? {
        facts.header_weight(block, bytes.arbitrary::<u64>()? >> bytes.int_in_range(4..=64)?.min(63));
    }
    Ok(())
}

fn condition(bytes: &mut Unstructured) -> Result<Condition> {
    use ConstantKind::{MinusOne, One, Zero};
    use FloatPredicate::{EqualityOrdered, EqualityUnordered, Ordered, Unordered};
    use IntegerOperand::{Plain, SingleBit, StringComparison};
    use Predicate::{Equal, Greater, Less, Unequal};
    let floats = [EqualityOrdered, EqualityUnordered, Ordered, Unordered, FloatPredicate::Other];
    let predicates = [Equal, Unequal, Less, Greater, Predicate::Below];
    Ok(match bytes.arbitrary::<u8>()? % 4 {
        0 => Condition::Opaque,
        1 => Condition::Pointer { unequal: bytes.arbitrary()? },
        2 => Condition::Float { predicate: *bytes.choose(&floats)? },
        _ => Condition::Integer {
            predicate: *bytes.choose(&predicates)?,
            operand: *bytes.choose(&[Plain, SingleBit, StringComparison])?,
            constant: *bytes.choose(&[Zero, One, MinusOne, ConstantKind::Other])?,
        },
    })
}

/// Generates a branch weight of any magnitude.
pub(crate) fn weight(bytes: &mut Unstructured) -> Result<u32> {
    Ok(bytes.arbitrary::<u32>()? >> (bytes.arbitrary::<u8>()? % 33).min(31))
}

impl Function {
    /// Computes the branch probabilities of `facts`, which must have this function's graph.
    pub fn probabilities(&self, facts: &FunctionFacts) -> BranchProbabilities {
        BranchProbabilities::compute(facts, &mut self.conditions.clone())
    }

    /// The input of the frequency analysis for this function.
    pub fn frequency_input<'a>(&'a self, probabilities: &'a BranchProbabilities) -> FrequencyInput<'a> {
        let llvm16 = Dialect::named("16").expect("a supported version");
        let mut input = FrequencyInput::new(self.facts.graph(), probabilities.probabilities(), llvm16)
            .with_header_weights(self.facts.header_weights());
        input.scaling = self.scaling;
        input.probing = self.probing;
        input
    }
}
