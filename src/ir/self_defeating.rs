//! Branches in loops whose own outcome makes their condition false.
//!
//! `if (++n >= MAX) n = 0;` is the pattern: having gone into the block that resets `n`, the branch cannot go there
//! the next time. The value under test must come from a phi, directly or through operations with constants;
//! the phi, directly or through other phis of the web, takes a constant from the successor; and with that constant
//! the condition folds to the other outcome.

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use rustc_hash::FxHashSet;

use super::fold::{Folder, Predicate};
use super::particulars::constant_text;
use super::LiveFunction;
use crate::cfg::Block;
use crate::dialect::Dialect;
use crate::snapshot::LoopConditions;

/// Answers from the live conditions of a function.
pub struct LiveConditions<'a> {
    live: &'a LiveFunction,
    folder: Folder,
    visited: FxHashSet<LLVMValueRef>,
    pending: Vec<LLVMValueRef>,
}

impl LiveFunction {
    /// The function's conditions, for the rule that follows values around loops.
    pub fn conditions(&self, dialect: &Dialect) -> LiveConditions<'_> {
        LiveConditions {
            live: self,
            folder: Folder::new(self.module(), dialect),
            visited: FxHashSet::default(),
            pending: Vec::new(),
        }
    }
}

impl LoopConditions for LiveConditions<'_> {
    fn self_defeating(&mut self, branch: Block, in_loop: &dyn Fn(Block) -> bool) -> [bool; 2] {
        self.defeats(branch, in_loop).map(|constant| constant.is_some())
    }

    fn defeating_constants(&mut self, branch: Block, in_loop: &dyn Fn(Block) -> bool) -> [Option<String>; 2] {
        // SAFETY: what is found are constants.
        self.defeats(branch, in_loop)
            .map(|constant| constant.map(|constant| unsafe { constant_text(constant) }))
    }
}

impl LiveConditions<'_> {
    /// For each successor of `branch`, the first constant found that comes from there and sets the condition false.
    fn defeats(&mut self, branch: Block, in_loop: &dyn Fn(Block) -> bool) -> [Option<LLVMValueRef>; 2] {
        // SAFETY: the branch is a block of the live function that ends in a two-way branch on a comparison of an
        // instruction with a constant; everything looked at is reached from its operands.
        unsafe {
            let terminator = LLVMGetBasicBlockTerminator(self.live.blocks()[branch]);
            let Some(test) = Test::of(LLVMGetCondition(terminator), self.live, in_loop) else {
                return [None; 2];
            };
            let targets = [self.live.successor(terminator, 0), self.live.successor(terminator, 1)];
            self.search(&test, targets, in_loop)
        }
    }

    /// Follows the web of phis from the tested one and tries every constant that a target sends in.
    unsafe fn search(
        &mut self,
        test: &Test,
        targets: [Block; 2],
        in_loop: &dyn Fn(Block) -> bool,
    ) -> [Option<LLVMValueRef>; 2] {
        let mut defeats = [None; 2];
        self.visited.clear();
        self.visited.insert(test.phi);
        self.pending.push(test.phi);
        while let Some(phi) = self.pending.pop() {
            for place in 0..LLVMCountIncoming(phi) {
                let source = self.live.number(LLVMGetIncomingBlock(phi, place));
                if !in_loop(source) {
                    continue;
                }
                let value = LLVMGetIncomingValue(phi, place);
                if !LLVMIsAPHINode(value).is_null() {
                    if self.visited.insert(value) {
                        self.pending.push(value);
                    }
                } else if targets.contains(&source) && !LLVMIsAConstant(value).is_null() {
                    if let Some(outcome) = test.outcome(value, &self.folder) {
                        // On false the branch goes to its second target, so the first is defeated.
                        let place = usize::from(outcome);
                        if source == targets[place] {
                            defeats[place] = defeats[place].or(Some(value));
                        }
                    }
                }
            }
        }
        if targets[0] == targets[1] {
            // The answer is about the block, by whichever edge it is reached.
            defeats = [defeats[0].or(defeats[1]); 2];
        }
        defeats
    }
}

/// A comparison of a phi, taken through operations with constants, with a constant.
struct Test {
    phi: LLVMValueRef,
    /// The operations between the phi and the comparison, the one nearest to the comparison first.
    operations: Vec<LLVMValueRef>,
    predicate: Predicate,
    constant: LLVMValueRef,
}

impl Test {
    unsafe fn of(
        condition: LLVMValueRef,
        live: &LiveFunction,
        in_loop: &dyn Fn(Block) -> bool,
    ) -> Option<Test> {
        let is_inside = |value| in_loop(live.number(LLVMGetInstructionParent(value)));
        let mut operations = Vec::new();
        let mut value = LLVMGetOperand(condition, 0);
        while !LLVMIsABinaryOperator(value).is_null() && !LLVMIsAConstant(LLVMGetOperand(value, 1)).is_null()
        {
            if !is_inside(value) {
                return None;
            }
            operations.push(value);
            value = LLVMGetOperand(value, 0);
        }
        if LLVMIsAPHINode(value).is_null() || !is_inside(value) {
            return None;
        }
        let predicate = if LLVMIsAICmpInst(condition).is_null() {
            Predicate::Float(LLVMGetFCmpPredicate(condition))
        } else {
            Predicate::Integer(LLVMGetICmpPredicate(condition))
        };
        Some(Test { phi: value, operations, predicate, constant: LLVMGetOperand(condition, 1) })
    }

    /// What the comparison yields if the phi takes `value`; nothing if that does not fold to true or false.
    unsafe fn outcome(&self, value: LLVMValueRef, folder: &Folder) -> Option<bool> {
        let compared = self.operations.iter().rev().try_fold(value, |value, &operation| {
            folder.binary(LLVMGetInstructionOpcode(operation), value, LLVMGetOperand(operation, 1))
        })?;
        let result = folder.compare(self.predicate, compared, self.constant)?;
        (!LLVMIsAConstantInt(result).is_null()).then(|| LLVMConstIntGetZExtValue(result) == 1)
    }
}
