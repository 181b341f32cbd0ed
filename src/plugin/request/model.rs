//! Requests: the parsed pipeline elements.

use std::path::Path;
use std::sync::Arc;

use bpa_core::bfi::FrequencyMethod;
use bpa_core::bpi::Probability;
use bpa_core::dialect::Dialect;
use bpa_core::Predictor;

use crate::host_dialect;

/// A pipeline element of bpa that works on functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Print the result of an analysis.
    ///
    /// LLVM: `BranchProbabilityPrinterPass`, `BlockFrequencyPrinterPass`.
    Print(Print),
    /// Compare the result of an analysis with the host's own analysis.
    Check(Analysis),
    /// Compare static predictions with the profile in the IR.
    Score(Score),
    /// Print hints for the source, based on the profile in the IR.
    Hints(Hints),
    /// Print the features that predictors use.
    Features(CommonOptions),
    /// Emit optimisation remarks.
    Remarks(Remarks),
    /// Compute the result of an analysis and cache it.
    ///
    /// LLVM: `RequireAnalysisPass`.
    Require(Analysis),
    /// Compute the result of a predictor other than LLVM's rules, and discard it.
    Compute(Analysis, Arc<Predictor>),
    /// Drop the cached result of an analysis.
    ///
    /// LLVM: `InvalidateAnalysisPass`.
    Invalidate(Analysis),
    /// Write branch probabilities as branch weights.
    Annotate(Annotate),
    /// Write header weights of irreducible regions.
    AnnotateHeaders {
        /// Whether to replace existing weights.
        overwrite: bool,
    },
    /// Lower expectations in the source to branch weights.
    ///
    /// LLVM: `LowerExpectIntrinsicPass`.
    LowerExpect,
}

/// The analyses that can be named in a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Analysis {
    /// Branch probabilities.
    Probabilities,
    /// Block frequencies.
    Frequencies,
    /// Block bias. The only valid request for biases is to print them, because the plugin does not cache biases.
    Bias,
}

/// The options that most requests have. If a pass lacks an option, the field has the default value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommonOptions {
    /// The method that computes frequencies.
    pub method: FrequencyMethod,
    /// The LLVM version whose results are computed. `None` means the host's version.
    pub like: Option<&'static Dialect>,
    /// The predictor. `None` means LLVM's rules.
    pub predictor: Option<Arc<Predictor>>,
    /// The output. `None` means stderr for text, and the current directory for pictures.
    pub output: Option<Output>,
}

impl CommonOptions {
    /// The dialect of the LLVM version whose results are computed.
    pub(in crate::plugin) fn dialect(&self) -> &'static Dialect {
        self.like.unwrap_or_else(host_dialect)
    }

    /// Whether the results of the host's LLVM are requested. Only the host's results are cached.
    pub(in crate::plugin) fn are_hosts(&self) -> bool {
        self.like.is_none() && self.predictor.is_none() && self.method == FrequencyMethod::Llvm
    }
}

/// The options of a request to print a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Print {
    /// The analysis.
    pub analysis: Analysis,
    /// The form.
    pub form: Form,
    /// Further options.
    pub common: CommonOptions,
}

/// The options of a comparison of predictions with a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Whether to print one JSON object per branch instead of a table.
    pub json: bool,
    /// Further options.
    pub common: CommonOptions,
}

/// The options of a request to print hints for the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hints {
    /// Whether to print one JSON object per hint instead of text.
    pub json: bool,
    /// The maximum number of printed hints. Hints with the highest cost are printed first.
    pub limit: usize,
    /// Further options.
    pub common: CommonOptions,
}

/// The options of a request for remarks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remarks {
    /// The analysis.
    pub analysis: Analysis,
    /// Leave out a branch if the probability of its likeliest successor is below this value.
    pub at_least: Probability,
    /// The maximum number of remarks per function. Remarks about the most frequent code are emitted first.
    pub limit: Option<usize>,
    /// Further options.
    pub common: CommonOptions,
}

/// The forms of printed results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Text, as LLVM prints it.
    #[default]
    Plain,
    /// Only the lines that differ from the host's result. This form requires one of the options `like`, `predictor` and
    /// `exact`.
    Difference,
    /// Text with reasons under each line.
    Explained,
    /// One JSON object per function.
    Json,
    /// JSON with reasons.
    ExplainedJson,
    /// One Graphviz file per function.
    Dot,
}

/// The options of a request to write branch weights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotate {
    /// Whether to predict without the existing branch weights and replace them.
    pub overwrite: bool,
    /// Whether to leave out branches to which no rule applies.
    pub skip_even: bool,
    /// Leave out a branch if the probability of its likeliest successor is below this value.
    pub at_least: Probability,
    /// If a branch has two successors and does not leave a loop, raise the probability of the more likely successor to
    /// at least this value.
    pub raise: Option<Probability>,
    /// The predictor. `None` means LLVM's rules.
    pub predictor: Option<Arc<Predictor>>,
}

impl Request {
    /// The name of the pass in messages.
    pub const fn name(&self) -> &'static str {
        match self {
            Request::Print(Print { analysis, .. })
            | Request::Require(analysis)
            | Request::Compute(analysis, _)
            | Request::Invalidate(analysis) => analysis.name(),
            Request::Check(Analysis::Probabilities) => "rust-bpi<check>",
            Request::Check(_) => "rust-bfi<check>",
            Request::Score(_) => "rust-bpi<score>",
            Request::Hints(_) => "rust-bpi<hints>",
            Request::Features(_) => "rust-bpi<features>",
            Request::Remarks(Remarks { analysis: Analysis::Probabilities, .. }) => "rust-bpi<remarks>",
            Request::Remarks(_) => "rust-bfi<remarks>",
            Request::Annotate(_) => "rust-bpi<annotate>",
            Request::AnnotateHeaders { .. } => "rust-bfi<annotate>",
            Request::LowerExpect => "rust-lower-expect",
        }
    }

    /// The output file and the form. The result is `None` if the output is stderr.
    pub(in crate::plugin) fn output(&self) -> Option<(&Output, Form)> {
        let (common, form) = match self {
            Request::Print(Print { common, form, .. }) => (common, *form),
            Request::Score(Score { common, .. })
            | Request::Hints(Hints { common, .. })
            | Request::Features(common) => (common, Form::Plain),
            _ => return None,
        };
        Some((common.output.as_ref()?, form))
    }
}

impl Analysis {
    /// The name of the analysis in pipelines.
    pub const fn name(self) -> &'static str {
        match self {
            Analysis::Probabilities => "rust-bpi",
            Analysis::Frequencies => "rust-bfi",
            Analysis::Bias => "rust-bias",
        }
    }
}

#[cfg(test)]
impl Print {
    /// A request to print `analysis` on stderr, in LLVM's format.
    pub fn plain(analysis: Analysis) -> Self {
        Print { analysis, form: Form::Plain, common: CommonOptions::default() }
    }
}

/// An output file, or a directory for pictures.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Output {
    name: Arc<str>,
    keeps_content: bool,
}

impl Output {
    /// The output of `output=name`, in which the process number replaces `%p`. The result is `None` if the name is
    /// empty.
    pub fn named(name: &str) -> Option<Self> {
        let with_process = || name.replace("%p", &std::process::id().to_string()).into();
        (!name.is_empty()).then(|| Output { name: with_process(), keeps_content: false })
    }

    /// Converts to an output that appends to the file. Other processes may append at the same time.
    pub fn appended(self) -> Self {
        Output { keeps_content: true, ..self }
    }

    /// Whether existing content of the file is kept.
    pub(in crate::plugin) fn keeps_content(&self) -> bool {
        self.keeps_content
    }

    /// Whether the name is `-`. As in LLVM's tools, this name means stdout.
    pub(in crate::plugin) fn is_stdout(&self) -> bool {
        &*self.name == "-"
    }

    /// The path of the file or directory.
    pub(in crate::plugin) fn path(&self) -> &Path {
        Path::new(&*self.name)
    }
}
