//! Lines of `rust-bpi<json>` and `rust-bfi<json>`.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{Definition, Digits, Format, Position, Reason, Rule, Scaled, WeightOwner};

/// A line of `rust-bpi<json>` or `rust-bfi<json>`: one function. docs/src/reference/json.md explains the fields.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schemars",
    schemars(extend(
        "if" = { "properties": { "analysis": { "const": "rust-bfi" } } },
        "then" = { "properties": {
            "blocks": { "items": { "required": ["frequency", "integer", "bias", "reference"] } },
            "loops": { "items": { "required": ["entries", "scale"] } }
        } },
        "else" = { "properties": {
            "blocks": { "items": { "propertyNames": { "not": { "enum": FREQUENCY_FIELDS } } } },
            "loops": { "items": { "propertyNames": { "not": { "enum": ["entries", "scale"] } } } }
        } }
    ))
)]
pub struct Function<'a> {
    /// The version of the format.
    pub format: Format,
    /// The pass.
    pub analysis: Analysis,
    /// The method of computing frequencies, if it differs from LLVM's method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    /// The LLVM version that computes the same results.
    #[cfg_attr(feature = "schemars", schemars(range(min = 14)))]
    pub llvm: u32,
    /// The name of the predictor. The field is omitted for LLVM's rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predictor: Option<Cow<'a, str>>,
    /// The module's name.
    pub module: Cow<'a, str>,
    /// The function's name.
    pub function: Cow<'a, str>,
    /// The bytes of the function's name in hexadecimal digits. The field is omitted if the name is UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(extend("pattern" = "^([0-9a-f][0-9a-f])+$")))]
    pub function_bytes: Option<Cow<'a, str>>,
    /// The function's name in the source, if it is known and differs from the name in the IR.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub display_name: Option<Cow<'a, str>>,
    /// The position of the function's definition in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Definition>,
    /// How often the function is entered, according to its profile.
    pub entry_count: Option<EntryCount>,
    /// All blocks of the function. The entry block is first.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub blocks: Vec<Block<'a>>,
    /// All edges of the function, sorted by their source block.
    pub edges: Vec<Edge<'a>>,
    /// All loops. A loop precedes its inner loops.
    pub loops: Vec<Loop>,
    /// If the line has reasons and the function has an irreducible cycle: the natural loops and irreducible cycles that
    /// the reasons name. LLVM's block frequencies use other irreducible loops, which the field `loops` lists.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycles: Vec<Cycle>,
}

/// The pass that printed a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub enum Analysis {
    /// The pass that computes branch probabilities.
    #[serde(rename = "rust-bpi")]
    Probabilities,
    /// The pass that also computes block frequencies and biases.
    #[serde(rename = "rust-bfi")]
    Frequencies,
}

/// The method of computing frequencies, if it differs from LLVM's method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// The flow equations are solved exactly.
    Exact,
}

/// The number of entries into a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct EntryCount {
    /// The count.
    pub count: Digits,
    /// Whether a compiler pass estimated the count.
    pub synthetic: bool,
}

/// A terminator with several successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Terminator {
    /// `br`
    Br,
    /// `switch`
    Switch,
    /// `indirectbr`
    IndirectBr,
    /// `invoke`, which is a call that may throw
    Invoke,
    /// `callbr`
    CallBr,
    /// `catchswitch`
    CatchSwitch,
}

/// A block. The last five fields, from `frequency` to `reference`, are only printed by `rust-bfi`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Block<'a> {
    /// The name of the block, in the form of an operand: `%entry`.
    #[cfg_attr(feature = "schemars", schemars(extend("pattern" = NAME_PATTERN)))]
    pub name: Cow<'a, str>,
    /// The innermost loop around the block.
    #[serde(rename = "loop")]
    pub innermost: Option<usize>,
    /// The terminator of the block, if it has several successors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminator: Option<Terminator>,
    /// The `!irr_loop` weight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header_weight: Option<Digits>,
    /// The position of the branch at the end of the block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Position>,
    /// The source position where the block begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<Position>,
    /// Whether the branch searches the handler of an exception: the branch compares the type of the exception with the
    /// type of a `catch` clause. The source has no condition at such a branch. The field is omitted if it is false.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub searches_handler: bool,
    /// The lines to which the block's instructions belong, in the source file of the function.
    #[serde(default, skip_serializing_if = "<[u32]>::is_empty")]
    #[cfg_attr(feature = "schemars", schemars(length(min = 1), extend("uniqueItems" = true)))]
    pub lines: Cow<'a, [u32]>,
    /// How often the block is executed per entry into the function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequency: Option<Scaled>,
    /// The frequency as the integer that LLVM's block frequency analysis returns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integer: Option<Digits>,
    /// How often the block is executed in total: `frequency` multiplied by `entry_count`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<Digits>,
    /// The bias of the block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bias: Option<Scaled>,
    /// The reference frequency: the bias is the frequency of the block, divided by this number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Scaled>,
}

/// The fields of a block that only `rust-bfi` prints.
#[cfg(feature = "schemars")]
const FREQUENCY_FIELDS: [&str; 5] = ["frequency", "integer", "count", "bias", "reference"];

/// The pattern of block names in LLVM's assembly.
#[cfg(feature = "schemars")]
const NAME_PATTERN: &str = r#"^%([0-9]+|[-._a-zA-Z][-._a-zA-Z0-9]*|"[ -~]+")$"#;

impl Block<'_> {
    /// How often the block is executed per entry into the function. The result is 0 if `rust-bpi` printed the line.
    pub fn times_per_call(&self) -> f64 {
        self.frequency.map_or(0.0, |frequency| frequency.value)
    }
}

/// An edge.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Edge<'a> {
    /// The source block.
    pub from: usize,
    /// The index of the edge among the successors of the source block.
    pub successor: usize,
    /// The destination block.
    pub to: usize,
    /// The numerator of the probability, over 2^31.
    #[cfg_attr(feature = "schemars", schemars(range(max = 2147483648u32)))]
    pub numerator: u32,
    /// The probability in percent, rounded to two decimal places.
    #[cfg_attr(feature = "schemars", schemars(range(min = 0, max = 100)))]
    pub percent: f64,
    /// The integer weight from which the probability is computed.
    pub weight: u32,
    /// The rule that decided the probabilities of `from`.
    pub rule: Rule,
    /// The reason for the probability. The field is omitted if the option `explain` is not given or the block has one
    /// successor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<Box<Reason<'a>>>,
}

/// A natural loop or an irreducible cycle. Only `rust-bfi` prints `entries` and `scale`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Loop {
    /// The headers of the loop.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1)))]
    pub headers: Vec<usize>,
    /// Whether the loop has several headers.
    pub irreducible: bool,
    /// The parent loop.
    pub parent: Option<usize>,
    /// The nesting depth of the loop: 1 for an outermost loop.
    #[cfg_attr(feature = "schemars", schemars(range(min = 1)))]
    pub depth: u32,
    /// How often the loop is entered per entry into the function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<Scaled>,
    /// How often the headers are executed per entry into the loop. In an irreducible loop of LLVM 24: how often all
    /// blocks and inner loops are executed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<Scaled>,
}

/// A natural loop or irreducible cycle that LLVM's rules for branch probabilities use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Cycle {
    /// The name of the loop or cycle in reasons.
    pub owner: WeightOwner,
    /// The index, in the list of cycles, of the innermost loop or cycle around this one.
    pub parent: Option<usize>,
    /// The blocks that are in this loop or cycle, but in none of its inner loops and cycles. The list is empty if every
    /// block is in an inner one.
    #[cfg_attr(feature = "schemars", schemars(extend("uniqueItems" = true)))]
    pub blocks: Vec<usize>,
}
