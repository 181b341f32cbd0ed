//! How a weight came to where it counts: from the block that has it by itself, step by step.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::counted;
use crate::bpi::{Chain, ColdReason, Place, Step, Via};
use crate::cfg::Block;
use crate::facts::{FunctionFacts, IrText, Terminator};

/// What an estimated weight says of the place that has it.
pub(super) fn meaning(weight: u32) -> &'static str {
    match weight {
        0 => "never completes",
        1 => "hardly ever runs",
        _ => "is cold",
    }
}

/// Puts chains and places into words.
pub(super) struct Storyteller<'a, P> {
    snapshot: &'a FunctionFacts,
    particulars: &'a P,
    /// What has been told of blocks that have a weight by themselves: the call to name may be far down a long block.
    origins: RefCell<FxHashMap<Block, String>>,
}

impl<'a, P: IrText> Storyteller<'a, P> {
    pub fn new(snapshot: &'a FunctionFacts, particulars: &'a P) -> Self {
        Storyteller { snapshot, particulars, origins: RefCell::default() }
    }

    /// A block by its name, a cycle by that of a block.
    pub fn place(&self, place: Place) -> String {
        match place {
            Place::Block(block) => self.particulars.block_name(block),
            Place::Loop(header) => format!("the loop of {}", self.particulars.block_name(header)),
            Place::Cycle(first) => format!("the irreducible cycle of {}", self.particulars.block_name(first)),
        }
    }

    /// The chain as one sentence: `%b is cold: it calls @log (cold) -> post-dominates %a`.
    pub fn chain(&self, chain: &Chain) -> String {
        let mut origins = self.origins.borrow_mut();
        let mut text =
            origins.entry(chain.origin).or_insert_with(|| self.origin(chain.origin, chain.reason)).clone();
        if chain.left_out > 0 {
            text += &format!(" -> ... {} ...", counted(chain.left_out as usize, "more step"));
        }
        for step in &chain.steps {
            text += " -> ";
            text += &self.step(step);
        }
        text
    }

    fn origin(&self, block: Block, reason: ColdReason) -> String {
        let name = self.particulars.block_name(block);
        match reason {
            ColdReason::NeverCompletes
                if self.snapshot.blocks[block].terminator == Terminator::Unreachable =>
            {
                format!("{name} never completes: it ends in unreachable")
            }
            ColdReason::NeverCompletes => format!("{name} never completes: it ends in a deoptimization"),
            ColdReason::NeverReturns => {
                format!("{name} hardly ever runs: it calls {}", self.particulars.noreturn_call(block))
            }
            ColdReason::ExceptionPath => {
                format!("{name} hardly ever runs: it handles an exception ({})", self.particulars.pad(block))
            }
            ColdReason::ColdCall => format!("{name} is cold: it calls {}", self.particulars.cold_call(block)),
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
