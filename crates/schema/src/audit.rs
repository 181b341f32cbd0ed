//! Lines of `rust-audit<json>`.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{Format, Position};

/// A line of `rust-audit<json>`: one module. docs/src/reference/json.md explains the fields.
///
/// All counts are executions of blocks. They are JSON numbers, because they are compared with each other, and 53 bits
/// are enough for the comparison.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct ModuleAudit<'a> {
    /// The version of the format.
    pub format: Format,
    /// The pass.
    pub analysis: AuditAnalysis,
    /// The LLVM version.
    #[cfg_attr(feature = "schemars", schemars(range(min = 14)))]
    pub llvm: u32,
    /// The module's name.
    pub module: Cow<'a, str>,
    /// The number of blocks at the beginning whose executions the profile determines.
    pub known_blocks: u64,
    /// The number of blocks whose executions depend on a branch without weights, or on a function without a profile. The
    /// audit leaves them out.
    pub unknown_blocks: u64,
    /// The true executions of all known blocks.
    pub executions: u64,
    /// The executions by which the counts of LLVM differ from the true executions at the end.
    pub wrong: u64,
    /// `wrong` if LLVM computed frequencies exactly: the part that weights and entry counts cause.
    pub wrong_exact: u64,
    /// The true executions of the blocks that have no copy at the end.
    pub lost: u64,
    /// `wrong` at the beginning: the part that LLVM's algorithm causes without any pass.
    pub wrong_at_begin: u64,
    /// The passes in the order of their first run.
    pub passes: Vec<AuditedPass<'a>>,
    /// The blocks with the greatest increase of wrong executions by one pass.
    pub blocks: Vec<WorsenedBlock<'a>>,
}

/// The pass that printed the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub enum AuditAnalysis {
    /// The pass that compares a profile with its beginning.
    #[serde(rename = "rust-audit")]
    Audit,
}

/// The changes by all runs of a pass.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct AuditedPass<'a> {
    /// LLVM's name of the class of the pass.
    pub pass: Cow<'a, str>,
    /// The change of the wrong executions: `worse` minus `better`.
    pub wrong: i64,
    /// The sum of the increases of wrong executions of a probe in one run.
    pub worse: u64,
    /// The sum of the decreases.
    pub better: u64,
    /// The change of the wrong executions if LLVM computed frequencies exactly.
    pub wrong_exact: i64,
    /// The change of the lost executions.
    pub lost: i64,
    /// The number of branches, switches and selects that lost their weights or were created without weights.
    pub weights: u64,
    /// The number of branches, switches and selects that now have the profile "unknown".
    pub unknown: u64,
    /// The number of cached results of LLVM's two analyses that became wrong although the pass declared them preserved.
    pub stale: u64,
}

/// A block whose executions a pass made wrong.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct WorsenedBlock<'a> {
    /// The function that contained the block at the beginning.
    pub function: Cow<'a, str>,
    /// The name of the block at the beginning, as an operand.
    pub block: Cow<'a, str>,
    /// The position of the beginning of the block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Position>,
    /// The true executions.
    pub executions: u64,
    /// The pass.
    pub pass: Cow<'a, str>,
    /// The executions that LLVM implied before the pass.
    pub before: u64,
    /// The executions that LLVM implied after the pass.
    pub after: u64,
    /// The executions that LLVM implies at the end.
    pub end: u64,
}
