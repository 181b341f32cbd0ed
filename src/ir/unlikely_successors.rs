//! Finds unlikely successors. In a loop, a successor S of a branch is unlikely if S sets a value that prevents the
//! branch from going to S in the next iteration.
//!
//! An example is `if (++n >= MAX) n = 0;`. If an iteration resets `n`, the branch cannot take the same edge in the
//! next iteration. The rule applies if three conditions hold:
//! - The compared value is a phi, or is computed from a phi by operations with constants.
//! - If execution reaches the phi from the successor, the value of the phi is a constant. The constant is an
//!   incoming value of the phi, or of another phi whose value reaches the phi.
//! - With this constant, the condition folds to the value for which the branch does not go to the successor again.

use rustc_hash::{FxHashMap, FxHashSet};

use super::fold::Folder;
use super::ir_text::constant_text;
use super::phi_index::PhiIndex;
use super::value::{Comparison, Phi, Value};
use super::LiveFunction;
use bpa_core::cfg::Block;
use bpa_core::dialect::Dialect;
use bpa_core::facts::{LoopAround, LoopConditions};

/// A chain of operations computes the operand of a comparison from a phi. If a chain has more than this number of
/// operations, the phi at the start of the chain is cached. Phis of short chains are not cached. The chains of real
/// programs are shorter than this limit.
const FEW_OPERATIONS: usize = 8;

/// If all walks together have read this number of incoming values of phis, bpa creates an index of all phis. The index
/// then takes less time than further walks.
const MANY_INCOMING: usize = 1 << 14;

/// If the set of visited phis has at most this capacity, the next walk uses the set again.
const FEW_PHIS: usize = 64;

/// Finds unlikely successors in a function in LLVM's memory.
pub struct LiveConditions<'a> {
    live: &'a LiveFunction<'a>,
    folder: Folder<'a>,
    /// Maps each value on a long chain of operations to the value at the start of the chain.
    origins: FxHashMap<Value<'a>, Value<'a>>,
    web: Web<'a>,
    /// The index of all phis, created when walks have read [`MANY_INCOMING`] values.
    index: Option<PhiIndex<'a>>,
}

/// A walk from a phi to the phis that are its incoming values, directly or through other phis.
#[derive(Default)]
struct Web<'a> {
    visited: FxHashSet<Phi<'a>>,
    pending: Vec<Phi<'a>>,
    /// The number of incoming values that all walks have read.
    steps: usize,
}

impl LiveFunction<'_> {
    /// The function's conditions, for the rule about unlikely successors.
    pub fn conditions(&self, dialect: &Dialect) -> LiveConditions<'_> {
        LiveConditions {
            live: self,
            folder: Folder::new(self, dialect),
            origins: FxHashMap::default(),
            web: Web::default(),
            index: None,
        }
    }
}

impl LoopConditions for LiveConditions<'_> {
    fn unlikely_successors(&mut self, branch: Block, around: &LoopAround) -> [bool; 2] {
        self.find(branch, around).map(|constant| constant.is_some())
    }

    fn unlikely_constants(&mut self, branch: Block, around: &LoopAround) -> [Option<String>; 2] {
        self.find(branch, around).map(|constant| constant.map(constant_text))
    }
}

impl<'a> LiveConditions<'a> {
    /// For each successor of `branch`, finds the first constant that comes from this successor and makes the branch go
    /// to the other successor. `branch` must be a block that ends in a conditional branch. The condition of the branch
    /// must compare an instruction with a constant.
    ///
    /// LLVM: `computeUnlikelySuccessors`.
    fn find(&mut self, branch: Block, around: &LoopAround) -> Constants<'a> {
        let Some(terminator) = self.live.block(branch).terminator() else { return [None; 2] };
        let Some(condition) = terminator.condition().and_then(Value::comparison) else { return [None; 2] };
        let Some(phi) = self.origin(condition.left()).phi() else { return [None; 2] };
        if !phi.parent().and_then(|block| self.live.find(block)).is_some_and(around.contains) {
            return [None; 2];
        }
        let targets = [self.live.successor(terminator, 0), self.live.successor(terminator, 1)];
        let test = Test { condition, phi, targets };
        if self.web.steps < MANY_INCOMING {
            self.search(&test, around, usize::MAX)
        } else {
            let index = self.index.get_or_insert_with(|| PhiIndex::new(self.live));
            let candidates: usize = targets.iter().map(|&target| index.constants_from(target).len()).sum();
            self.search(&test, around, candidates)
        }
        .unwrap_or_else(|| self.search_from_constants(&test, around))
    }

    /// Returns the value from which a chain of operations computes `value`.
    ///
    /// The second operand of each operation is a constant. The result dominates all operations of the chain. If the
    /// result and the branch are in a loop, all operations of the chain are in the loop too.
    ///
    /// LLVM: `computeUnlikelySuccessors`.
    fn origin(&mut self, mut value: Value<'a>) -> Value<'a> {
        for _ in 0..FEW_OPERATIONS {
            match operand_beside_constant(value) {
                Some(operand) => value = operand,
                None => return value,
            }
        }
        let first = value;
        let (mut landmark, mut steps) = (value, 0_usize);
        let origin = loop {
            match (self.origins.get(&value), operand_beside_constant(value)) {
                (Some(&origin), _) => break origin,
                (None, Some(operand)) => value = operand,
                (None, None) => break value,
            }
            // In invalid IR, a value can be computed from itself. The walk then reaches `landmark` again.
            if value == landmark {
                return value;
            }
            steps += 1;
            if steps.is_power_of_two() {
                landmark = value;
            }
        };
        let mut passed = first;
        while passed != value {
            self.origins.insert(passed, origin);
            let Some(operand) = operand_beside_constant(passed) else { break };
            passed = operand;
        }
        origin
    }

    /// Visits the compared phi, and all phis whose values reach this phi. Evaluates the condition with each constant
    /// that comes from a target of the branch. Returns `None` if these phis have more than `limit` incoming values in
    /// total.
    ///
    /// LLVM: `computeUnlikelySuccessors`.
    fn search(&mut self, test: &Test<'a>, around: &LoopAround, limit: usize) -> Option<Constants<'a>> {
        let Web { visited, pending, steps } = &mut self.web;
        let mut found = FoundConstants::new(test);
        let last_step = steps.saturating_add(limit);
        if visited.capacity() > FEW_PHIS {
            // The time for clearing a set depends on the capacity of the set, not on its length.
            *visited = FxHashSet::default();
        }
        visited.clear();
        visited.insert(test.phi);
        pending.clear();
        pending.push(test.phi);
        while let Some(phi) = pending.pop() {
            *steps += phi.incoming_count();
            if *steps > last_step {
                return None;
            }
            for (source, value) in phi.incoming() {
                let source = self.live.find(source);
                let Some(source) = source.filter(|&source| (around.contains)(source)) else { continue };
                if let Some(phi) = value.phi() {
                    if visited.insert(phi) {
                        pending.push(phi);
                    }
                } else if found.concerns(source) && value.is_constant() {
                    found.record(source, value, test.outcome(value, &self.folder));
                }
            }
        }
        Some(found.constants())
    }

    /// Does not walk from the phi in the comparison to other phis. Finds all phis that take a constant from a target of
    /// the branch. For each of them, [`PhiIndex::reaches`] determines whether its value reaches the phi in the
    /// comparison.
    fn search_from_constants(&mut self, test: &Test<'a>, around: &LoopAround) -> Constants<'a> {
        let mut found = FoundConstants::new(test);
        let Some(index) = &mut self.index else { return found.constants() };
        for &target in test.targets.iter().filter(|&&target| (around.contains)(target)) {
            for place in 0..index.constants_from(target).len() {
                let (phi, constant) = index.constants_from(target)[place];
                if phi.type_of() != test.phi.type_of() {
                    continue;
                }
                let outcome = test.outcome(constant, &self.folder);
                if found.unlikely(target, outcome).is_some() && index.reaches(phi, test.phi, around) {
                    found.record(target, constant, outcome);
                }
            }
        }
        found.constants()
    }
}

/// The left operand of a binary operation whose right operand is a constant.
fn operand_beside_constant(value: Value) -> Option<Value> {
    let operation = value.binary_operator()?;
    operation.right().is_constant().then(|| operation.left())
}

/// A branch whose condition compares a constant with a phi, or with a value that is computed from a phi and constants.
struct Test<'a> {
    condition: Comparison<'a>,
    phi: Phi<'a>,
    targets: [Block; 2],
}

impl<'a> Test<'a> {
    /// The result of the comparison if the phi has this `value`. If the comparison does not fold to true or false, the
    /// result is `None`.
    ///
    /// LLVM: `computeUnlikelySuccessors`.
    fn outcome(&self, value: Value<'a>, folder: &Folder<'a>) -> Option<bool> {
        let mut operations = Vec::new();
        let mut operation = self.condition.left();
        while operation != **self.phi {
            let operator = operation.binary_operator()?;
            operations.push(operator);
            operation = operator.left();
        }
        let compared = operations
            .into_iter()
            .rev()
            .try_fold(value, |value, operation| folder.binary(operation, value, operation.right()))?;
        let result = folder.compare(self.condition, compared, self.condition.right())?;
        Some(result.integer()?.unsigned() == 1)
    }
}

/// For each target block of a branch, a constant that a phi receives from this block, or `None`. Because of this
/// constant, the next execution of the branch does not go to the same target again.
type Constants<'a> = [Option<Value<'a>>; 2];

/// Collects the constants for the targets of a branch.
struct FoundConstants<'a> {
    targets: [Block; 2],
    constants: Constants<'a>,
}

impl<'a> FoundConstants<'a> {
    fn new(test: &Test) -> Self {
        FoundConstants { targets: test.targets, constants: [None; 2] }
    }

    fn concerns(&self, source: Block) -> bool {
        self.targets.contains(&source)
    }

    /// The index of the unlikely target: the target that the branch does not take if the condition has the value
    /// `outcome`. If the condition is false, the branch goes to its second target, so the first target is unlikely.
    /// The result is `None` in three cases: `outcome` is `None`, the unlikely target is not `source`, or `constants`
    /// already has a constant for this target.
    fn unlikely(&self, source: Block, outcome: Option<bool>) -> Option<usize> {
        let place = usize::from(outcome?);
        (source == self.targets[place] && self.constants[place].is_none()).then_some(place)
    }

    fn record(&mut self, source: Block, constant: Value<'a>, outcome: Option<bool>) {
        if let Some(place) = self.unlikely(source, outcome) {
            self.constants[place] = Some(constant);
        }
    }

    /// Returns the constants. If both edges of the branch lead to the same block, a constant for one edge also applies
    /// to the other edge.
    fn constants(self) -> Constants<'a> {
        match self.targets[0] == self.targets[1] {
            true => [self.constants[0].or(self.constants[1]); 2],
            false => self.constants,
        }
    }
}
