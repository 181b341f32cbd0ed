//! Unlikely successors: successors inside a loop that set a value such that the branch takes the other edge the next
//! time.
//!
//! An example is `if (++n >= MAX) n = 0;`. After an iteration that resets `n`, the branch cannot take the same edge
//! in the next iteration. The rule applies if three conditions hold:
//! - The compared value is a phi, or is computed from a phi by operations with constants.
//! - The phi takes a constant from the successor, directly or through other phis (the web of phis).
//! - With this constant, the condition folds to the other outcome.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::fold::{Folder, Predicate};
use super::ir_text::constant_text;
use super::phi_index::PhiIndex;
use super::LiveFunction;
use bpa_core::cfg::Block;
use bpa_core::dialect::Dialect;
use bpa_core::facts::{LoopAround, LoopConditions};

/// Chains of at most this many operations from a comparison to its phi are walked each time. Longer chains are cached.
/// Chains in real programs are shorter.
const FEW_OPERATIONS: usize = 8;

/// After walks have read this many incoming values of phis, an index of all phis is cheaper.
const MANY_INCOMING: usize = 1 << 14;

/// The set for a web of at most this many phis keeps its memory for the next web.
const FEW_PHIS: usize = 64;

/// Finds unlikely successors in a live function.
pub struct LiveConditions<'a> {
    live: &'a LiveFunction,
    folder: Folder,
    /// For values on long chains of operations, the value at the start of the chain.
    origins: FxHashMap<LLVMValueRef, LLVMValueRef>,
    web: Web,
    /// Created when the walks through webs become long.
    index: Option<PhiIndex>,
}

/// The walk through a web of phis.
#[derive(Default)]
struct Web {
    visited: FxHashSet<LLVMValueRef>,
    pending: Vec<LLVMValueRef>,
    /// The number of incoming values that all walks have read.
    steps: usize,
}

impl LiveFunction {
    /// The function's conditions, for the rule that follows values around loops.
    pub fn conditions(&self, dialect: &Dialect) -> LiveConditions<'_> {
        LiveConditions {
            live: self,
            folder: Folder::new(self.module(), dialect),
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
        // SAFETY: the results are constants.
        self.find(branch, around).map(|constant| constant.map(|constant| unsafe { constant_text(constant) }))
    }
}

impl LiveConditions<'_> {
    /// For each successor of `branch`, the first constant that comes from this successor and makes the branch take the
    /// other edge.
    ///
    /// LLVM: `computeUnlikelySuccessors`.
    fn find(&mut self, branch: Block, around: &LoopAround) -> Constants {
        // SAFETY: `branch` is a block of the live function. It ends in a conditional branch on a comparison of an
        // instruction with a constant. All other values are reached from the operands of the comparison.
        unsafe {
            let terminator = LLVMGetBasicBlockTerminator(self.live.blocks()[branch]);
            let condition = LLVMGetCondition(terminator);
            let phi = self.origin(LLVMGetOperand(condition, 0));
            if LLVMIsAPHINode(phi).is_null()
                || !self.live.find(LLVMGetInstructionParent(phi)).is_some_and(around.contains)
            {
                return [None; 2];
            }
            let targets = [self.live.successor(terminator, 0), self.live.successor(terminator, 1)];
            let test = Test { condition, phi, targets };
            if self.web.steps < MANY_INCOMING {
                self.search(&test, around, usize::MAX)
            } else {
                let index = self.index.get_or_insert_with(|| PhiIndex::new(self.live));
                let candidates: usize =
                    targets.iter().map(|&target| index.constants_from(target).len()).sum();
                self.search(&test, around, candidates)
            }
            .unwrap_or_else(|| self.search_from_constants(&test, around))
        }
    }

    /// The value from which `value` is computed by operations with constants.
    ///
    /// The start of the chain dominates all operations of the chain. If the start and the branch are in the loop,
    /// all operations are in the loop too.
    ///
    /// LLVM: `computeUnlikelySuccessors`.
    unsafe fn origin(&mut self, mut value: LLVMValueRef) -> LLVMValueRef {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
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
                // Only IR that was not verified has a value that is computed from itself. The walk then reaches
                // `landmark` again.
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
                passed = LLVMGetOperand(passed, 0);
            }
            origin
        }
    }

    /// Follows the web of phis from the compared phi and tries every constant that comes from a target. Stops with
    /// `None` after more than `limit` incoming values.
    ///
    /// LLVM: `computeUnlikelySuccessors`.
    unsafe fn search(&mut self, test: &Test, around: &LoopAround, limit: usize) -> Option<Constants> {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let Web { visited, pending, steps } = &mut self.web;
            let mut found = FoundConstants::new(test);
            let last_step = steps.saturating_add(limit);
            if visited.capacity() > FEW_PHIS {
                // The cost of clearing depends on the capacity of the set, not on its length.
                *visited = FxHashSet::default();
            }
            visited.clear();
            visited.insert(test.phi);
            pending.clear();
            pending.push(test.phi);
            while let Some(phi) = pending.pop() {
                *steps += LLVMCountIncoming(phi) as usize;
                if *steps > last_step {
                    return None;
                }
                for place in 0..LLVMCountIncoming(phi) {
                    let source = self.live.find(LLVMGetIncomingBlock(phi, place));
                    let Some(source) = source.filter(|&source| (around.contains)(source)) else { continue };
                    let value = LLVMGetIncomingValue(phi, place);
                    if !LLVMIsAPHINode(value).is_null() {
                        if visited.insert(value) {
                            pending.push(value);
                        }
                    } else if found.concerns(source) && !LLVMIsAConstant(value).is_null() {
                        found.record(source, value, test.outcome(value, &self.folder));
                    }
                }
            }
            Some(found.constants())
        }
    }

    /// Searches in the other direction: tries every constant that a phi takes from a target, then checks whether the
    /// phi is in the web.
    unsafe fn search_from_constants(&mut self, test: &Test, around: &LoopAround) -> Constants {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let mut found = FoundConstants::new(test);
            let Some(index) = &mut self.index else { return found.constants() };
            for &target in test.targets.iter().filter(|&&target| (around.contains)(target)) {
                for place in 0..index.constants_from(target).len() {
                    let (phi, constant) = index.constants_from(target)[place];
                    if LLVMTypeOf(phi) != LLVMTypeOf(test.phi) {
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
}

/// The left operand of a binary operation with a constant right operand.
unsafe fn operand_beside_constant(value: LLVMValueRef) -> Option<LLVMValueRef> {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        let is_operation = !LLVMIsABinaryOperator(value).is_null();
        (is_operation && !LLVMIsAConstant(LLVMGetOperand(value, 1)).is_null())
            .then(|| LLVMGetOperand(value, 0))
    }
}

/// A branch on the comparison of a constant with a phi, or with the result of operations on a phi and constants.
struct Test {
    condition: LLVMValueRef,
    phi: LLVMValueRef,
    targets: [Block; 2],
}

impl Test {
    /// The result of the comparison if the phi has this `value`. `None` if the comparison does not fold to true or
    /// false.
    ///
    /// LLVM: `computeUnlikelySuccessors`.
    unsafe fn outcome(&self, value: LLVMValueRef, folder: &Folder) -> Option<bool> {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let mut operations = Vec::new();
            let mut operation = LLVMGetOperand(self.condition, 0);
            while operation != self.phi {
                operations.push(operation);
                operation = LLVMGetOperand(operation, 0);
            }
            let compared = operations.into_iter().rev().try_fold(value, |value, operation| {
                folder.binary(LLVMGetInstructionOpcode(operation), value, LLVMGetOperand(operation, 1))
            })?;
            let predicate = if LLVMIsAICmpInst(self.condition).is_null() {
                Predicate::Float(LLVMGetFCmpPredicate(self.condition))
            } else {
                Predicate::Integer(LLVMGetICmpPredicate(self.condition))
            };
            let result = folder.compare(predicate, compared, LLVMGetOperand(self.condition, 1))?;
            (!LLVMIsAConstantInt(result).is_null()).then(|| LLVMConstIntGetZExtValue(result) == 1)
        }
    }
}

/// For each target of a branch, a constant that comes from this target and makes the branch take the other edge.
type Constants = [Option<LLVMValueRef>; 2];

/// Collects the constants for the targets of a branch.
struct FoundConstants {
    targets: [Block; 2],
    constants: Constants,
}

impl FoundConstants {
    fn new(test: &Test) -> Self {
        FoundConstants { targets: test.targets, constants: [None; 2] }
    }

    fn concerns(&self, source: Block) -> bool {
        self.targets.contains(&source)
    }

    /// The index of the target that is unlikely if the branch has `outcome` after block `source`, unless that target
    /// already has a constant. If the condition is false, the branch goes to its second target, so the first target is
    /// unlikely.
    fn unlikely(&self, source: Block, outcome: Option<bool>) -> Option<usize> {
        let place = usize::from(outcome?);
        (source == self.targets[place] && self.constants[place].is_none()).then_some(place)
    }

    fn record(&mut self, source: Block, constant: LLVMValueRef, outcome: Option<bool>) {
        if let Some(place) = self.unlikely(source, outcome) {
            self.constants[place] = Some(constant);
        }
    }

    /// Returns the constants. If both targets are the same block, a constant for one edge counts for both.
    fn constants(self) -> Constants {
        match self.targets[0] == self.targets[1] {
            true => [self.constants[0].or(self.constants[1]); 2],
            false => self.constants,
        }
    }
}
