//! What a pipeline element asks for.
//!
//! An element is one of our names, possibly with options (`rust-bpi`, `rust-bpi<annotate>`), or one of LLVM's
//! wrappers around an analysis name (`print<rust-bpi>`).

use super::options::{OptionError, Options};

/// A pipeline element of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Print the result.
    Print(Analysis),
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
            "rust-bfi" => {
                let plain = Options::parse(name, options, &[]);
                Some(plain.map(|_| Request::Print(Analysis::Frequencies)))
            }
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
            Request::Annotate(_) => "rust-bpi<annotate>",
            Request::LowerExpect => "rust-lower-expect",
        }
    }

    fn parse_probabilities(name: &str, options: Option<&str>) -> Result<Request, OptionError> {
        let options = Options::parse(name, options, &["annotate", "overwrite", "skip-even"])?;
        options.require("annotate")?;
        if !options.has("annotate") {
            return Ok(Request::Print(Analysis::Probabilities));
        }
        let (overwrite, skip_even) = (options.has("overwrite"), options.has("skip-even"));
        Ok(Request::Annotate(Annotate { overwrite, skip_even }))
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
    fn errors_name_what_is_wrong_and_what_would_be_right() {
        let valid = "valid options are: annotate, overwrite, skip-even";
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
        assert_eq!(error("rust-bfi<hot>"), "rust-bfi: unknown option 'hot'; it has no options");
        let none = "rust-lower-expect: unknown option 'hot'; it has no options";
        assert_eq!(error("rust-lower-expect<hot>"), none);
        assert_eq!(error("print<rust-bpi;hot>"), "print<rust-bpi>: unknown option 'hot'; it has no options");
        assert_eq!(error("print<rust-bpi;>"), "print<rust-bpi>: unknown option ''; it has no options");
        for open in ["rust-bpi<annotate", "rust-bpi<<annotate>>", "print<rust-bpi", "rust-bpi<"] {
            assert!(error(open).contains("one pair of angle brackets"), "{open}");
        }
    }
}
