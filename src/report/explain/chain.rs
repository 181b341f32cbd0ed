//! How a weight came to where it counts: from the block that has it by itself, step by step.

use super::counted;
use crate::bpi::{Chain, Place, Rarity, Step, Via};
use crate::snapshot::{Particulars, Snapshot, Terminator};

/// A block by its name, a cycle by that of a block.
pub(super) fn place_name(place: Place, particulars: &impl Particulars) -> String {
    match place {
        Place::Block(block) => particulars.block_name(block),
        Place::Loop(header) => format!("the loop of {}", particulars.block_name(header)),
        Place::Cycle(first) => format!("the irreducible cycle of {}", particulars.block_name(first)),
    }
}

/// What an estimated weight says of the place that has it.
pub(super) fn meaning(weight: u32) -> &'static str {
    match weight {
        0 => "never completes",
        1 => "hardly ever runs",
        _ => "is cold",
    }
}

/// The chain as one sentence: `%b is cold: it calls @log (cold) -> post-dominates %a`.
pub(super) fn sentence(chain: &Chain, snapshot: &Snapshot, particulars: &impl Particulars) -> String {
    let mut text = origin(chain, snapshot, particulars);
    if chain.left_out > 0 {
        text += &format!(" -> ... {} ...", counted(chain.left_out as usize, "more step"));
    }
    for step in &chain.steps {
        text += " -> ";
        text += &words(step, particulars);
    }
    text
}

fn origin(chain: &Chain, snapshot: &Snapshot, particulars: &impl Particulars) -> String {
    let block = chain.origin;
    let name = particulars.block_name(block);
    match chain.rarity {
        Rarity::NeverCompletes if snapshot.blocks[block].terminator == Terminator::Unreachable => {
            format!("{name} never completes: it ends in unreachable")
        }
        Rarity::NeverCompletes => format!("{name} never completes: it ends in a deoptimization"),
        Rarity::NeverReturns => {
            format!("{name} hardly ever runs: it calls {}", particulars.noreturn_call(block))
        }
        Rarity::ExceptionPath => {
            format!("{name} hardly ever runs: it handles an exception ({})", particulars.pad(block))
        }
        Rarity::ColdCall => format!("{name} is cold: it calls {}", particulars.cold_call(block)),
    }
}

fn words(step: &Step, particulars: &impl Particulars) -> String {
    let to = place_name(step.to, particulars);
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
