//! Lines of `rust-entry-counts<graph>`.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{is_default, Digits, EntryCountsAnalysis, Format};

/// The line of `rust-entry-counts<graph>`: the call graph of a module, with the data that a linker needs.
/// docs/src/reference/json.md explains the fields.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct CallGraph<'a> {
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
    /// The function types in the module. Equal types of different modules have equal texts.
    pub types: Vec<Cow<'a, str>>,
    /// The variables and aliases that other modules can use, and the symbols that the module needs.
    pub symbols: Vec<GraphSymbol<'a>>,
    /// All functions except intrinsics, in the order of the module.
    pub functions: Vec<GraphFunction<'a>>,
}

/// A symbol.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct GraphSymbol<'a> {
    /// The name of the symbol.
    pub name: Cow<'a, str>,
    /// How the symbol takes part in linking. The field is omitted if the module uses the symbol and does not define it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linkage: Option<Linkage>,
    /// The index of the function to which an alias refers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alias: Option<u32>,
}

/// A function of the module.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct GraphFunction<'a> {
    /// The function's name.
    pub name: Cow<'a, str>,
    /// How the function takes part in linking.
    pub linkage: Linkage,
    /// The sum of the attributes: 1 for a function that other modules can call, 2 for a constructor or destructor of
    /// the module, 4 for a cold function, 8 for a hot function, 16 for the attribute `noreturn`.
    pub attributes: u32,
    /// The index of the function's type.
    #[serde(rename = "type")]
    pub signature: u32,
    /// The number of parameters.
    pub parameters: u32,
    /// If the function cannot be called through a pointer, the field is omitted. If only tables of constants contain
    /// the function's address, the number of functions of its type in one table. If several tables contain the address,
    /// the smallest number. Otherwise 1.
    #[serde(default, skip_serializing_if = "is_default")]
    pub alternatives: u32,
    /// The function's body. The field is omitted for a declaration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<GraphBody>,
}

/// The body of a function.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct GraphBody {
    /// The source of the frequencies.
    pub basis: Basis,
    /// The blocks in layout order.
    pub blocks: Vec<GraphBlock>,
    /// The calls: the index of the block, and the callee.
    pub calls: Vec<(u32, GraphTarget)>,
}

/// A block: the digits and the exponent of its frequency, its loop depth, its number of instructions, whether it
/// returns, and its successors.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct GraphBlock(pub Digits, pub i16, pub u32, pub u32, pub bool, pub Vec<u32>);

/// The callee of a call.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum GraphTarget {
    /// The function that a `call` names.
    Call(u32),
    /// The function that an `invoke` names.
    Invoke(u32),
    /// The type of the pointer, and the number of arguments.
    Pointer(u32, u32),
    /// The function that is an argument, its number of calls, and the callee if the module only declares the callee.
    Callback(u32, u32, Option<u32>),
}

/// How a symbol takes part in linking. If several modules define a symbol, a definition with a later linkage in this
/// list replaces a definition with an earlier linkage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Linkage {
    /// The symbol is local to its module.
    Local,
    /// The body is a copy. Another module contains the definition.
    Available,
    /// Several modules can define the symbol. A linker keeps one definition.
    Weak,
    /// At most one module of a program defines the symbol.
    #[default]
    Strong,
}

/// The source of block frequencies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// LLVM's rules, or another set of rules.
    #[default]
    Rules,
    /// A model trained on profiles.
    Model,
    /// A profile.
    Measured,
}
