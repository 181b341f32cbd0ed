//! What a pipeline element asks for.
//!
//! An element is one of our names, possibly with options (`rust-bpi`, `rust-bpi<annotate>`), or one of LLVM's
//! wrappers around an analysis name (`print<rust-bpi>`).

use super::options::{OptionError, Options};
use crate::dialect::Dialect;

/// Reads a pipeline element; nothing if the name is not ours.
pub(super) type Parse = fn(&str) -> Option<Result<Request, OptionError>>;

/// A pipeline element of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Print the result.
    Print(Analysis),
    /// Print the result that another version of LLVM would have.
    PrintLike(Analysis, Like),
    /// Print the result that a version of LLVM would have, and under each line why.
    Explain(Analysis, &'static Dialect),
    /// Compute the result and keep it.
    Require(Analysis),
    /// Forget the result.
    Invalidate(Analysis),
    /// Write branch probabilities into the function as branch weights.
    Annotate(Annotate),
    /// Turn expectations in the source into branch weights.
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

/// Another version of LLVM, and what to print of its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Like {
    /// How that version answers.
    pub dialect: &'static Dialect,
    /// Print the lines alone that differ from the host's answer.
    pub difference: bool,
}

/// How to annotate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Annotate {
    /// Predict as if there were no branch weights, and replace those that are there.
    pub overwrite: bool,
    /// Leave branches alone for which no rule has an answer.
    pub skip_even: bool,
}

impl Analysis {
    const ALL: [Analysis; 3] = [Analysis::Probabilities, Analysis::Frequencies, Analysis::Bias];

    /// The name in pipelines.
    pub const fn name(self) -> &'static str {
        match self {
            Analysis::Probabilities => "rust-bpi",
            Analysis::Frequencies => "rust-bfi",
            Analysis::Bias => "rust-bias",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|analysis| analysis.name() == name)
    }
}

impl Request {
    /// Whether it also covers functions that are marked `optnone`: whoever asks for an answer gets it, whoever asks for
    /// a change gets it where changes are welcome.
    #[cfg_attr(not(own_host), expect(dead_code, reason = "llvm-plugin has no required passes"))]
    pub(super) fn is_required(&self) -> bool {
        !matches!(self, Request::Annotate(_) | Request::LowerExpect)
    }

    /// Reads a pipeline element; nothing if the name is not ours.
    pub fn parse(element: &str) -> Option<Result<Request, OptionError>> {
        let (name, options) = match element.split_once('<') {
            Some((name, rest)) => (name, Some(rest)),
            None => (element, None),
        };
        match name {
            "print" => Self::parse_wrapped(element, options?, Request::Print),
            "require" => Self::parse_wrapped(element, options?, Request::Require),
            "invalidate" => Self::parse_wrapped(element, options?, Request::Invalidate),
            "rust-bpi" => Some(Self::parse_probabilities(name, options)),
            "rust-bfi" => Some(Self::parse_frequencies(name, options)),
            "rust-lower-expect" => Some(Options::parse(name, options, &[]).map(|_| Request::LowerExpect)),
            _ => None,
        }
    }

    /// The name of the pass, for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Request::Print(analysis) | Request::Require(analysis) | Request::Invalidate(analysis) => {
                analysis.name()
            }
            Request::PrintLike(analysis, _) | Request::Explain(analysis, _) => analysis.name(),
            Request::Annotate(_) => "rust-bpi<annotate>",
            Request::LowerExpect => "rust-lower-expect",
        }
    }

    fn parse_probabilities(name: &str, options: Option<&str>) -> Result<Request, OptionError> {
        let valid = &["annotate", "overwrite", "skip-even", "explain", "like=N", "diff"];
        let options = Options::parse(name, options, valid)?;
        options.keep_apart(&["explain", "like", "diff"], "annotate")?;
        options.require(&["overwrite", "skip-even"], "annotate")?;
        if options.has("annotate") {
            let (overwrite, skip_even) = (options.has("overwrite"), options.has("skip-even"));
            return Ok(Request::Annotate(Annotate { overwrite, skip_even }));
        }
        Self::print(Analysis::Probabilities, &options)
    }

    fn parse_frequencies(name: &str, options: Option<&str>) -> Result<Request, OptionError> {
        Self::print(Analysis::Frequencies, &Options::parse(name, options, &["explain", "like=N", "diff"])?)
    }

    /// Printing, possibly as another version would, or with reasons.
    fn print(analysis: Analysis, options: &Options<'_>) -> Result<Request, OptionError> {
        options.keep_apart(&["diff"], "explain")?;
        options.require(&["diff"], "like")?;
        let meaning = format!("an LLVM version, {}", Dialect::versions());
        let dialect = options.value("like", &meaning, |version| Dialect::of(version.parse().ok()?))?;
        if options.has("explain") {
            return Ok(Request::Explain(analysis, dialect.unwrap_or(Dialect::host())));
        }
        let difference = options.has("diff");
        Ok(dialect.map_or(Request::Print(analysis), |dialect| {
            Request::PrintLike(analysis, Like { dialect, difference })
        }))
    }

    /// Reads `wrapper<name>`, of which `rest` follows the bracket.
    fn parse_wrapped(
        element: &str,
        rest: &str,
        request: fn(Analysis) -> Request,
    ) -> Option<Result<Request, OptionError>> {
        let name = rest.split(['>', ';', '<']).next()?;
        let request = request(Analysis::named(name)?);
        if matches!(request, Request::Require(Analysis::Bias) | Request::Invalidate(Analysis::Bias)) {
            return None;
        }
        // LLVM's wrappers take a name and nothing else: anything more is an option too many.
        let after = &rest[name.len()..];
        let pass = format!("{}>", element.strip_suffix(after)?);
        let options = match after {
            ">" => None,
            // Nothing behind a semicolon is an option without a name, not an empty list.
            ";>" => Some(after),
            _ => Some(after.strip_prefix(';').unwrap_or("<")),
        };
        Some(Options::parse(&pass, options, &[]).map(|_| request))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(element: &str) -> Request {
        Request::parse(element).expect("a name of ours").expect("good options")
    }

    fn error(element: &str) -> String {
        Request::parse(element).expect("a name of ours").expect_err("bad options").to_string()
    }

    #[test]
    fn every_name_is_known_and_no_other() {
        for analysis in [Analysis::Probabilities, Analysis::Frequencies] {
            let name = analysis.name();
            assert_eq!(parsed(name), Request::Print(analysis));
            assert_eq!(parsed(&format!("{name}<>")), Request::Print(analysis));
            assert_eq!(parsed(&format!("print<{name}>")), Request::Print(analysis));
            assert_eq!(parsed(&format!("require<{name}>")), Request::Require(analysis));
            assert_eq!(parsed(&format!("invalidate<{name}>")), Request::Invalidate(analysis));
        }
        assert_eq!(parsed("print<rust-bias>"), Request::Print(Analysis::Bias));
        let others =
            ["rust-bpix", "rust-bias", "require<rust-bias>", "print", "print<branch-prob>", "verify"];
        for other in others.into_iter().chain(["verify<rust-bpi>", "print<>", "print<rust-bpi2>", ""]) {
            assert_eq!(Request::parse(other), None, "{other}");
        }
    }

    /// Who reads a message looks for what was typed.
    #[test]
    fn passes_are_named_as_they_are_typed() {
        for element in ["rust-bpi", "rust-bfi", "rust-bpi<annotate>", "rust-lower-expect"] {
            assert_eq!(parsed(element).name(), element);
        }
        assert_eq!(parsed("print<rust-bias>").name(), "rust-bias");
        assert_eq!(parsed("require<rust-bfi>").name(), "rust-bfi");
        assert_eq!(parsed("rust-bfi<like=18>").name(), "rust-bfi");
    }

    #[test]
    fn annotating_takes_its_options_in_any_order() {
        let annotate = |overwrite, skip_even| Request::Annotate(Annotate { overwrite, skip_even });
        assert_eq!(parsed("rust-bpi<annotate>"), annotate(false, false));
        assert_eq!(parsed("rust-bpi<annotate;overwrite>"), annotate(true, false));
        assert_eq!(parsed("rust-bpi<skip-even;overwrite;annotate>"), annotate(true, true));
    }

    #[test]
    fn lowering_is_no_analysis() {
        assert_eq!(parsed("rust-lower-expect"), Request::LowerExpect);
        assert_eq!(parsed("rust-lower-expect<>"), Request::LowerExpect);
        assert_eq!(Request::parse("print<rust-lower-expect>"), None);
    }

    #[test]
    fn other_versions_are_named_by_their_number() {
        let dialect = Dialect::of(19).expect("a supported version");
        let like = |difference| Like { dialect, difference };
        assert_eq!(parsed("rust-bpi<like=19>"), Request::PrintLike(Analysis::Probabilities, like(false)));
        assert_eq!(parsed("rust-bfi<diff;like=19>"), Request::PrintLike(Analysis::Frequencies, like(true)));
    }

    #[test]
    fn explanations_are_of_the_host_or_of_another_version() {
        let other = Dialect::of(19).expect("a supported version");
        let host = Dialect::host();
        assert_eq!(parsed("rust-bpi<explain>"), Request::Explain(Analysis::Probabilities, host));
        assert_eq!(parsed("rust-bfi<like=19;explain>"), Request::Explain(Analysis::Frequencies, other));
    }

    #[test]
    fn errors_name_what_is_wrong_and_what_would_be_right() {
        let valid = "valid options are: annotate, overwrite, skip-even, explain, like=N, diff";
        assert_eq!(error("rust-bpi<hot>"), format!("rust-bpi: unknown option 'hot'; {valid}"));
        assert_eq!(error("rust-bpi<annotate;>"), format!("rust-bpi: unknown option ''; {valid}"));
        assert_eq!(
            error("rust-bpi<annotate;annotate>"),
            format!("rust-bpi: option 'annotate' is given twice; {valid}")
        );
        assert_eq!(
            error("rust-bpi<overwrite>"),
            format!("rust-bpi: option 'overwrite' needs option 'annotate'; {valid}")
        );
        let valid_for_frequencies = "valid options are: explain, like=N, diff";
        assert_eq!(
            error("rust-bfi<hot>"),
            format!("rust-bfi: unknown option 'hot'; {valid_for_frequencies}")
        );
        assert_eq!(
            error("rust-bfi<diff>"),
            format!("rust-bfi: option 'diff' needs option 'like'; {valid_for_frequencies}")
        );
        for wrong in ["like=13", "like=", "like=x", "like=19=20"] {
            assert_eq!(
                error(&format!("rust-bfi<{wrong}>")),
                format!(
                    "rust-bfi: option '{wrong}' needs an LLVM version, {}; {valid_for_frequencies}",
                    Dialect::versions()
                )
            );
        }
        assert_eq!(
            error("rust-bfi<like>"),
            format!("rust-bfi: unknown option 'like'; {valid_for_frequencies}")
        );
        assert_eq!(
            error("rust-bfi<like=19;like=22>"),
            format!("rust-bfi: option 'like=22' is given twice; {valid_for_frequencies}")
        );
        assert_eq!(
            error("rust-bpi<annotate;like=19>"),
            format!("rust-bpi: option 'like=19' does not go with option 'annotate'; {valid}")
        );
        assert_eq!(
            error("rust-bpi<explain;annotate>"),
            format!("rust-bpi: option 'explain' does not go with option 'annotate'; {valid}")
        );
        assert_eq!(
            error("rust-bfi<explain;like=19;diff>"),
            format!("rust-bfi: option 'diff' does not go with option 'explain'; {valid_for_frequencies}")
        );
        let none = "rust-lower-expect: unknown option 'hot'; it has no options";
        assert_eq!(error("rust-lower-expect<hot>"), none);
        assert_eq!(error("print<rust-bpi;hot>"), "print<rust-bpi>: unknown option 'hot'; it has no options");
        assert_eq!(error("print<rust-bpi;>"), "print<rust-bpi>: unknown option ''; it has no options");
        for open in ["rust-bpi<annotate", "rust-bpi<<annotate>>", "print<rust-bpi", "rust-bpi<"] {
            assert!(error(open).contains("one pair of angle brackets"), "{open}");
        }
    }
}
