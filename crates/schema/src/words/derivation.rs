//! Describes the origin of an estimated weight in one sentence.

use super::{counted, Vocabulary};
use crate::{AttributedCall, ColdReason, Derivation, DerivationStep, Origin, Rarity, Via};

/// `%b is cold: it calls @log (cold) -> post-dominates %a`
pub(crate) fn derivation(derivation: &Derivation, vocabulary: &impl Vocabulary) -> String {
    let mut text = origin(&derivation.origin, vocabulary);
    if derivation.left_out > 0 {
        text += &format!(" -> ... {} ...", counted(derivation.left_out as usize, "more step"));
    }
    let mut steps: Vec<String> = derivation.steps.iter().map(|one| step(one, vocabulary)).collect();
    // Several blocks can have the same source line.
    steps.dedup();
    for step in steps {
        text += " -> ";
        text += &step;
    }
    text
}

fn origin(origin: &Origin, vocabulary: &impl Vocabulary) -> String {
    let name = vocabulary.block(origin.block);
    let call = |attribute| {
        origin.call.as_ref().map_or(String::new(), |call| attributed(call, attribute, vocabulary))
    };
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
fn attributed(call: &AttributedCall, attribute: &str, vocabulary: &impl Vocabulary) -> String {
    let this = if call.is_call_site_attribute { "this call is " } else { "" };
    format!("{} ({this}{attribute})", vocabulary.callee(call))
}

fn step(step: &DerivationStep, vocabulary: &impl Vocabulary) -> String {
    let to = vocabulary.weight_owner(step.to);
    let which = if step.only { "only" } else { "likeliest" };
    match step.via {
        Via::PostDominance => format!("post-dominates {to}"),
        Via::Successor => format!("is the {which} successor of {to}"),
        Via::Exit => {
            let entered = if step.raised { ", which runs at least once" } else { "" };
            format!("is the {which} exit of {to}{entered}")
        }
    }
}

/// The verb phrase for a block or loop that rarely runs.
pub(crate) fn rarity(rarity: Rarity) -> &'static str {
    match rarity {
        Rarity::NeverCompletes => "never completes",
        Rarity::HardlyEver => "hardly ever runs",
        Rarity::Cold => "is cold",
    }
}
