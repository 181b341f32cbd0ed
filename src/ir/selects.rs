//! Reads the selects of a live function, for predictors.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::ir::llvm::prelude::LLVMValueRef;

use super::chosen::{kind_of, Chosen};
use super::compare;
use super::live::LiveFunction;
use super::metadata::{write_branch_weights, MetadataReader, TerminatorProfile};
use super::source::SourceReader;
use super::string_comparisons::StringComparisons;
use super::tested::TestReader;
use super::uses;
use super::value::{BasicBlock, Instruction, Value};
use bpa_core::cfg::Block;
use bpa_core::dialect::Dialect;
use bpa_core::facts::FunctionFacts;
use bpa_core::features::{FunctionStatistics, Select, SelectProfile};
use bpa_core::source::Position;

/// The `select` instructions that [`FunctionStatistics`] describes, in the same order.
pub struct SelectInstructions(Vec<LLVMValueRef>);

impl SelectInstructions {
    /// The `select` of `live` with a given index.
    fn get<'ir>(&self, _live: &'ir LiveFunction, place: usize) -> Instruction<'ir> {
        // SAFETY: the instructions belong to the live function, and no instruction is deleted while the live function
        // is in use.
        unsafe { Value::new(self.0[place]) }.and_then(Value::instruction).expect("a select")
    }
}

impl LiveFunction {
    /// Reads the function's IR statistics and its selects. `facts` must describe the current IR.
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
        for (block, basic_block) in self.basic_blocks() {
            reader.read_block(block, basic_block);
        }
        let instructions = reader.instructions.iter().map(|select| select.raw()).collect();
        statistics.selects = reader.selects;
        (statistics, SelectInstructions(instructions))
    }
}

struct SelectReader<'a> {
    tests: TestReader<'a>,
    string_comparisons: StringComparisons,
    metadata: MetadataReader<'a>,
    /// For each condition, the number of selects in the current block that use the condition.
    companions: FxHashMap<Value<'a>, u32>,
    selects: Vec<Select>,
    instructions: Vec<Instruction<'a>>,
}

impl<'a> SelectReader<'a> {
    fn read_block(&mut self, block: Block, basic_block: BasicBlock<'a>) {
        let first = self.selects.len();
        self.companions.clear();
        for select in
            basic_block.instructions().filter(|&instruction| is_select_with_scalar_condition(instruction))
        {
            let index = (self.selects.len() - first) as u32;
            let read = self.read(select, block, index);
            *self.companions.entry(select.operand(0)).or_default() += 1;
            self.selects.push(read);
            self.instructions.push(select);
        }
        for (select, &instruction) in self.selects[first..].iter_mut().zip(&self.instructions[first..]) {
            select.companions = self.companions[&instruction.operand(0)] - 1;
        }
    }

    fn read(&mut self, select: Instruction<'a>, block: Block, index: u32) -> Select {
        let condition = select.operand(0);
        let (test, tested) = self.tests.read_condition(block, condition);
        let (kind, bits) = kind_of(*select);
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

    fn profile(&mut self, select: Instruction<'a>) -> SelectProfile {
        let mut weights = Vec::new();
        match self.metadata.profile(select, 2, &mut weights) {
            TerminatorProfile::Weights => SelectProfile::Weights([weights[0], weights[1]]),
            TerminatorProfile::Other => SelectProfile::Other,
            TerminatorProfile::None => SelectProfile::None,
        }
    }
}

impl LiveFunction {
    /// Writes branch weights on the `select` at index `place`. The first weight is for a true condition, the second for
    /// a false condition.
    pub fn set_select_weights(&mut self, selects: &SelectInstructions, place: usize, weights: [u32; 2]) {
        write_branch_weights(selects.get(self, place), Some(&weights), None);
    }

    /// Returns a function that reads the source position of the `select` with a given index.
    pub fn select_positions<'a>(
        &'a self,
        selects: &'a SelectInstructions,
    ) -> impl Fn(usize) -> Option<Position> + 'a {
        let source = RefCell::new(SourceReader::default());
        move |place| source.borrow_mut().instruction(selects.get(self, place))
    }
}

/// Whether an instruction is a `select` with a scalar condition. Other selects have one condition for each element of a
/// vector.
fn is_select_with_scalar_condition(instruction: Instruction) -> bool {
    instruction.is_select() && instruction.operand(0).type_of().integer_bits().is_some()
}
