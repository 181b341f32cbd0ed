//! Reads the selects of a live function, for predictors that use them.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::ir::llvm::core::*;
use crate::ir::llvm::prelude::*;
use crate::ir::llvm::LLVMOpcode::*;
use crate::ir::llvm::LLVMTypeKind::*;

use super::chosen::{kind_of, Chosen};
use super::compare;
use super::live::LiveFunction;
use super::metadata::{write_branch_weights, MetadataReader, TerminatorProfile};
use super::source::SourceReader;
use super::string_comparisons::StringComparisons;
use super::tested::{opcode, TestReader};
use super::uses;
use bpa_core::cfg::Block;
use bpa_core::dialect::Dialect;
use bpa_core::facts::FunctionFacts;
use bpa_core::features::{FunctionStatistics, Select, SelectProfile};
use bpa_core::source::SourcePosition;

/// The instructions of the selects in [`FunctionStatistics`], in the same order.
pub struct SelectInstructions {
    instructions: Vec<LLVMValueRef>,
    source: RefCell<SourceReader>,
}

impl SelectInstructions {
    /// The source position of select number `place`.
    pub fn source_position(&self, place: usize) -> Option<SourcePosition> {
        // SAFETY: the instructions are valid as long as the function is not changed.
        unsafe { self.source.borrow_mut().instruction(self.instructions[place]) }
    }
}

impl LiveFunction {
    /// Reads the function's IR statistics and its selects. `facts` are its current facts.
    pub fn statistics_with_selects(
        &self,
        facts: &FunctionFacts,
        dialect: &Dialect,
    ) -> (FunctionStatistics, SelectInstructions) {
        let mut tests = TestReader::new(self, facts);
        let mut statistics = self.statistics_by(facts, &mut tests);
        let mut reader = SelectReader {
            tests,
            string_comparisons: StringComparisons::new(dialect),
            metadata: MetadataReader::new(dialect.branch_weight_node),
            companions: FxHashMap::default(),
            selects: Vec::new(),
            instructions: Vec::new(),
        };
        for (block, &instructions) in self.blocks() {
            // SAFETY: the blocks belong to the live function.
            unsafe { reader.read_block(block, instructions) };
        }
        statistics.selects = reader.selects;
        (statistics, SelectInstructions { instructions: reader.instructions, source: RefCell::default() })
    }
}

struct SelectReader<'a> {
    tests: TestReader<'a>,
    string_comparisons: StringComparisons,
    metadata: MetadataReader,
    /// For each condition, the number of selects in the current block that use it.
    companions: FxHashMap<LLVMValueRef, u32>,
    selects: Vec<Select>,
    instructions: Vec<LLVMValueRef>,
}

impl SelectReader<'_> {
    unsafe fn read_block(&mut self, block: Block, instructions: LLVMBasicBlockRef) {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let first = self.selects.len();
            self.companions.clear();
            let mut next = LLVMGetFirstInstruction(instructions);
            while !next.is_null() {
                if is_select_with_scalar_condition(next) {
                    let index = (self.selects.len() - first) as u32;
                    let select = self.read(next, block, index);
                    *self.companions.entry(LLVMGetOperand(next, 0)).or_default() += 1;
                    self.selects.push(select);
                    self.instructions.push(next);
                }
                next = LLVMGetNextInstruction(next);
            }
            for (select, &instruction) in self.selects[first..].iter_mut().zip(&self.instructions[first..]) {
                select.companions = self.companions[&LLVMGetOperand(instruction, 0)] - 1;
            }
        }
    }

    unsafe fn read(&mut self, select: LLVMValueRef, block: Block, index: u32) -> Select {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let condition = LLVMGetOperand(select, 0);
            let (test, tested) = self.tests.read_condition(block, condition);
            let (kind, bits) = kind_of(select);
            let chosen = Chosen { select, condition, tested, tests: &self.tests };
            Select {
                block,
                index,
                condition: compare::read_condition(condition, self.string_comparisons),
                test,
                kind,
                bits,
                values: [chosen.read(1), chosen.read(2)],
                uses: uses::of(select, &self.tests),
                companions: 0,
                profile: self.profile(select),
            }
        }
    }

    unsafe fn profile(&mut self, select: LLVMValueRef) -> SelectProfile {
        // SAFETY: the caller keeps this function's contract.
        unsafe {
            let mut weights = Vec::new();
            match self.metadata.profile(select, 2, &mut weights) {
                TerminatorProfile::Weights => SelectProfile::Weights([weights[0], weights[1]]),
                TerminatorProfile::Other => SelectProfile::Other,
                TerminatorProfile::None => SelectProfile::None,
            }
        }
    }
}

impl LiveFunction {
    /// Writes branch weights on select number `place`: the first weight is for a true condition, the second for a false
    /// condition.
    pub fn set_select_weights(&mut self, selects: &SelectInstructions, place: usize, weights: [u32; 2]) {
        // SAFETY: the instructions belong to this function, in which only weights have changed.
        unsafe { write_branch_weights(self.context(), selects.instructions[place], Some(&weights), None) };
    }
}

/// Whether an instruction is a `select` with a scalar condition. Other selects have one condition for each element of a
/// vector.
unsafe fn is_select_with_scalar_condition(instruction: LLVMValueRef) -> bool {
    // SAFETY: the caller keeps this function's contract.
    unsafe {
        opcode(instruction) == Some(LLVMSelect)
            && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(instruction, 0))) == LLVMIntegerTypeKind
    }
}
