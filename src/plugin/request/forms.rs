//! Reads what each form of an element takes: what there is to print, where to, and as whose answers.

use super::model::{Analysis, Features, Form, Hints, Output, Print, Remarks, Score};
use super::options::{OptionError, Options};
use super::predictors;
use bpa_core::bfi::FrequencyMethod;
use bpa_core::bpi::Probability;
use bpa_core::dialect::Dialect;

impl Print {
    pub(super) fn from_options(analysis: Analysis, options: &Options<'_>) -> Result<Self, OptionError> {
        let method = method(options);
        let form = Form::from_options(options)?;
        if method == FrequencyMethod::Llvm && !options.has("predictor") {
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
    pub(super) fn from_options(options: &Options<'_>) -> Result<Self, OptionError> {
        options.keep_apart(&["explain", "features", "hints", "diff", "check"], "score")?;
        let json = options.has("json");
        let predictor = predictors::chosen(options)?;
        Ok(Score { json, like: like(options)?, predictor, output: output(options)? })
    }
}

impl Hints {
    /// So many hints are told unless another number is asked for.
    const MOST: usize = 20;

    pub(super) fn from_options(options: &Options<'_>) -> Result<Self, OptionError> {
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
    pub(super) fn from_options(options: &Options<'_>) -> Result<Self, OptionError> {
        options.keep_apart(&["explain", "json", "hints", "predictor", "diff", "check"], "features")?;
        Ok(Features { like: like(options)?, output: output(options)? })
    }
}

impl Remarks {
    pub(super) fn from_options(analysis: Analysis, options: &Options<'_>) -> Result<Self, OptionError> {
        let others =
            ["explain", "json", "dot", "score", "features", "hints", "diff", "check", "append", "output"];
        options.keep_known_apart(&others, "remarks")?;
        let at_least = if options.knows("at-least") { at_least(options)? } else { Probability::ZERO };
        Ok(Remarks {
            analysis,
            at_least,
            most: most(options)?,
            method: method(options),
            like: like(options)?,
            predictor: predictors::chosen(options)?,
        })
    }
}

/// How frequencies are to be worked out.
fn method(options: &Options<'_>) -> FrequencyMethod {
    match options.gives("exact") {
        true => FrequencyMethod::Exact,
        false => FrequencyMethod::Llvm,
    }
}

/// How sure `at-least=N%` has a branch be.
pub(super) fn at_least(options: &Options<'_>) -> Result<Probability, OptionError> {
    Ok(options.value("at-least", "a share from 0% to 100%", percent)?.unwrap_or_default())
}

/// How many `limit=N` lets be told.
fn most(options: &Options<'_>) -> Result<Option<usize>, OptionError> {
    Ok(options.number("limit", 1..=u32::MAX)?.map(|most| most as usize))
}

/// A share in whole percent, written in one way: no `+`, no leading zeros.
pub(super) fn percent(text: &str) -> Option<Probability> {
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
    pub(super) fn from_options(options: &Options<'_>) -> Result<Self, OptionError> {
        let mut chosen: Option<(&str, Form)> = None;
        for (name, form) in Self::OPTIONAL.into_iter().filter(|(name, _)| options.gives(name)) {
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
