//! Reads what is asked for of entry counts: of the module as a whole, unlike everything else.

use std::sync::Arc;

use bpa_core::dialect::Dialect;
use bpa_core::Predictor;

use super::forms::{like, output};
use super::model::Output;
use super::options::{OptionError, Options};
use super::predictors;

/// What can be asked for of entry counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::plugin) enum EntryCountRequest {
    Print(PrintEntryCounts),
    Annotate(AnnotateEntryCounts),
}

/// What to print, how, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::plugin) struct PrintEntryCounts {
    pub form: EntryCountForm,
    /// As which version of LLVM would answer; none is the host.
    pub like: Option<&'static Dialect>,
    /// By whose rules; none is LLVM's.
    pub predictor: Option<Arc<Predictor>>,
    /// Where to; none is stderr.
    pub output: Option<Output>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::plugin) enum EntryCountForm {
    /// A line a function.
    #[default]
    Plain,
    /// As data.
    Json,
    /// All about the function of that name.
    Explained(String),
    /// Held against the profile that the module has.
    Scored,
    /// A picture of so many functions with the most time, for Graphviz.
    Dot(usize),
}

/// How to write entry counts into the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::plugin) struct AnnotateEntryCounts {
    /// Replace the profile that is there.
    pub overwrite: bool,
    pub degree: Degree,
    /// By whose rules; none is LLVM's.
    pub predictor: Option<Arc<Predictor>>,
}

/// How much is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::plugin) enum Degree {
    /// The attribute `cold` on functions that run rarely, and no count. The default: wherever it is written, with branch
    /// weights and without, no program in docs/src/reports/effect.md has more to do because of it.
    #[default]
    Attributes,
    /// A summary, and the counts of functions that run rarely.
    Cold,
    /// A summary, and the counts of all functions.
    Counts,
}

/// How many functions a picture has, unless told otherwise, and those that lead to them.
const DRAWN: usize = 24;

const NAME: &str = "rust-entry-counts";

/// All options: the three of what annotates, ...
const VALID: &[&str] = &[
    "annotate",
    "overwrite",
    "write=KIND",
    "explain=NAME",
    "json",
    "score",
    "dot",
    "limit=N",
    "like=N",
    "predictor=NAME|FILE",
    "append",
    "output=FILE",
];
/// ... and behind them those of what prints.
const PRINTING: &[&str] = VALID.split_at(3).1;

impl EntryCountRequest {
    /// Reads a pipeline element; nothing if the name is another.
    pub fn parse(element: &str) -> Option<Result<Self, OptionError>> {
        if let Some(rest) = element.strip_prefix("print<").and_then(|rest| rest.strip_prefix(NAME)) {
            let options = match rest {
                ">" => None,
                // Nothing behind a semicolon is an option without a name, not an empty list.
                ";>" => Some(rest),
                _ => Some(rest.strip_prefix(';')?),
            };
            return Some(Self::parse_print("print<rust-entry-counts>", options));
        }
        match element.strip_prefix(NAME)? {
            "" => Some(Self::parse_any(None)),
            rest => Some(Self::parse_any(Some(rest.strip_prefix('<')?))),
        }
    }

    /// The name of the pass, for messages.
    pub const fn name(&self) -> &'static str {
        match self {
            EntryCountRequest::Print(_) => NAME,
            EntryCountRequest::Annotate(_) => "rust-entry-counts<annotate>",
        }
    }

    fn parse_any(options: Option<&str>) -> Result<Self, OptionError> {
        let options = Options::parse(NAME, options, VALID)?;
        options.keep_apart(
            &["explain", "json", "score", "dot", "limit", "like", "append", "output"],
            "annotate",
        )?;
        options.require(&["overwrite", "write"], "annotate")?;
        if !options.has("annotate") {
            return PrintEntryCounts::from_options(&options).map(EntryCountRequest::Print);
        }
        let degree = options.value("write", "attributes, cold or counts", Degree::named)?.unwrap_or_default();
        let predictor = predictors::chosen(&options)?;
        let overwrite = options.has("overwrite");
        Ok(EntryCountRequest::Annotate(AnnotateEntryCounts { overwrite, degree, predictor }))
    }

    fn parse_print(name: &str, options: Option<&str>) -> Result<Self, OptionError> {
        let options = Options::parse(name, options, PRINTING)?;
        PrintEntryCounts::from_options(&options).map(EntryCountRequest::Print)
    }
}

impl PrintEntryCounts {
    fn from_options(options: &Options<'_>) -> Result<Self, OptionError> {
        options.keep_apart(&["explain", "score", "dot"], "json")?;
        options.keep_apart(&["explain", "dot"], "score")?;
        options.keep_apart(&["explain"], "dot")?;
        options.require(&["limit"], "dot")?;
        let named = |name: &str| (!name.is_empty()).then(|| name.to_string());
        let explained = options.value("explain", "the name of a function", named)?;
        let most = options.number("limit", 1..=1_000_000)?;
        let form = match explained {
            Some(name) => EntryCountForm::Explained(name),
            None if options.has("json") => EntryCountForm::Json,
            None if options.has("dot") => EntryCountForm::Dot(most.unwrap_or(DRAWN)),
            None if options.has("score") => EntryCountForm::Scored,
            None => EntryCountForm::Plain,
        };
        let predictor = predictors::chosen(options)?;
        Ok(PrintEntryCounts { form, like: like(options)?, predictor, output: output(options)? })
    }
}

impl Degree {
    fn named(name: &str) -> Option<Self> {
        match name {
            "attributes" => Some(Degree::Attributes),
            "cold" => Some(Degree::Cold),
            "counts" => Some(Degree::Counts),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(element: &str) -> EntryCountRequest {
        EntryCountRequest::parse(element).expect("the name").expect("good options")
    }

    fn error(element: &str) -> String {
        EntryCountRequest::parse(element).expect("the name").expect_err("bad options").to_string()
    }

    #[test]
    fn both_names_print() {
        let plain = EntryCountRequest::Print(PrintEntryCounts::default());
        for name in ["rust-entry-counts", "rust-entry-counts<>", "print<rust-entry-counts>"] {
            assert_eq!(parsed(name), plain);
        }
        let explained = PrintEntryCounts {
            form: EntryCountForm::Explained("f".into()),
            output: Output::named("x"),
            ..PrintEntryCounts::default()
        };
        for name in ["rust-entry-counts<explain=f;output=x>", "print<rust-entry-counts;output=x;explain=f>"] {
            assert_eq!(parsed(name), EntryCountRequest::Print(explained.clone()));
        }
        let drawn = |most| {
            let form = EntryCountForm::Dot(most);
            EntryCountRequest::Print(PrintEntryCounts { form, ..PrintEntryCounts::default() })
        };
        assert_eq!(parsed("rust-entry-counts<dot>"), drawn(DRAWN));
        assert_eq!(parsed("print<rust-entry-counts;limit=3;dot>"), drawn(3));
        for other in
            ["rust-entry-count", "rust-entry-counts2", "print<rust-entry-counts", "print<rust-bpi>", ""]
        {
            assert_eq!(EntryCountRequest::parse(other), None, "{other}");
        }
    }

    #[test]
    fn annotating_has_degrees() {
        let annotate = |overwrite, degree| {
            EntryCountRequest::Annotate(AnnotateEntryCounts { overwrite, degree, predictor: None })
        };
        assert_eq!(parsed("rust-entry-counts<annotate>"), annotate(false, Degree::Attributes));
        assert_eq!(parsed("rust-entry-counts<annotate;write=counts>"), annotate(false, Degree::Counts));
        assert_eq!(parsed("rust-entry-counts<write=cold;annotate;overwrite>"), annotate(true, Degree::Cold));
        assert_eq!(
            parsed("rust-entry-counts<annotate;write=attributes>"),
            annotate(false, Degree::Attributes)
        );
        let valid =
            "valid options are: annotate, overwrite, write=KIND, explain=NAME, json, score, dot, limit=N, like=N, \
                     predictor=NAME|FILE, append, output=FILE";
        for (options, problem) in [
            ("write=hot;annotate", "option 'write=hot' needs attributes, cold or counts"),
            ("write=cold", "option 'write=cold' needs option 'annotate'"),
            ("overwrite", "option 'overwrite' needs option 'annotate'"),
            ("annotate;json", "option 'json' does not go with option 'annotate'"),
            ("explain=f;json", "option 'explain=f' does not go with option 'json'"),
            ("score;explain=f", "option 'explain=f' does not go with option 'score'"),
            ("annotate;dot", "option 'dot' does not go with option 'annotate'"),
            ("dot;json", "option 'dot' does not go with option 'json'"),
            ("dot;explain=f", "option 'explain=f' does not go with option 'dot'"),
            ("limit=3", "option 'limit=3' needs option 'dot'"),
            ("dot;limit=0", "option 'limit=0' needs a number from 1 to 1000000"),
            ("explain=", "option 'explain=' needs the name of a function"),
            ("exact", "unknown option 'exact'"),
        ] {
            let element = format!("rust-entry-counts<{options}>");
            assert_eq!(error(&element), format!("rust-entry-counts: {problem}; {valid}"));
        }
        assert!(error("rust-entry-counts<json").contains("one pair of angle brackets"));
        assert!(error("print<rust-entry-counts;>").starts_with("print<rust-entry-counts>: unknown option ''"));
    }
}
