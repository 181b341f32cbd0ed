//! How a weight came to a place, as one sentence.

use super::{counted, Vocabulary};
use crate::{ColdReason, Derivation, MarkedCall, Origin, Rarity, Step, Via};

/// `%b is cold: it calls @log (cold) -> post-dominates %a`
pub fn derivation(derivation: &Derivation, vocabulary: &impl Vocabulary) -> String {
    let mut text = origin(&derivation.origin, vocabulary);
    if derivation.left_out > 0 {
        text += &format!(" -> ... {} ...", counted(derivation.left_out as usize, "more step"));
    }
    for one in &derivation.steps {
        text += " -> ";
        text += &step(one, vocabulary);
    }
    text
}

fn origin(origin: &Origin, vocabulary: &impl Vocabulary) -> String {
    let name = vocabulary.block(origin.block);
    let call =
        |attribute| origin.call.as_ref().map_or(String::new(), |call| marked(call, attribute, vocabulary));
    match origin.reason {
        ColdReason::Unreachable if origin.deoptimizes => {
            format!("{name} never completes: it ends in a deoptimization")
        }
        ColdReason::Unreachable => format!("{name} never completes: it ends in unreachable"),
        ColdReason::Noreturn => format!("{name} hardly ever runs: it calls {}", call("noreturn")),
        ColdReason::Unwind => {
            let pad = origin.pad.as_deref().unwrap_or_default();
            format!("{name} hardly ever runs: it handles an exception ({pad})")
        }
        ColdReason::Cold => format!("{name} is cold: it calls {}", call("cold")),
    }
}

/// `@log (cold)`
fn marked(call: &MarkedCall, attribute: &str, vocabulary: &impl Vocabulary) -> String {
    let this = if call.is_marked_here { "this call is " } else { "" };
    format!("{} ({this}{attribute})", vocabulary.callee(call))
}

fn step(step: &Step, vocabulary: &impl Vocabulary) -> String {
    let to = vocabulary.place(step.to);
    let which = if step.only { "only" } else { "likeliest" };
    match step.via {
        Via::PostDominance => format!("post-dominates {to}"),
        Via::Successor if step.only => format!("is all that follows {to}"),
        Via::Successor => format!("is the likeliest after {to}"),
        Via::Exit => {
            let entered = if step.raised { ", which is entered once" } else { "" };
            format!("is the {which} way out of {to}{entered}")
        }
    }
}

/// What a rare place is.
pub fn rarity(rarity: Rarity) -> &'static str {
    match rarity {
        Rarity::NeverCompletes => "never completes",
        Rarity::HardlyEver => "hardly ever runs",
        Rarity::Cold => "is cold",
    }
}
