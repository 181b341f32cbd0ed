//! Whole functions out of bytes.

use bpa::bfi::FrequencyInput;
use bpa::bpi::BranchProbabilities;
use bpa::cfg::{Block, Workspace};
use bpa::dialect::{FrequencyScaling, HashProbing};
use bpa::snapshot::{
    BlockFacts, Condition, FloatPredicate, IntegerConstant, IntegerOperand, IntegerPredicate, LoopAround,
    LoopConditions, Marks, Snapshot, Terminator,
};
use libfuzzer_sys::arbitrary::{Arbitrary, Result, Unstructured};

use crate::graph;

/// A function of up to 16 blocks, and what can be asked of its conditions.
#[derive(Debug)]
pub struct Function {
    pub snapshot: Snapshot,
    pub conditions: Conditions,
    pub scaling: FrequencyScaling,
    pub probing: HashProbing,
}

/// Which edges of each block make the condition false.
#[derive(Clone, Debug)]
pub struct Conditions {
    halved: Vec<[bool; 2]>,
}

impl Conditions {
    pub fn told(&self, branch: Block) -> [bool; 2] {
        self.halved[branch.as_u32() as usize]
    }
}

impl LoopConditions for Conditions {
    fn unlikely_successors(&mut self, branch: Block, around: &LoopAround) -> [bool; 2] {
        assert!((around.contains)(branch), "only blocks in loops are asked about");
        self.told(branch)
    }
}

impl<'a> Arbitrary<'a> for Function {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let graph = graph(bytes, 16)?;
        let mut snapshot = Snapshot { graph, ..Snapshot::default() };
        let mut conditions = Conditions { halved: Vec::new() };
        let blocks: Vec<Block> = snapshot.graph.blocks().collect();
        for &block in &blocks {
            let successors = snapshot.graph.successors(block).len();
            let mut facts = facts(bytes, successors)?;
            let mut halved = [false; 2];
            if successors == 2 && facts.terminator == Terminator::Branch {
                facts.condition = condition(bytes)?;
                halved = bytes.arbitrary()?;
                if halved.contains(&true) {
                    facts.marks.add(Marks::COMPARES_WITH_CONSTANT);
                }
            }
            snapshot.blocks.push(facts);
            conditions.halved.push(halved);
            if successors > 1 && bytes.ratio(1, 4)? {
                let weights = (0..successors).map(|_| weight(bytes)).collect::<Result<Vec<u32>>>()?;
                snapshot.set_weights(block, &weights);
            }
            // Sums of these stay below 2^64, above which LLVM's own arithmetic wraps around.
            if bytes.ratio(1, 8)? {
                let weight = bytes.arbitrary::<u64>()? >> bytes.int_in_range(4..=64)?.min(63);
                snapshot.header_weights.push((block, weight));
            }
        }
        let scaling =
            *bytes.choose(&[FrequencyScaling::SmallestToEight, FrequencyScaling::LargestTo54Bits])?;
        let probing = *bytes.choose(&[HashProbing::Growing, HashProbing::Linear])?;
        Ok(Function { snapshot, conditions, scaling, probing })
    }
}

fn facts(bytes: &mut Unstructured, successors: usize) -> Result<BlockFacts> {
    use Terminator::*;
    let terminators: &[Terminator] = match successors {
        0 => &[Return, Unreachable, Unreachable, Exceptional],
        1 => &[Jump, Jump, Exceptional],
        2 => &[Branch, Branch, Branch, Switch, Invoke, CallBranch, IndirectBranch],
        _ => &[Switch, Switch, IndirectBranch, CallBranch, Exceptional],
    };
    let mut facts = BlockFacts { terminator: *bytes.choose(terminators)?, ..BlockFacts::default() };
    if facts.terminator == Unreachable {
        facts.marks.add(Marks::NEVER_COMPLETES);
        if bytes.arbitrary()? {
            facts.marks.add(Marks::NORETURN_CALL);
        }
    }
    for mark in [Marks::COLD_CALL, Marks::EXCEPTION_PATH, Marks::OTHER_PROFILE] {
        if bytes.ratio(1, 8)? {
            facts.marks.add(mark);
        }
    }
    Ok(facts)
}

fn condition(bytes: &mut Unstructured) -> Result<Condition> {
    use FloatPredicate::{EqualityOrdered, EqualityUnordered, Ordered, Unordered};
    use IntegerConstant::{MinusOne, One, Zero};
    use IntegerOperand::{Plain, SingleBit, StringComparison};
    use IntegerPredicate::{Equal, SignedGreater, SignedLess, Unequal};
    let floats = [EqualityOrdered, EqualityUnordered, Ordered, Unordered, FloatPredicate::Other];
    let predicates = [Equal, Unequal, SignedLess, SignedGreater, IntegerPredicate::Other];
    Ok(match bytes.arbitrary::<u8>()? % 4 {
        0 => Condition::Opaque,
        1 => Condition::Pointer { unequal: bytes.arbitrary()? },
        2 => Condition::Float { predicate: *bytes.choose(&floats)? },
        _ => Condition::Integer {
            predicate: *bytes.choose(&predicates)?,
            operand: *bytes.choose(&[Plain, SingleBit, StringComparison])?,
            constant: *bytes.choose(&[Zero, One, MinusOne, IntegerConstant::Other])?,
        },
    })
}

/// Branch weights of all sizes.
pub(crate) fn weight(bytes: &mut Unstructured) -> Result<u32> {
    Ok(bytes.arbitrary::<u32>()? >> (bytes.arbitrary::<u8>()? % 33).min(31))
}

impl Function {
    /// A workspace with what the function needs.
    pub fn workspace(&self) -> Workspace {
        let mut workspace = Workspace::default();
        workspace.compute(&self.snapshot.graph);
        workspace
    }

    /// Branch probabilities of `snapshot`, which has this function's graph.
    pub fn probabilities(&self, snapshot: &Snapshot) -> BranchProbabilities {
        BranchProbabilities::compute(snapshot, &mut self.workspace(), &mut self.conditions.clone())
    }

    /// What frequencies are computed from.
    pub fn frequency_input<'a>(
        &'a self,
        workspace: &'a Workspace,
        probabilities: &'a BranchProbabilities,
    ) -> FrequencyInput<'a> {
        FrequencyInput {
            graph: &self.snapshot.graph,
            tree: &workspace.tree,
            loops: &workspace.loops,
            probabilities: probabilities.probabilities(),
            header_weights: &self.snapshot.header_weights,
            scaling: self.scaling,
            probing: self.probing,
        }
    }
}
