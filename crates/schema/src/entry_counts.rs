//! Lines of `rust-entry-counts<json>`.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{Format, Scaled};

/// A line of `rust-entry-counts<json>`: one defined function. docs/src/reference/json.md explains the fields.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Calls<'a> {
    /// The version of the format.
    pub format: Format,
    /// The pass.
    pub analysis: EntryCountsAnalysis,
    /// The LLVM version whose rules predict the branches.
    #[cfg_attr(feature = "schemars", schemars(range(min = 14)))]
    pub llvm: u32,
    /// The predictor.
    pub predictor: Cow<'a, str>,
    /// The module's name.
    pub module: Cow<'a, str>,
    /// The function's name.
    pub function: Cow<'a, str>,
    /// The bytes of the function's name in hexadecimal digits. The field is omitted if the name is UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(extend("pattern" = "^([0-9a-f][0-9a-f])+$")))]
    pub function_bytes: Option<Cow<'a, str>>,
    /// The estimated number of calls of the function.
    pub calls: Scaled,
    /// The estimated number of instructions that the function executes, without the instructions of its callees.
    pub instructions: Scaled,
    /// The estimated number of instructions that one call of the function executes, without the instructions of its
    /// callees.
    pub instructions_per_call: Scaled,
    /// `instructions` in percent of the instructions of all functions.
    #[cfg_attr(feature = "schemars", schemars(range(min = 0, max = 100)))]
    pub percent: f64,
    /// The reason why code outside the module calls the function. The field is omitted if only functions of the module
    /// call the function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
    /// Whether the function never returns.
    pub never_returns: bool,
    /// The group of mutually recursive functions that contains the function. Omitted if the function is not recursive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recursion: Option<Recursion>,
    /// The callers of the function, sorted by descending number of calls.
    pub callers: Vec<CallSum<'a>>,
    /// The callees of the function, sorted by descending number of calls.
    pub callees: Vec<CallSum<'a>>,
}

/// The pass that printed the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub enum EntryCountsAnalysis {
    /// The pass that estimates how often functions are called.
    #[serde(rename = "rust-entry-counts")]
    EntryCounts,
}

/// The reason why code outside the module calls a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Start {
    /// The function is `main`.
    Main,
    /// The function is a constructor or a destructor of the module.
    Once,
    /// Other modules can call the function.
    Visible,
    /// The function is cold, and other modules can call the function.
    #[serde(rename = "visible cold")]
    VisibleCold,
    /// The function is hot, and other modules can call the function.
    #[serde(rename = "visible hot")]
    VisibleHot,
    /// Libraries outside the program call the function through a pointer.
    #[serde(rename = "called back")]
    CalledBack,
}

/// A recursion: a strongly connected component of the call graph, that is, functions that call each other, or one
/// function that calls itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Recursion {
    /// The number of functions in the recursion.
    #[cfg_attr(feature = "schemars", schemars(range(min = 1)))]
    pub functions: usize,
    /// The factor that reduces the number of recursive calls. If no factor is necessary, the field is omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factor: Option<Scaled>,
}

/// All calls between two functions.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schemars",
    schemars(extend("oneOf" = [{ "required": ["function"] }, { "required": ["behind_pointer"] }]))
)]
pub struct CallSum<'a> {
    /// The other function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<Cow<'a, str>>,
    /// The number of possible targets of calls through a pointer. The field is omitted for direct calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behind_pointer: Option<usize>,
    /// The estimated number of calls.
    pub calls: Scaled,
}
