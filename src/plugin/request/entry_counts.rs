//! Requests for entry counts. The pass `rust-entry-counts` is the only pass that requires a whole module.

use std::sync::Arc;

use bpa_core::Predictor;

use super::model::CommonOptions;
use super::options::{OptionError, Options};
use super::table::{Mode, ModeSpec};

/// A request for entry counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::plugin) enum EntryCountRequest {
    Print(PrintEntryCounts),
    Annotate(AnnotateEntryCounts),
}

/// The options of a request to print entry counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::plugin) struct PrintEntryCounts {
    pub form: EntryCountForm,
    pub common: CommonOptions,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::plugin) enum EntryCountForm {
    /// Text with one line per function.
    #[default]
    Plain,
    /// JSON.
    Json,
    /// All data about the function with this name.
    Explained(String),
    /// A comparison with the profile of the module.
    Scored,
    /// A Graphviz picture of the functions with the most running time. The value is the maximum number of functions.
    Dot(usize),
}

/// The options of a request to write entry counts into the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::plugin) struct AnnotateEntryCounts {
    /// Whether to replace an existing profile.
    pub overwrite: bool,
    pub degree: Degree,
    /// The predictor. `None` means LLVM's rules.
    pub predictor: Option<Arc<Predictor>>,
}

/// The data that `annotate` writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::plugin) enum Degree {
    /// The attribute `cold` on functions that run rarely, and no counts. `attributes` is the default, because none of
    /// the programs in docs/src/reports/effect.md executes more instructions with these attributes.
    #[default]
    Attributes,
    /// A profile summary, and the counts of functions that run rarely.
    Cold,
    /// A profile summary, and the counts of all functions.
    Counts,
}

impl EntryCountRequest {
    /// The name of the pass in messages.
    pub const fn name(&self) -> &'static str {
        match self {
            EntryCountRequest::Print(_) => "rust-entry-counts",
            EntryCountRequest::Annotate(_) => "rust-entry-counts<annotate>",
        }
    }

    pub(super) fn from_options(spec: &ModeSpec, options: &Options<'_>) -> Result<Self, OptionError> {
        let form = match spec.mode {
            Mode::Annotate => {
                return Ok(EntryCountRequest::Annotate(AnnotateEntryCounts {
                    overwrite: options.has("overwrite"),
                    degree: options.word("write=KIND")?.and_then(Degree::named).unwrap_or_default(),
                    predictor: options.predictor()?,
                }));
            }
            Mode::Json => EntryCountForm::Json,
            Mode::Score => EntryCountForm::Scored,
            Mode::Dot => EntryCountForm::Dot(options.limit()?.or(spec.limit).unwrap_or(usize::MAX)),
            _ => options.function("explain=NAME")?.map_or(EntryCountForm::Plain, EntryCountForm::Explained),
        };
        let common = options.common(Options::output)?;
        Ok(EntryCountRequest::Print(PrintEntryCounts { form, common }))
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
    use super::super::model::Output;
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
            common: CommonOptions { output: Output::named("x"), ..CommonOptions::default() },
        };
        for name in ["rust-entry-counts<explain=f;output=x>", "print<rust-entry-counts;output=x;explain=f>"] {
            assert_eq!(parsed(name), EntryCountRequest::Print(explained.clone()));
        }
        let pictured = |limit| {
            let form = EntryCountForm::Dot(limit);
            EntryCountRequest::Print(PrintEntryCounts { form, ..PrintEntryCounts::default() })
        };
        assert_eq!(parsed("rust-entry-counts<dot>"), pictured(24));
        assert_eq!(parsed("print<rust-entry-counts;limit=3;dot>"), pictured(3));
        for other in
            ["rust-entry-count", "rust-entry-counts2", "print<rust-bpi>", "require<rust-entry-counts>", ""]
        {
            assert_eq!(EntryCountRequest::parse(other), None, "{other}");
        }
    }

    #[test]
    fn entry_counts_can_be_written_in_three_degrees() {
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
            ("annotate;json", "option 'json' cannot be used with option 'annotate'"),
            ("explain=f;json", "option 'explain=f' cannot be used with option 'json'"),
            ("score;explain=f", "option 'explain=f' cannot be used with option 'score'"),
            ("annotate;dot", "option 'dot' cannot be used with option 'annotate'"),
            ("dot;json", "option 'dot' cannot be used with option 'json'"),
            ("dot;explain=f", "option 'explain=f' cannot be used with option 'dot'"),
            ("limit=3", "option 'limit=3' needs option 'dot'"),
            ("dot;limit=0", "option 'limit=0' needs a number from 1 to 4294967295"),
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
