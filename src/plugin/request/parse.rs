//! Reads a pipeline element.
//!
//! An element is one of our names, possibly with options (`rust-bpi`, `rust-bpi<annotate>`), or one of LLVM's
//! wrappers around an analysis name (`print<rust-bpi>`).

use std::ops::RangeInclusive;

use super::model::{
    Analysis, Annotate, AnnotateHeaders, Features, Form, Hints, Output, Print, Remarks, Request, Score,
};
use super::options::{OptionError, Options};
use super::predictors;
use bpa_core::bfi::FrequencyMethod;
use bpa_core::bpi::Probability;
use bpa_core::dialect::Dialect;

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
                "most=N",
                "like=N",
                "predictor=WHOSE",
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
                "predictor=WHOSE",
                "diff",
                "check",
                "append",
                "output=FILE",
            ],
            Analysis::Bias => &["like=N", "predictor=WHOSE", "diff", "append", "output=FILE"],
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|analysis| analysis.name() == name)
    }
}

impl Print {
    fn from_options(analysis: Analysis, options: &Options<'_>) -> Result<Self, OptionError> {
        let is_exact = options.knows("exact") && options.has("exact");
        let method = if is_exact { FrequencyMethod::Exact } else { FrequencyMethod::Llvm };
        let form = Form::from_options(options)?;
        if !is_exact && !options.has("predictor") {
            options.require(&["diff"], "like")?;
        }
        let like = like(options)?;
        let predictor = predictors::chosen(options)?;
        let output = match form {
            Form::Dot => {
                options.keep_apart(&["append"], "dot")?;
                options.value("output", "the name of a directory", |name| {
                    Output::named(name).filter(|directory| !directory.is_stdout())
                })?
            }
            _ => output(options)?,
        };
        Ok(Print { analysis, form, method, like, predictor, output })
    }
}

impl Score {
    fn from_options(options: &Options<'_>) -> Result<Self, OptionError> {
        options.keep_apart(&["explain", "features", "hints", "diff", "check"], "score")?;
        let json = options.has("json");
        let predictor = predictors::chosen(options)?;
        Ok(Score { json, like: like(options)?, predictor, output: output(options)? })
    }
}

impl Hints {
    /// So many hints are told unless another number is asked for.
    const MOST: usize = 20;

    fn from_options(options: &Options<'_>) -> Result<Self, OptionError> {
        options.keep_apart(&["explain", "diff", "check"], "hints")?;
        Ok(Hints {
            json: options.has("json"),
            most: most(options)?.unwrap_or(Self::MOST),
            like: like(options)?,
            predictor: predictors::chosen(options)?,
            output: output(options)?,
        })
    }
}

impl Features {
    fn from_options(options: &Options<'_>) -> Result<Self, OptionError> {
        options.keep_apart(&["explain", "json", "hints", "predictor", "diff", "check"], "features")?;
        Ok(Features { like: like(options)?, output: output(options)? })
    }
}

impl Remarks {
    fn from_options(analysis: Analysis, options: &Options<'_>) -> Result<Self, OptionError> {
        let others =
            ["explain", "json", "dot", "score", "features", "hints", "diff", "check", "append", "output"];
        let others: Vec<&str> = others.into_iter().filter(|other| options.knows(other)).collect();
        options.keep_apart(&others, "remarks")?;
        let is_exact = options.knows("exact") && options.has("exact");
        let at_least = if options.knows("at-least") { at_least(options)? } else { Probability::ZERO };
        Ok(Remarks {
            analysis,
            at_least,
            most: most(options)?,
            method: if is_exact { FrequencyMethod::Exact } else { FrequencyMethod::Llvm },
            like: like(options)?,
            predictor: predictors::chosen(options)?,
        })
    }
}

/// How sure `at-least=N%` has a branch be.
fn at_least(options: &Options<'_>) -> Result<Probability, OptionError> {
    Ok(options.value("at-least", "a share from 0% to 100%", percent)?.unwrap_or_default())
}

/// How many `most=N` lets be told.
fn most(options: &Options<'_>) -> Result<Option<usize>, OptionError> {
    Ok(options.number("most", 1..=u32::MAX)?.map(|most| most as usize))
}

/// What weights may be raised to: a side is likelier, and none is ruled out.
const RAISED: RangeInclusive<Probability> = Probability::ratio(51, 100)..=Probability::ratio(99, 100);

/// A share in whole percent, written in one way: no `+`, no leading zeros.
fn percent(text: &str) -> Option<Probability> {
    let number = text.strip_suffix('%')?;
    let percent: u32 = number.parse().ok()?;
    (percent <= 100 && percent.to_string() == number).then(|| Probability::ratio(percent, 100))
}

/// The version that `like=N` names.
pub(super) fn like(options: &Options<'_>) -> Result<Option<&'static Dialect>, OptionError> {
    let meaning = format!("an LLVM version, {}", Dialect::versions());
    options.value("like", &meaning, Dialect::named)
}

/// The file that `output=FILE` names.
pub(super) fn output(options: &Options<'_>) -> Result<Option<Output>, OptionError> {
    options.require(&["append"], "output")?;
    let output = options.value("output", "the name of a file", Output::named)?;
    Ok(if options.has("append") { output.map(Output::appended) } else { output })
}

impl Form {
    /// The forms that options ask for.
    const OPTIONAL: [(&'static str, Form); 4] =
        [("explain", Form::Explained), ("json", Form::Json), ("dot", Form::Dot), ("diff", Form::Difference)];

    /// The form that is asked for: one at most, but that data may have reasons.
    fn from_options(options: &Options<'_>) -> Result<Self, OptionError> {
        let mut chosen: Option<(&str, Form)> = None;
        let is_given = |name: &str| options.knows(name) && options.has(name);
        for (name, form) in Self::OPTIONAL.into_iter().filter(|(name, _)| is_given(name)) {
            chosen = match (chosen, form) {
                (Some((_, Form::Explained)), Form::Json) => Some((name, Form::ExplainedJson)),
                (Some((other, _)), _) => {
                    options.keep_apart(&[name], other)?;
                    chosen
                }
                (None, _) => Some((name, form)),
            };
        }
        Ok(chosen.map_or(Form::Plain, |(_, form)| form))
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
            "raise=N%",
            "explain",
            "json",
            "score",
            "features",
            "hints",
            "remarks",
            "most=N",
            "like=N",
            "predictor=WHOSE",
            "diff",
            "check",
            "append",
            "output=FILE",
        ];
        let options = Options::parse(name, options, valid)?;
        let printing = [
            "explain", "json", "score", "features", "hints", "remarks", "most", "like", "diff", "check",
            "output", "append",
        ];
        options.keep_apart(&printing, "annotate")?;
        options.require(&["overwrite", "skip-even", "raise"], "annotate")?;
        if options.has("annotate") {
            return Ok(Request::Annotate(Annotate {
                overwrite: options.has("overwrite"),
                skip_even: options.has("skip-even"),
                at_least: at_least(&options)?,
                raise: options.value("raise", "a share from 51% to 99%", |text| {
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
            options.require(&["most"], "remarks")?;
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
            "most=N",
            "like=N",
            "predictor=WHOSE",
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
            "most",
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
        options.require(&["most"], "remarks")?;
        Self::look(Analysis::Frequencies, &options)
    }

    fn parse_print(analysis: Analysis, name: &str, options: Option<&str>) -> Result<Request, OptionError> {
        Self::look(analysis, &Options::parse(name, options, analysis.print_options())?)
    }

    /// Printing, or comparing with the host, of which nothing is printed.
    fn look(analysis: Analysis, options: &Options<'_>) -> Result<Request, OptionError> {
        if options.knows("hints") {
            options.require(&["most"], "hints")?;
        }
        if options.knows("score") && options.has("score") {
            return Score::from_options(options).map(Request::Score);
        }
        if options.knows("features") && options.has("features") {
            return Features::from_options(options).map(Request::Features);
        }
        if options.knows("hints") && options.has("hints") {
            return Hints::from_options(options).map(Request::Hints);
        }
        if options.knows("check") && options.has("check") {
            let others = ["exact", "explain", "json", "dot", "like", "predictor", "diff", "output", "append"];
            let others: Vec<&str> = others.into_iter().filter(|other| options.knows(other)).collect();
            options.keep_apart(&others, "check")?;
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
        let options = Options::parse(pass, options, &["predictor=WHOSE"])?;
        Ok(match predictors::chosen(&options)? {
            Some(predictor) => Request::Compute(analysis, predictor),
            None => Request::Require(analysis),
        })
    }
}

#[cfg(test)]
mod properties;

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bpa_core::predictor::Predictor;

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
            assert_eq!(parsed(name), Request::Print(Print::plain(analysis)));
            assert_eq!(parsed(&format!("{name}<>")), Request::Print(Print::plain(analysis)));
            assert_eq!(parsed(&format!("print<{name}>")), Request::Print(Print::plain(analysis)));
            assert_eq!(parsed(&format!("require<{name}>")), Request::Require(analysis));
            assert_eq!(parsed(&format!("invalidate<{name}>")), Request::Invalidate(analysis));
        }
        assert_eq!(parsed("print<rust-bias>"), Request::Print(Print::plain(Analysis::Bias)));
        let others = ["rust-bpix", "require<rust-bias>", "print", "print<branch-prob>", "verify"];
        for other in others.into_iter().chain(["verify<rust-bpi>", "print<>", "print<rust-bpi2>", ""]) {
            assert_eq!(Request::parse(other), None, "{other}");
        }
    }

    #[test]
    fn what_can_only_be_printed_says_how() {
        for element in ["rust-bias", "rust-bias<like=19>"] {
            assert_eq!(error(element), "rust-bias: it can only be printed; did you mean print<rust-bias>?");
        }
    }

    /// Who reads a message looks for what was typed.
    #[test]
    fn passes_are_named_as_they_are_typed() {
        for element in
            ["rust-bpi", "rust-bfi", "rust-bpi<annotate>", "rust-bfi<annotate>", "rust-lower-expect"]
        {
            assert_eq!(parsed(element).name(), element);
        }
        assert_eq!(parsed("rust-bpi<check>").name(), "rust-bpi<check>");
        assert_eq!(parsed("print<rust-bfi;check>").name(), "rust-bfi<check>");
        assert_eq!(parsed("print<rust-bias>").name(), "rust-bias");
        assert_eq!(parsed("require<rust-bfi>").name(), "rust-bfi");
        assert_eq!(parsed("rust-bfi<like=18>").name(), "rust-bfi");
    }

    #[test]
    fn comparing_takes_no_other_option() {
        for name in ["rust-bpi<check>", "print<rust-bpi;check>"] {
            assert_eq!(parsed(name), Request::Check(Analysis::Probabilities));
        }
        for name in ["rust-bfi<check>", "print<rust-bfi;check>"] {
            assert_eq!(parsed(name), Request::Check(Analysis::Frequencies));
        }
        for other in ["exact", "explain", "json", "dot", "like=19", "diff", "output=x"] {
            assert_eq!(
                error(&format!("rust-bfi<{other};check>")),
                format!(
                    "rust-bfi: option '{other}' does not go with option 'check'; \
                     valid options are: annotate, overwrite, exact, explain, json, dot, remarks, most=N, like=N, predictor=WHOSE, diff, check, append, output=FILE"
                )
            );
        }
        assert!(error("print<rust-bias;check>").contains("unknown option 'check'"));
    }

    #[test]
    fn annotating_takes_its_options_in_any_order() {
        let annotate = |overwrite, skip_even, percent| {
            let at_least = Probability::ratio(percent, 100);
            Request::Annotate(Annotate { overwrite, skip_even, at_least, raise: None, predictor: None })
        };
        assert_eq!(parsed("rust-bpi<annotate>"), annotate(false, false, 0));
        assert_eq!(parsed("rust-bpi<annotate;overwrite>"), annotate(true, false, 0));
        assert_eq!(parsed("rust-bpi<skip-even;overwrite;annotate>"), annotate(true, true, 0));
        assert_eq!(parsed("rust-bpi<at-least=100%;skip-even;annotate>"), annotate(false, true, 100));
        for wrong in ["", "80", "101%", "-1%", "080%", "+80%", "80%%", "80.5%", " 80%", "%", "4294967376%"] {
            let message = error(&format!("rust-bpi<annotate;at-least={wrong}>"));
            assert!(message.contains("needs a share from 0% to 100%"), "{message}");
        }
        for (percent, text) in [(51, "51%"), (99, "99%")] {
            let raised = Annotate { raise: Some(Probability::ratio(percent, 100)), ..Annotate::default() };
            assert_eq!(parsed(&format!("rust-bpi<raise={text};annotate>")), Request::Annotate(raised));
        }
        for wrong in ["", "50%", "100%", "0%", "85"] {
            let message = error(&format!("rust-bpi<annotate;raise={wrong}>"));
            assert!(message.contains("needs a share from 51% to 99%"), "{message}");
        }
        assert!(error("rust-bpi<raise=85%>").contains("option 'raise=85%' needs option 'annotate'"));
        assert!(error("rust-bpi<at-least=80%>").contains("option 'at-least=80%' needs option 'annotate'"));
    }

    #[test]
    fn headers_are_annotated_apart_from_branches() {
        let annotate = |overwrite| Request::AnnotateHeaders(AnnotateHeaders { overwrite });
        assert_eq!(parsed("rust-bfi<annotate>"), annotate(false));
        assert_eq!(parsed("rust-bfi<overwrite;annotate>"), annotate(true));
        assert!(error("print<rust-bfi;annotate>").contains("unknown option 'annotate'"));
        assert!(error("rust-bfi<overwrite>").contains("option 'overwrite' needs option 'annotate'"));
    }

    /// Beside the form and the version, and instead of another version to compare with.
    #[test]
    fn the_method_goes_with_every_form() {
        let plain = Print::plain(Analysis::Frequencies);
        let exact = |form, like| {
            Request::Print(Print { form, like, method: FrequencyMethod::Exact, ..plain.clone() })
        };
        assert_eq!(parsed("rust-bfi<exact>"), exact(Form::Plain, None));
        assert_eq!(parsed("print<rust-bfi;exact;json>"), exact(Form::Json, None));
        assert_eq!(parsed("rust-bfi<dot;exact>"), exact(Form::Dot, None));
        assert_eq!(parsed("rust-bfi<diff;exact>"), exact(Form::Difference, None));
        assert_eq!(parsed("rust-bfi<like=22;exact;explain>"), exact(Form::Explained, Dialect::named("22")));
        assert!(error("rust-bpi<exact>").contains("unknown option 'exact'"));
        assert!(error("print<rust-bias;exact>").contains("unknown option 'exact'"));
    }

    #[test]
    fn lowering_is_no_analysis() {
        assert_eq!(parsed("rust-lower-expect"), Request::LowerExpect);
        assert_eq!(parsed("rust-lower-expect<>"), Request::LowerExpect);
        assert_eq!(Request::parse("print<rust-lower-expect>"), None);
    }

    #[test]
    fn other_versions_are_named_by_their_number() {
        let like = Dialect::named("19");
        assert!(like.is_some());
        let of = |analysis, form| Request::Print(Print { form, like, ..Print::plain(analysis) });
        assert_eq!(parsed("rust-bpi<like=19>"), of(Analysis::Probabilities, Form::Plain));
        assert_eq!(parsed("rust-bfi<diff;like=19>"), of(Analysis::Frequencies, Form::Difference));
        assert_eq!(parsed("rust-bfi<like=19;explain>"), of(Analysis::Frequencies, Form::Explained));
        assert_eq!(parsed("rust-bfi<json;like=19>"), of(Analysis::Frequencies, Form::Json));
    }

    #[test]
    fn printers_take_options_under_either_name() {
        let request = |analysis, form, file| {
            Request::Print(Print { form, output: Output::named(file), ..Print::plain(analysis) })
        };
        let json = request(Analysis::Probabilities, Form::Json, "a b=c.json");
        assert_eq!(parsed("rust-bpi<json;output=a b=c.json>"), json);
        assert_eq!(parsed("print<rust-bpi;output=a b=c.json;json>"), json);
        assert_eq!(parsed("rust-bfi<explain>"), request(Analysis::Frequencies, Form::Explained, ""));
        assert_eq!(parsed("print<rust-bfi;dot>"), request(Analysis::Frequencies, Form::Dot, ""));
        assert_eq!(parsed("print<rust-bias;output=x>"), request(Analysis::Bias, Form::Plain, "x"));
    }

    #[test]
    fn scoring_prints_a_table_or_data() {
        let score = |json, like, output| Request::Score(Score { json, like, predictor: None, output });
        for name in ["rust-bpi<score>", "print<rust-bpi;score>"] {
            assert_eq!(parsed(name), score(false, None, None));
        }
        assert_eq!(parsed("rust-bpi<score>").name(), "rust-bpi<score>");
        let file = Output::named("a.json");
        assert_eq!(
            parsed("rust-bpi<json;output=a.json;score;like=19>"),
            score(true, Dialect::named("19"), file.clone())
        );
        let added = file.map(Output::appended);
        assert_eq!(parsed("rust-bpi<score;append;json;output=a.json>"), score(true, None, added));
        for other in ["explain", "diff", "check"] {
            let message = error(&format!("rust-bpi<score;{other}>"));
            assert!(
                message.contains(&format!("option '{other}' does not go with option 'score'")),
                "{message}"
            );
        }
        assert!(error("rust-bfi<score>").contains("unknown option 'score'"));
    }

    #[test]
    fn remarks_may_be_few() {
        let plain = Remarks {
            analysis: Analysis::Probabilities,
            at_least: Probability::ZERO,
            most: None,
            method: FrequencyMethod::Llvm,
            like: None,
            predictor: None,
        };
        assert_eq!(parsed("rust-bpi<remarks>"), Request::Remarks(plain.clone()));
        assert_eq!(parsed("rust-bpi<remarks>").name(), "rust-bpi<remarks>");
        let few = Remarks { at_least: Probability::ratio(9, 10), most: Some(3), ..plain.clone() };
        assert_eq!(parsed("rust-bpi<most=3;remarks;at-least=90%>"), Request::Remarks(few));
        let like = Dialect::named("19");
        let exact =
            Remarks { analysis: Analysis::Frequencies, method: FrequencyMethod::Exact, like, ..plain };
        assert_eq!(parsed("rust-bfi<exact;remarks;like=19>"), Request::Remarks(exact));
        assert_eq!(parsed("rust-bfi<remarks>").name(), "rust-bfi<remarks>");
        for wrong in ["0", "", "x", "+1", "01", "-1", "4294967296"] {
            let message = error(&format!("rust-bfi<remarks;most={wrong}>"));
            assert!(message.contains("needs a number from 1 to 4294967295"), "{message}");
        }
        for analysis in ["rust-bpi", "rust-bfi"] {
            let message = error(&format!("{analysis}<most=3>"));
            assert!(message.contains("option 'most=3' needs option 'remarks'"), "{message}");
            for other in ["annotate", "explain", "json", "diff", "check", "output=x"] {
                let message = error(&format!("{analysis}<remarks;{other}>"));
                assert!(message.contains("does not go with option"), "{message}");
            }
        }
        assert!(error("rust-bfi<remarks;at-least=90%>").contains("unknown option 'at-least=90%'"));
        assert!(error("print<rust-bpi;remarks>").contains("unknown option 'remarks'"));
    }

    #[test]
    fn hints_are_the_costliest() {
        let hints = |json, most| Hints { json, most, like: None, predictor: None, output: None };
        assert_eq!(parsed("rust-bpi<hints>"), Request::Hints(hints(false, 20)));
        assert_eq!(parsed("rust-bpi<hints>").name(), "rust-bpi<hints>");
        assert_eq!(parsed("print<rust-bpi;most=5;json;hints>"), Request::Hints(hints(true, 5)));
        let file = Hints { output: Output::named("x"), like: Dialect::named("19"), ..hints(false, 20) };
        assert_eq!(parsed("rust-bpi<like=19;hints;output=x>"), Request::Hints(file));
        assert!(error("rust-bpi<hints;most=0>").contains("needs a number from 1 to 4294967295"));
        assert!(error("print<rust-bpi;most=5>").contains("option 'most=5' needs option 'hints'"));
        assert!(error("rust-bfi<hints>").contains("unknown option 'hints'"));
        for other in ["explain", "score", "features", "remarks", "diff", "check", "annotate"] {
            let message = error(&format!("rust-bpi<hints;{other}>"));
            assert!(message.contains("does not go with option"), "{message}");
        }
    }

    #[test]
    fn predictors_that_come_along_go_by_their_names() {
        let predictor = |name| Predictor::named(name).map(Arc::new);
        assert_eq!(parsed("rust-bfi<predictor=llvm>"), Request::Print(Print::plain(Analysis::Frequencies)));
        for name in Predictor::names().split(", ").filter(|name| *name != "llvm") {
            let expected = Print { predictor: predictor(name), ..Print::plain(Analysis::Probabilities) };
            assert_eq!(parsed(&format!("rust-bpi<predictor={name}>")), Request::Print(expected));
            let expected = Annotate { predictor: predictor(name), ..Annotate::default() };
            assert_eq!(parsed(&format!("rust-bpi<annotate;predictor={name}>")), Request::Annotate(expected));
        }
        assert!(error("rust-bpi<predictor=>").contains("option 'predictor=' needs llvm"));
        assert_eq!(
            error("rust-bpi<predictor=no/such.toml>"),
            "cannot read predictor 'no/such.toml': No such file or directory (os error 2)"
        );
        assert!(error("rust-bpi<check;predictor=llvm>").contains("does not go with option 'check'"));
    }

    #[test]
    fn what_is_added_is_added_to_a_file() {
        assert!(error("rust-bpi<append>").contains("option 'append' needs option 'output'"));
        let message = error("rust-bfi<dot;append;output=x>");
        assert!(message.contains("option 'append' does not go with option 'dot'"), "{message}");
        let Request::Print(print) = parsed("print<rust-bias;append;output=x>") else { panic!("it prints") };
        assert!(print.output.expect("a file").keeps_content());
    }

    #[test]
    fn one_form_at_a_time_but_data_with_reasons() {
        let explained = Print { form: Form::ExplainedJson, ..Print::plain(Analysis::Probabilities) };
        assert_eq!(parsed("rust-bpi<json;explain>"), Request::Print(explained.clone()));
        assert_eq!(parsed("print<rust-bpi;explain;json>"), Request::Print(explained));
        for (one, other) in [("dot", "explain"), ("dot", "json"), ("diff", "json")] {
            assert_eq!(
                error(&format!("print<rust-bfi;like=19;{one};{other}>")),
                format!(
                    "print<rust-bfi>: option '{one}' does not go with option '{other}'; \
                     valid options are: exact, explain, json, dot, like=N, predictor=WHOSE, diff, check, append, output=FILE"
                )
            );
        }
    }

    #[test]
    fn errors_name_what_is_wrong_and_what_would_be_right() {
        let valid =
            "valid options are: annotate, overwrite, skip-even, at-least=N%, raise=N%, explain, json, score, features, hints, remarks, most=N, like=N, predictor=WHOSE, diff, check, \
                     append, output=FILE";
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
        let valid_for_frequencies =
            "valid options are: annotate, overwrite, exact, explain, json, dot, remarks, most=N, like=N, predictor=WHOSE, diff, \
                                     check, append, output=FILE";
        assert_eq!(
            error("rust-bfi<hot>"),
            format!("rust-bfi: unknown option 'hot'; {valid_for_frequencies}")
        );
        assert_eq!(
            error("rust-bfi<diff>"),
            format!("rust-bfi: option 'diff' needs option 'like'; {valid_for_frequencies}")
        );
        for wrong in ["like=13", "like=", "like=x", "like=19=20", "like=+19", "like=019"] {
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
        for printing in ["exact", "explain", "json", "dot", "like=19", "diff", "check", "append", "output=x"]
        {
            assert_eq!(
                error(&format!("rust-bfi<{printing};annotate>")),
                format!(
                    "rust-bfi: option '{printing}' does not go with option 'annotate'; {valid_for_frequencies}"
                )
            );
        }
        for printing in ["explain", "json", "score", "diff", "check", "append", "output=x"] {
            assert_eq!(
                error(&format!("rust-bpi<{printing};annotate>")),
                format!("rust-bpi: option '{printing}' does not go with option 'annotate'; {valid}")
            );
        }
        assert_eq!(
            error("rust-bfi<explain;like=19;diff>"),
            format!("rust-bfi: option 'diff' does not go with option 'explain'; {valid_for_frequencies}")
        );
        let none = "rust-lower-expect: unknown option 'hot'; it has no options";
        assert_eq!(error("rust-lower-expect<hot>"), none);
        let none = "invalidate<rust-bpi>: unknown option 'json'; it has no options";
        assert_eq!(error("invalidate<rust-bpi;json>"), none);
        let valid = "require<rust-bpi>: unknown option 'json'; valid options are: predictor=WHOSE";
        assert_eq!(error("require<rust-bpi;json>"), valid);
        let valid = "valid options are: like=N, predictor=WHOSE, diff, append, output=FILE";
        for wrong in ["json", ""] {
            let expected = format!("print<rust-bias>: unknown option '{wrong}'; {valid}");
            assert_eq!(error(&format!("print<rust-bias;{wrong}>")), expected);
        }
        assert_eq!(
            error("print<rust-bias;output=>"),
            format!("print<rust-bias>: option 'output=' needs the name of a file; {valid}")
        );
        for wrong in ["output=", "output=-"] {
            let message = error(&format!("rust-bfi<dot;{wrong}>"));
            assert!(
                message.contains(&format!("option '{wrong}' needs the name of a directory")),
                "{message}"
            );
        }
        for open in [
            "rust-bpi<annotate",
            "rust-bpi<<annotate>>",
            "print<rust-bpi",
            "rust-bpi<",
            "rust-bpi<output=a>b>",
        ] {
            assert!(error(open).contains("one pair of angle brackets"), "{open}");
        }
    }
}
