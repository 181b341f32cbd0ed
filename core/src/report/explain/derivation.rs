//! How a weight came to where it counts: from the block that has it by itself, step by step.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::counted;
use crate::bpi::{ColdReason, Derivation, Place, Step, Via};
use crate::cfg::Block;
use crate::facts::{FunctionFacts, IrText, Terminator};
use crate::predictor::Predictor;

/// Puts derivations and places into words.
pub(super) struct Wording<'a, P> {
    function: &'a FunctionFacts,
    predictor: &'a Predictor,
    ir_text: &'a P,
    /// What has been told of blocks that have a weight by themselves: the call to name may be far down a long block.
    origins: RefCell<FxHashMap<Block, String>>,
}

impl<'a, P: IrText> Wording<'a, P> {
    pub fn new(function: &'a FunctionFacts, predictor: &'a Predictor, ir_text: &'a P) -> Self {
        Wording { function, predictor, ir_text, origins: RefCell::default() }
    }

    /// What an estimated weight says of the place that has it.
    pub fn meaning(&self, weight: u32) -> &'static str {
        let numbers = self.predictor.estimates();
        match weight {
            0 => "never completes",
            _ if weight <= numbers.noreturn.max(numbers.unwind) => "hardly ever runs",
            _ => "is cold",
        }
    }

    /// A block by its name, a cycle by that of a block.
    pub fn place(&self, place: Place) -> String {
        match place {
            Place::Block(block) => self.ir_text.block_name(block),
            Place::Loop(header) => format!("the loop of {}", self.ir_text.block_name(header)),
            Place::Cycle(first) => format!("the irreducible cycle of {}", self.ir_text.block_name(first)),
        }
    }

    /// The derivation as one sentence: `%b is cold: it calls @log (cold) -> post-dominates %a`.
    pub fn derivation(&self, derivation: &Derivation) -> String {
        let mut origins = self.origins.borrow_mut();
        let mut text = origins
            .entry(derivation.origin)
            .or_insert_with(|| self.origin(derivation.origin, derivation.reason))
            .clone();
        if derivation.left_out > 0 {
            text += &format!(" -> ... {} ...", counted(derivation.left_out as usize, "more step"));
        }
        for step in &derivation.steps {
            text += " -> ";
            text += &self.step(step);
        }
        text
    }

    fn origin(&self, block: Block, reason: ColdReason) -> String {
        let name = self.ir_text.block_name(block);
        match reason {
            ColdReason::NeverCompletes
                if self.function.blocks[block].terminator == Terminator::Unreachable =>
            {
                format!("{name} never completes: it ends in unreachable")
            }
            ColdReason::NeverCompletes => format!("{name} never completes: it ends in a deoptimization"),
            ColdReason::NeverReturns => {
                format!("{name} hardly ever runs: it calls {}", self.ir_text.noreturn_call(block))
            }
            ColdReason::ExceptionPath => {
                format!("{name} hardly ever runs: it handles an exception ({})", self.ir_text.pad(block))
            }
            ColdReason::ColdCall => format!("{name} is cold: it calls {}", self.ir_text.cold_call(block)),
        }
    }

    fn step(&self, step: &Step) -> String {
        let to = self.place(step.to);
        match step.via {
            Via::PostDominance => format!("post-dominates {to}"),
            Via::Successor { only: true } => format!("is all that follows {to}"),
            Via::Successor { only: false } => format!("is the likeliest after {to}"),
            Via::Exit { only, raised } => {
                let exit = if only { "is the only way out of" } else { "is the likeliest way out of" };
                let entered = if raised { ", which is entered once" } else { "" };
                format!("{exit} {to}{entered}")
            }
        }
    }
}
