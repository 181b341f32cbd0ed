//! Reads functions of Cranelift for `bpa-core`. The rules of branch prediction use the resulting facts.
//!
//! Blocks are numbered in layout order. [`facts`] reads a function, [`profile`] computes its profile, and [`Listing`]
//! prints a profile with Cranelift's own block names. The page docs/src/guide/other-compilers.md explains each fact.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod condition;
mod listing;
mod statistics;

/// Tests the code in the page about other compilers. The code on the page uses `bpa-core` and Cranelift, so the test is
/// in this crate.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/src/guide/other-compilers.md")]
struct OtherCompilers;

pub use listing::Listing;
pub use statistics::statistics;

use bpa_core::cfg::{self, Graph};
use bpa_core::cranelift_entity::{EntityRef, SecondaryMap};
use bpa_core::dialect::Dialect;
use bpa_core::facts::{FactsError, FunctionFacts, FunctionFactsBuilder, NoConditions, Terminator};
use bpa_core::profile::Profile;
use bpa_core::Predictor;
use cranelift_codegen::ir::{self, Function, Opcode};

/// Reads the facts of `function`.
///
/// # Errors
///
/// Returns an error if the function has no block. Any other error would be a bug in this crate.
pub fn facts(function: &Function) -> Result<FunctionFacts, FactsError> {
    let mut facts = FunctionFacts::builder(graph(function)?);
    for (number, block) in function.layout.blocks().enumerate() {
        read_block(function, block, cfg::Block::new(number), &mut facts);
    }
    facts.build()
}

/// Computes the profile of `function` with `predictor`. The rules behave as in the LLVM version of `dialect`. If the
/// predictor has a model, the model is applied before the rules.
///
/// # Errors
///
/// Returns an error if the function has no block, like [`facts`].
pub fn profile(
    function: &Function,
    predictor: &Predictor,
    dialect: &'static Dialect,
) -> Result<Profile, FactsError> {
    let builder = Profile::builder(facts(function)?, dialect);
    let profile = predictor.profile(builder, &mut NoConditions, |facts| statistics(function, facts));
    Ok(profile.expect("facts and statistics have the same blocks and edges"))
}

/// The control-flow graph, with Cranelift's blocks in layout order. The first block is the entry.
fn graph(function: &Function) -> Result<Graph, FactsError> {
    let mut numbers = SecondaryMap::with_default(cfg::Block::new(0));
    for (number, block) in function.layout.blocks().enumerate() {
        numbers[block] = cfg::Block::new(number);
    }
    let successors = |block| successors(function, block).into_iter().map(|target| numbers[target]);
    Ok(Graph::from_successor_lists(function.layout.blocks().map(successors))?)
}

/// The successors of `block`, in the order of its terminator. For a `br_table`, the first successor is the default.
fn successors(function: &Function, block: ir::Block) -> Vec<ir::Block> {
    let Some(terminator) = function.layout.last_inst(block) else { return Vec::new() };
    let calls = function.dfg.insts[terminator].branch_destination(&function.dfg.jump_tables);
    calls.iter().map(|call| call.block(&function.dfg.value_lists)).collect()
}

/// Adds the properties of `block` to `facts`. `number` is the number of the block.
fn read_block(function: &Function, block: ir::Block, number: cfg::Block, facts: &mut FunctionFactsBuilder) {
    if function.layout.is_cold(block) {
        facts.cold_call(number);
    }
    let Some(terminator) = function.layout.last_inst(block) else { return };
    match function.dfg.insts[terminator].opcode() {
        Opcode::Jump => facts.terminator(number, Terminator::Jump),
        Opcode::Brif => {
            let test = function.dfg.inst_args(terminator)[0];
            facts.terminator(number, Terminator::Branch).condition(number, condition::read(function, test))
        }
        Opcode::BrTable => facts.terminator(number, Terminator::Switch),
        // A call directly before a trap counts as a call that does not return. CLIF has no attribute like `noreturn`.
        Opcode::Trap if follows_call(function, terminator) => facts.unreachable(number).noreturn_call(number),
        Opcode::Trap => facts.unreachable(number),
        _ => facts.terminator(number, Terminator::Return),
    };
}

/// Whether the instruction before `instruction` is a call.
fn follows_call(function: &Function, instruction: ir::Inst) -> bool {
    let before = function.layout.prev_inst(instruction);
    before.is_some_and(|before| function.dfg.insts[before].opcode().is_call())
}
