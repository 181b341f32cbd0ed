//! What can be asked for.

use std::path::Path;
use std::sync::Arc;

use bpa_core::bfi::FrequencyMethod;
use bpa_core::bpi::Probability;
use bpa_core::dialect::Dialect;
use bpa_core::Predictor;

/// A pipeline element of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Print the result.
    ///
    /// LLVM: `BranchProbabilityPrinterPass`, `BlockFrequencyPrinterPass`.
    Print(Print),
    /// Compare the result with that of the host's own analysis.
    Check(Analysis),
    /// Hold the branch probabilities that rules give against the profile that the IR carries.
    Score(Score),
    /// Print what to write in the source, by the profile that the IR carries.
    Hints(Hints),
    /// Print what a predictor may look at.
    Features(Features),
    /// Have the host show the result at the lines of the source.
    Remarks(Remarks),
    /// Compute the result and keep it.
    ///
    /// LLVM: `RequireAnalysisPass`.
    Require(Analysis),
    /// Computes what another predictor than LLVM's says, and keeps nothing.
    Compute(Analysis, Arc<Predictor>),
    /// Forget the result.
    ///
    /// LLVM: `InvalidateAnalysisPass`.
    Invalidate(Analysis),
    /// Write branch probabilities into the function as branch weights.
    Annotate(Annotate),
    /// Write weights of headers of irreducible loops into the function.
    AnnotateHeaders(AnnotateHeaders),
    /// Turn expectations in the source into branch weights.
    ///
    /// LLVM: `LowerExpectIntrinsicPass`.
    LowerExpect,
}

/// The analyses, by the names that pipelines know them by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Analysis {
    /// Branch probabilities.
    Probabilities,
    /// Block frequencies.
    Frequencies,
    /// Block bias. Nothing of it is kept, so that it can only be printed.
    Bias,
}

/// What to print, how, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Print {
    /// Whose result.
    pub analysis: Analysis,
    /// In which form.
    pub form: Form,
    /// How frequencies are worked out.
    pub method: FrequencyMethod,
    /// As which version of LLVM would answer; none is the host.
    pub like: Option<&'static Dialect>,
    /// By whose rules; none is LLVM's.
    pub predictor: Option<Arc<Predictor>>,
    /// Where to; none is stderr for text, and the current directory for pictures.
    pub output: Option<Output>,
}

/// How to hold branch probabilities against a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// A line of data for each branch, in place of a table.
    pub json: bool,
    /// As which version of LLVM would answer; none is the host.
    pub like: Option<&'static Dialect>,
    /// By whose rules; none is LLVM's.
    pub predictor: Option<Arc<Predictor>>,
    /// Where to; none is stderr.
    pub output: Option<Output>,
}

/// How to print what to write in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hints {
    /// A line of data for each hint, in place of text.
    pub json: bool,
    /// At most so many: the costliest.
    pub most: usize,
    /// As which version of LLVM would answer; none is the host.
    pub like: Option<&'static Dialect>,
    /// By whose rules; none is LLVM's.
    pub predictor: Option<Arc<Predictor>>,
    /// Where to; none is stderr.
    pub output: Option<Output>,
}

/// How to print what a predictor may look at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// As which version of LLVM would answer; none is the host.
    pub like: Option<&'static Dialect>,
    /// Where to; none is stderr.
    pub output: Option<Output>,
}

/// What to remark upon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remarks {
    /// Whose result.
    pub analysis: Analysis,
    /// Leave branches alone that are not so sure to go one way.
    pub at_least: Probability,
    /// At most so many in a function: those about what runs most often.
    pub most: Option<usize>,
    /// How frequencies are worked out.
    pub method: FrequencyMethod,
    /// As which version of LLVM would answer; none is the host.
    pub like: Option<&'static Dialect>,
    /// By whose rules; none is LLVM's.
    pub predictor: Option<Arc<Predictor>>,
}

/// The forms that a result is printed in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// As LLVM prints it.
    #[default]
    Plain,
    /// The lines alone that differ from the host's answer. Needs another version, predictor or method to compare with.
    Difference,
    /// As LLVM prints it, and under each line why.
    Explained,
    /// As data: one JSON object a function.
    Json,
    /// As data with reasons.
    ExplainedJson,
    /// As pictures: one Graphviz file a function.
    Dot,
}

/// How to annotate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotate {
    /// Predict as if there were no branch weights, and replace those that are there.
    pub overwrite: bool,
    /// Leave branches alone for which no rule has an answer.
    pub skip_even: bool,
    /// Leave branches alone that are not so sure to go one way.
    pub at_least: Probability,
    /// How likely a two-way branch that leaves no loop is said to go where it more likely goes, at least.
    pub raise: Option<Probability>,
    /// By whose rules; none is LLVM's.
    pub predictor: Option<Arc<Predictor>>,
}

/// How to annotate headers of irreducible loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnnotateHeaders {
    /// Replace the weights that are there.
    pub overwrite: bool,
}

impl Request {
    /// The name of the pass, for messages.
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
            Request::AnnotateHeaders(_) => "rust-bfi<annotate>",
            Request::LowerExpect => "rust-lower-expect",
        }
    }

    /// Where it prints to, if that is somewhere else than stderr.
    pub(in crate::plugin) const fn output(&self) -> Option<(&Output, Form)> {
        match self {
            Request::Print(Print { output: Some(output), form, .. }) => Some((output, *form)),
            Request::Score(Score { output: Some(output), .. })
            | Request::Hints(Hints { output: Some(output), .. })
            | Request::Features(Features { output: Some(output), .. }) => Some((output, Form::Plain)),
            _ => None,
        }
    }
}

impl Analysis {
    /// The name in pipelines.
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
    /// Printing `analysis` as LLVM does, to stderr.
    pub const fn plain(analysis: Analysis) -> Self {
        let (form, method) = (Form::Plain, FrequencyMethod::Llvm);
        Print { analysis, form, method, like: None, predictor: None, output: None }
    }
}

/// A file to print to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Output {
    name: Arc<str>,
    keeps_content: bool,
}

impl Output {
    /// The output that `output=name` asks for, where `%p` stands for the process; nothing without a name.
    pub fn named(name: &str) -> Option<Self> {
        let with_process = || name.replace("%p", &std::process::id().to_string()).into();
        (!name.is_empty()).then(|| Output { name: with_process(), keeps_content: false })
    }

    /// The same file, to add to what is in it, as other processes may do at the same time.
    pub fn appended(self) -> Self {
        Output { keeps_content: true, ..self }
    }

    /// Whether what is in the file already stays there.
    pub(in crate::plugin) fn keeps_content(&self) -> bool {
        self.keeps_content
    }

    /// Whether this is `-`, which stands for stdout as it does in LLVM's tools.
    pub(in crate::plugin) fn is_stdout(&self) -> bool {
        &*self.name == "-"
    }

    /// The file or directory.
    pub(in crate::plugin) fn path(&self) -> &Path {
        Path::new(&*self.name)
    }
}
