//! Calls from outside the module.

use super::module::{FunctionAttributes, ModuleFacts, ModuleFunction};
use crate::bfi::Scaled;

/// The reason why a function is called from outside the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The function is not called from outside.
    Nowhere,
    /// The function is `main`, which runs once.
    Main,
    /// The function runs once, before or after `main`.
    Once,
    /// The module has no `main`, and other modules can call the function.
    Visible,
    /// Like `Visible`, but the function is cold and counts as 1/32 of a call.
    VisibleCold,
    /// Like `Visible`, but the function is hot and counts as 32 calls.
    VisibleHot,
}

impl Start {
    /// The number of calls from outside.
    pub(crate) const fn count(self) -> Scaled {
        match self {
            Start::Nowhere => Scaled::ZERO,
            Start::Main | Start::Once | Start::Visible => Scaled::ONE,
            Start::VisibleCold => Scaled::new(1, -5),
            Start::VisibleHot => Scaled::new(1, 5),
        }
    }
}

/// For each function, the reason why code outside `module` calls the function. The functions are in module order.
pub(super) fn starts(module: &ModuleFacts) -> impl Iterator<Item = Start> + '_ {
    let is_main = |function: &ModuleFunction| function.body.is_some() && function.name == b"main";
    let has_main = module.functions.values().any(is_main);
    module.functions.values().map(move |function| match function.attributes {
        _ if function.body.is_none() => Start::Nowhere,
        _ if is_main(function) => Start::Main,
        attributes if attributes.has(FunctionAttributes::RUNS_ONCE) => Start::Once,
        attributes if has_main || !attributes.has(FunctionAttributes::VISIBLE) => Start::Nowhere,
        attributes if attributes.has(FunctionAttributes::COLD) => Start::VisibleCold,
        attributes if attributes.has(FunctionAttributes::HOT) => Start::VisibleHot,
        _ => Start::Visible,
    })
}
