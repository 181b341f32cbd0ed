//! Unlikely successors: branches in loops whose own outcome makes their condition false.
//!
//! `if (++n >= MAX) n = 0;` is the pattern: having gone into the block that resets `n`, the branch cannot go there
//! the next time. The value under test must come from a phi, directly or through operations with constants;
//! the phi, directly or through other phis of the web, takes a constant from the successor; and with that constant
//! the condition folds to the other outcome.

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

/// So many steps from a comparison to its phi are taken anew each time; from there on each is taken once. Real rows of
/// operations are shorter.
const FEW_OPERATIONS: usize = 8;

/// So many values that come into phis are looked at before it pays to know all that come from a block.
const MANY_INCOMING: usize = 1 << 14;

/// A web of so many phis or fewer leaves its memory to the next one.
const FEW_PHIS: usize = 64;

/// Answers from the live conditions of a function.
pub struct LiveConditions<'a> {
    live: &'a LiveFunction,
    folder: Folder,
    /// Where rows of operations that are not short begin.
    origins: FxHashMap<LLVMValueRef, LLVMValueRef>,
    web: Web,
    /// Set up when walks through webs get long.
    index: Option<PhiIndex>,
}

/// The walk through a web of phis.
#[derive(Default)]
struct Web {
    visited: FxHashSet<LLVMValueRef>,
    pending: Vec<LLVMValueRef>,
    /// How many incoming values all walks have looked at.
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
        // SAFETY: what is found are constants.
        self.find(branch, around).map(|constant| constant.map(|constant| unsafe { constant_text(constant) }))
    }
}

impl LiveConditions<'_> {
    /// For each successor of `branch`, the first constant found that comes from there and sets the condition false.
    ///
    /// LLVM: `computeUnlikelySuccessors`.
    fn find(&mut self, branch: Block, around: &LoopAround) -> Constants {
        // SAFETY: the branch is a block of the live function that ends in a two-way branch on a comparison of an
        // instruction with a constant; everything looked at is reached from its operands.
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
            .unwrap_or_else(|| self.look_up(&test, around))
        }
    }

    /// What is left of `value` without the operations with constants that it comes from.
    ///
    /// All of them are in the loop if what is left, which dominates them, is in there together with the branch.
    ///
    /// LLVM: `computeUnlikelySuccessors`.
    unsafe fn origin(&mut self, mut value: LLVMValueRef) -> LLVMValueRef {
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
            // Only IR that no verifier has seen has values made from themselves: then this one comes up again.
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

    /// Follows the web of phis from the tested one and tries every constant that a target sends in. Gives up if more
    /// than `most` values come into the web.
    ///
    /// LLVM: `computeUnlikelySuccessors`.
    unsafe fn search(&mut self, test: &Test, around: &LoopAround, most: usize) -> Option<Constants> {
        let Web { visited, pending, steps } = &mut self.web;
        let mut verdict = Verdict::new(test);
        let last_step = steps.saturating_add(most);
        if visited.capacity() > FEW_PHIS {
            // Clearing takes as long as the set has space, not as long as it has been filled.
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
                } else if verdict.concerns(source) && !LLVMIsAConstant(value).is_null() {
                    verdict.hear(source, value, test.outcome(value, &self.folder));
                }
            }
        }
        Some(verdict.answer())
    }

    /// The same the other way round: tries every constant that a target sends anywhere, and then looks whether that
    /// is in the web.
    unsafe fn look_up(&mut self, test: &Test, around: &LoopAround) -> Constants {
        let mut verdict = Verdict::new(test);
        let Some(index) = &mut self.index else { return verdict.answer() };
        for &target in test.targets.iter().filter(|&&target| (around.contains)(target)) {
            for place in 0..index.constants_from(target).len() {
                let (phi, constant) = index.constants_from(target)[place];
                if LLVMTypeOf(phi) != LLVMTypeOf(test.phi) {
                    continue;
                }
                let outcome = test.outcome(constant, &self.folder);
                if verdict.unlikely(target, outcome).is_some() && index.comes_to(phi, test.phi, around) {
                    verdict.hear(target, constant, outcome);
                }
            }
        }
        verdict.answer()
    }
}

/// The operand of an operation whose other one is a constant.
unsafe fn operand_beside_constant(value: LLVMValueRef) -> Option<LLVMValueRef> {
    let is_operation = !LLVMIsABinaryOperator(value).is_null();
    (is_operation && !LLVMIsAConstant(LLVMGetOperand(value, 1)).is_null()).then(|| LLVMGetOperand(value, 0))
}

/// A branch on a comparison of a phi, taken through operations with constants, with a constant.
struct Test {
    condition: LLVMValueRef,
    phi: LLVMValueRef,
    targets: [Block; 2],
}

impl Test {
    /// What the comparison yields if the phi takes `value`; nothing if that does not fold to true or false.
    ///
    /// LLVM: `computeUnlikelySuccessors`.
    unsafe fn outcome(&self, value: LLVMValueRef, folder: &Folder) -> Option<bool> {
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

/// For each target of a branch, a constant from there that sends the branch the other way.
type Constants = [Option<LLVMValueRef>; 2];

/// What has been found of the targets of a branch.
struct Verdict {
    targets: [Block; 2],
    constants: Constants,
}

impl Verdict {
    fn new(test: &Test) -> Self {
        Verdict { targets: test.targets, constants: [None; 2] }
    }

    fn concerns(&self, source: Block) -> bool {
        self.targets.contains(&source)
    }

    /// Which target is unlikely if the branch had `outcome` after it has been to `source`, and is not known to be. On
    /// false the branch goes to its second target, so the first is unlikely.
    fn unlikely(&self, source: Block, outcome: Option<bool>) -> Option<usize> {
        let place = usize::from(outcome?);
        (source == self.targets[place] && self.constants[place].is_none()).then_some(place)
    }

    fn hear(&mut self, source: Block, constant: LLVMValueRef, outcome: Option<bool>) {
        if let Some(place) = self.unlikely(source, outcome) {
            self.constants[place] = Some(constant);
        }
    }

    /// If both targets are the same, the answer is about the block, by whichever edge it is reached.
    fn answer(self) -> Constants {
        match self.targets[0] == self.targets[1] {
            true => [self.constants[0].or(self.constants[1]); 2],
            false => self.constants,
        }
    }
}
