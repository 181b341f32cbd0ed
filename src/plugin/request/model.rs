//! Requests: the parsed pipeline elements.

use std::sync::Arc;

use bpa_core::bfi::FrequencyMethod;
use bpa_core::bpi::Probability;
use bpa_core::dialect::Dialect;
use bpa_core::Predictor;

use super::table::{Mode, ModeSpec, PassKind, PassSpec};
use crate::host_dialect;
use crate::plugin::output::Output;

/// A pipeline element of bpa.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The requested pass.
    pub pass: PassKind,
    /// The effect of the pass.
    pub mode: Mode,
    /// The options that change the effect of the pass.
    pub options: RequestOptions,
}

/// The options of a request. If an option is not given, or if the mode does not have the option, the field has the
/// default value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestOptions {
    /// Whether to replace an existing profile. Branches are predicted without their existing weights.
    pub overwrite: bool,
    /// Whether to leave out branches to which no rule applies.
    pub skip_even: bool,
    /// Whether to mark the branches and selects that have no weights afterwards.
    pub complete: bool,
    /// Emit no remark on a branch if the probability of its likeliest successor is below this value.
    pub at_least: Probability,
    /// The entry counts to write.
    pub write: Degree,
    /// The method that computes frequencies.
    pub method: FrequencyMethod,
    /// The name of the function to explain.
    pub function: Option<String>,
    /// Whether to print JSON instead of text.
    pub json: bool,
    /// The maximum number of printed items. The most important items are printed first.
    pub limit: Option<usize>,
    /// The LLVM version whose results are computed. `None` means the host's version.
    pub like: Option<&'static Dialect>,
    /// The predictor. `None` means LLVM's rules.
    pub predictor: Option<Arc<Predictor>>,
    /// The front-end profile that contains the counts of the module.
    pub profile: Option<String>,
    /// The same module with clang's instrumentation.
    pub instrumented: Option<String>,
    /// The greatest percentage of wrong executions for which an audit succeeds.
    pub fail_above: Option<u32>,
    /// The output. `None` means stderr for text, and the current directory for pictures.
    pub output: Option<Output>,
}

impl RequestOptions {
    /// The dialect that the option `like` selects. The default is the dialect of the host's LLVM.
    pub(in crate::plugin) fn dialect(&self) -> &'static Dialect {
        self.like.unwrap_or_else(host_dialect)
    }

    /// Whether the results of the host's LLVM are requested. Only the host's results are cached.
    pub(in crate::plugin) fn are_hosts(&self) -> bool {
        // The pattern names all fields. For a new option, the compiler therefore asks whether it changes the results.
        let RequestOptions {
            like,
            predictor,
            method,
            overwrite: _,
            skip_even: _,
            complete: _,
            at_least: _,
            write: _,
            function: _,
            json: _,
            limit: _,
            profile: _,
            instrumented: _,
            fail_above: _,
            output: _,
        } = self;
        like.is_none() && predictor.is_none() && *method == FrequencyMethod::Llvm
    }
}

/// The entry counts that `rust-entry-counts<annotate>` writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Degree {
    /// Writes no counts, but adds the attribute `cold` to functions that run rarely. `attributes` is the default,
    /// because none of the programs in docs/src/reports/effect.md executes more instructions with these attributes.
    #[default]
    Attributes,
    /// A profile summary, and entry counts for the functions that run rarely.
    Cold,
    /// A profile summary, and entry counts for all functions.
    Counts,
}

impl Degree {
    /// The value of the option `write=name`, or `None` if the option does not accept `name`.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "attributes" => Some(Degree::Attributes),
            "cold" => Some(Degree::Cold),
            "counts" => Some(Degree::Counts),
            _ => None,
        }
    }
}

impl Request {
    /// The name of the pass in messages. If the mode only changes the output format, the name omits the mode.
    pub fn name(&self) -> String {
        let PassSpec { name, modes, .. } = PassSpec::of(self.pass);
        let contains_mode = match self.mode {
            Mode::Check | Mode::Features | Mode::Remarks | Mode::Annotate => true,
            Mode::Score => self.pass != PassKind::EntryCounts,
            Mode::Plain | Mode::Explain | Mode::Json | Mode::Graph | Mode::Dot | Mode::Diff => false,
            Mode::Require | Mode::Invalidate => false,
            Mode::Begin => true,
        };
        let spec = modes.iter().find(|spec| spec.mode == self.mode && contains_mode);
        let option = spec.and_then(ModeSpec::option_name);
        option.map_or(name.to_string(), |option| format!("{name}<{option}>"))
    }
}
