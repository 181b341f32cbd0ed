#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(unreachable_pub)]
#![warn(missing_docs)]

mod audit;
mod call_graph;
mod command;
mod derivation;
mod entry_counts;
mod features;
mod format;
mod function;
mod numbers;
mod reason;
mod score;
mod source;
mod source_hints;
pub mod words;

/// The supported LLVM versions.
pub const LLVM_VERSIONS: std::ops::RangeInclusive<u32> = 14..=24;

/// The names of the predictors that are part of the plugin: LLVM's rules, then trained models.
pub const PREDICTORS: [&str; 2] = ["llvm", "bpa"];

pub use audit::{AuditAnalysis, AuditedPass, ModuleAudit, WorsenedBlock};
pub use call_graph::{
    Basis, CallGraph, GraphBlock, GraphBody, GraphFunction, GraphSymbol, GraphTarget, Linkage,
};
pub use command::{
    DifferingBranch, DifferingSuccessor, MeasuredBranch, MeasuredSuccessor, SourceBranch, SourceSuccessor,
};
pub use derivation::{AttributedCall, ColdReason, Derivation, DerivationStep, Origin, Via, WeightOwner};
pub use entry_counts::{CallSum, Calls, EntryCountsAnalysis, Recursion, Start};
pub use features::{BranchFeatures, FunctionFeatures, Named, SuccessorFeatures};
pub use format::{Format, FORMAT};
pub use function::{Analysis, Block, Cycle, Edge, EntryCount, Function, Loop, Method, Terminator};
pub use numbers::{Digits, Scaled, WHOLE};
pub use reason::{
    Assumption, Cap, Cause, Condition, Contribution, Estimate, LearnedScore, NextValue, OtherRule, Outcome,
    Rarity, Reason, Rule, WeightUse,
};
pub use score::{hits, BranchKind, BranchPlace, ScoredBranch, ScoredEdge, LEAST_HINT_SHARE};
pub use source::{Definition, Frame, Position};
pub use source_hints::{
    least_sure_share, probability_of_hint, HintFinding, HintFix, HintPlace, HintReplacement, HintSum,
    HintTotals, LikelyOutcome, SourceHint, SourceHints, LIKELY_WEIGHT, UNLIKELY_WEIGHT,
};

/// Whether `value` is the default value. A field with its default value is omitted.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
