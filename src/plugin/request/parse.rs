//! Reads a pipeline element.
//!
//! An element is one of our names, possibly with options (`rust-bpi`, `rust-bpi<annotate>`), or one of LLVM's
//! wrappers around an analysis name (`print<rust-bpi>`).

use std::ops::RangeInclusive;

use super::forms::{at_least, percent};
use super::model::{Analysis, Annotate, AnnotateHeaders, Features, Hints, Print, Remarks, Request, Score};
use super::options::{OptionError, Options};
use super::predictors;
use bpa_core::bpi::Probability;

/// What weights may be raised to: a side is likelier, and none is ruled out.
const RAISED: RangeInclusive<Probability> = Probability::ratio(51, 100)..=Probability::ratio(99, 100);

impl Analysis {
    const ALL: [Analysis; 3] = [Analysis::Probabilities, Analysis::Frequencies, Analysis::Bias];

    /// The options of its printer.
    const fn print_options(self) -> &'static [&'static str] {
        match self {
            Analysis::Probabilities => &[
                "explain",
                "json",
                "score",
                "features",
                "hints",
                "limit=N",
                "like=N",
                "predictor=NAME|FILE",
                "diff",
                "check",
                "append",
                "output=FILE",
            ],
            Analysis::Frequencies => &[
                "exact",
                "explain",
                "json",
                "dot",
                "like=N",
                "predictor=NAME|FILE",
                "diff",
                "check",
                "append",
                "output=FILE",
            ],
            Analysis::Bias => &["like=N", "predictor=NAME|FILE", "diff", "append", "output=FILE"],
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
            "print" | "require" | "invalidate" => Self::parse_wrapped(element, name, options?),
            "rust-bpi" => Some(Self::parse_probabilities(name, options)),
            "rust-bfi" => Some(Self::parse_frequencies(name, options)),
            "rust-bias" => Some(Err(OptionError::OnlyPrinted { pass: "rust-bias" })),
            "rust-lower-expect" => Some(Options::parse(name, options, &[]).map(|_| Request::LowerExpect)),
            _ => None,
        }
    }

    /// Branch probabilities can be written as well as printed.
    fn parse_probabilities(name: &str, options: Option<&str>) -> Result<Request, OptionError> {
        let valid = &[
            "annotate",
            "overwrite",
            "skip-even",
            "at-least=N%",
            "sharpen=N%",
            "explain",
            "json",
            "score",
            "features",
            "hints",
            "remarks",
            "limit=N",
            "like=N",
            "predictor=NAME|FILE",
            "diff",
            "check",
            "append",
            "output=FILE",
        ];
        let options = Options::parse(name, options, valid)?;
        let printing = [
            "explain", "json", "score", "features", "hints", "remarks", "limit", "like", "diff", "check",
            "output", "append",
        ];
        options.keep_apart(&printing, "annotate")?;
        options.require(&["overwrite", "skip-even", "sharpen"], "annotate")?;
        if options.has("annotate") {
            return Ok(Request::Annotate(Annotate {
                overwrite: options.has("overwrite"),
                skip_even: options.has("skip-even"),
                at_least: at_least(&options)?,
                raise: options.value("sharpen", "a share from 51% to 99%", |text| {
                    percent(text).filter(|share| RAISED.contains(share))
                })?,
                predictor: predictors::chosen(&options)?,
            }));
        }
        if options.has("remarks") {
            return Remarks::from_options(Analysis::Probabilities, &options).map(Request::Remarks);
        }
        options.require(&["at-least"], "annotate")?;
        if !options.has("hints") {
            options.require(&["limit"], "remarks")?;
        }
        Self::look(Analysis::Probabilities, &options)
    }

    /// What LLVM needs to have better block frequencies can be written.
    fn parse_frequencies(name: &str, options: Option<&str>) -> Result<Request, OptionError> {
        let valid = &[
            "annotate",
            "overwrite",
            "exact",
            "explain",
            "json",
            "dot",
            "remarks",
            "limit=N",
            "like=N",
            "predictor=NAME|FILE",
            "diff",
            "check",
            "append",
            "output=FILE",
        ];
        let options = Options::parse(name, options, valid)?;
        let others = [
            "exact",
            "explain",
            "json",
            "dot",
            "remarks",
            "limit",
            "like",
            "predictor",
            "diff",
            "check",
            "output",
            "append",
        ];
        options.keep_apart(&others, "annotate")?;
        options.require(&["overwrite"], "annotate")?;
        if options.has("annotate") {
            let overwrite = options.has("overwrite");
            return Ok(Request::AnnotateHeaders(AnnotateHeaders { overwrite }));
        }
        if options.has("remarks") {
            return Remarks::from_options(Analysis::Frequencies, &options).map(Request::Remarks);
        }
        options.require(&["limit"], "remarks")?;
        Self::look(Analysis::Frequencies, &options)
    }

    fn parse_print(analysis: Analysis, name: &str, options: Option<&str>) -> Result<Request, OptionError> {
        Self::look(analysis, &Options::parse(name, options, analysis.print_options())?)
    }

    /// Printing, or comparing with the host, of which nothing is printed.
    fn look(analysis: Analysis, options: &Options<'_>) -> Result<Request, OptionError> {
        if options.knows("hints") {
            options.require(&["limit"], "hints")?;
        }
        if options.gives("score") {
            return Score::from_options(options).map(Request::Score);
        }
        if options.gives("features") {
            return Features::from_options(options).map(Request::Features);
        }
        if options.gives("hints") {
            return Hints::from_options(options).map(Request::Hints);
        }
        if options.gives("check") {
            let others = ["exact", "explain", "json", "dot", "like", "predictor", "diff", "output", "append"];
            options.keep_known_apart(&others, "check")?;
            return Ok(Request::Check(analysis));
        }
        Print::from_options(analysis, options).map(Request::Print)
    }

    /// Reads `wrapper<name>` or `wrapper<name;options>`, of which `rest` follows the bracket.
    fn parse_wrapped(element: &str, wrapper: &str, rest: &str) -> Option<Result<Request, OptionError>> {
        let name = rest.split(['>', ';', '<']).next()?;
        let analysis = Analysis::named(name)?;
        let after = &rest[name.len()..];
        let pass = format!("{}>", element.strip_suffix(after)?);
        let options = match after {
            ">" => None,
            // Nothing behind a semicolon is an option without a name, not an empty list.
            ";>" => Some(after),
            _ => Some(after.strip_prefix(';').unwrap_or("<")),
        };
        let request = match wrapper {
            "print" => return Some(Self::parse_print(analysis, &pass, options)),
            _ if analysis == Analysis::Bias => return None,
            "require" => return Some(Self::parse_require(analysis, &pass, options)),
            _ => Request::Invalidate(analysis),
        };
        Some(Options::parse(&pass, options, &[]).map(|_| request))
    }

    fn parse_require(analysis: Analysis, pass: &str, options: Option<&str>) -> Result<Request, OptionError> {
        let options = Options::parse(pass, options, &["predictor=NAME|FILE"])?;
        Ok(match predictors::chosen(&options)? {
            Some(predictor) => Request::Compute(analysis, predictor),
            None => Request::Require(analysis),
        })
    }
}

#[cfg(test)]
mod properties;

#[cfg(test)]
mod tests;
