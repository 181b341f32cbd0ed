//! Calls from outside the module.

use super::module::{FunctionAttributes, ModuleFacts, ModuleFunction};
use crate::bfi::Scaled;
use bpa_schema::Start;

/// The estimated number of calls of a function from outside the module. `start` is the reason for these calls, or
/// `None` if there are no such calls.
pub(super) const fn count(start: Option<Start>) -> Scaled {
    match start {
        None => Scaled::ZERO,
        Some(Start::Main | Start::Once | Start::Visible) => Scaled::ONE,
        Some(Start::VisibleCold) => Scaled::new(1, -5),
        Some(Start::VisibleHot) => Scaled::new(1, 5),
    }
}

/// For each function of `module`, in module order: the reason why code outside the module calls this function. `None`
/// if no code outside the module calls the function.
pub(super) fn starts(module: &ModuleFacts) -> impl Iterator<Item = Option<Start>> + '_ {
    let is_main = |function: &ModuleFunction| function.body.is_some() && function.name == b"main";
    let has_main = module.functions.values().any(is_main);
    module.functions.values().map(move |function| match function.attributes {
        _ if function.body.is_none() => None,
        _ if is_main(function) => Some(Start::Main),
        attributes if attributes.has(FunctionAttributes::RUNS_ONCE) => Some(Start::Once),
        attributes if attributes.has(FunctionAttributes::CALLED_BACK) => Some(Start::Visible),
        attributes if has_main || !attributes.has(FunctionAttributes::VISIBLE) => None,
        attributes if attributes.has(FunctionAttributes::COLD) => Some(Start::VisibleCold),
        attributes if attributes.has(FunctionAttributes::HOT) => Some(Start::VisibleHot),
        _ => Some(Start::Visible),
    })
}
