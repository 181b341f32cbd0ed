//! Reads the values of options. The table of options defines the valid values.

use super::model::{CommonOptions, Output};
use super::options::{name, OptionError, Options};
use super::predictors;
use super::table::{OptionSpec, Value};
use bpa_core::bfi::FrequencyMethod;
use bpa_core::bpi::Probability;
use bpa_core::dialect::Dialect;
use bpa_core::Predictor;

impl Value {
    /// A description of the valid values, for messages.
    pub fn meaning(&self) -> String {
        match self {
            Value::None => "no value".to_string(),
            Value::Percent(range) => format!("a percentage from {}% to {}%", range.start(), range.end()),
            Value::Number(range) => format!("a number from {} to {}", range.start(), range.end()),
            Value::Word(words) => match words {
                [words @ .., last] if !words.is_empty() => format!("{} or {last}", words.join(", ")),
                words => words.join(", "),
            },
            Value::Version => format!("an LLVM version, {}", Dialect::versions()),
            Value::Predictor => format!("{}, or the name of a file", Predictor::names()),
            Value::File => "the name of a file".to_string(),
            Value::Function => "the name of a function".to_string(),
        }
    }
}

impl Options<'_> {
    /// The value of an option that is spelled `spelling` in the table. The result is `None` if the pass does not have
    /// the option, or if the option is not given.
    fn read<T>(
        &self,
        spelling: &str,
        read: impl FnOnce(&Value, &str) -> Option<T>,
    ) -> Result<Option<T>, OptionError> {
        let OptionSpec { value, .. } = OptionSpec::find(spelling);
        if !self.gives(name(spelling)) {
            return Ok(None);
        }
        self.value(name(spelling), &value.meaning(), |text| read(value, text))
    }

    /// The percentage that an option has as its value. The percentage must be a whole number without `+` or leading
    /// zeros.
    pub(super) fn percent(&self, spelling: &str) -> Result<Option<Probability>, OptionError> {
        self.read(spelling, |value, text| {
            let number = text.strip_suffix('%')?;
            let percent: u32 = number.parse().ok()?;
            let is_valid = matches!(value, Value::Percent(range) if range.contains(&percent));
            (is_valid && percent.to_string() == number).then(|| Probability::ratio(percent, 100))
        })
    }

    /// The value of an option that accepts only the words in the table of options.
    pub(super) fn word(&self, spelling: &str) -> Result<Option<&'static str>, OptionError> {
        self.read(spelling, |value, text| match value {
            Value::Word(words) => words.iter().copied().find(|word| *word == text),
            _ => None,
        })
    }

    /// The name of a function that an option has as its value.
    pub(super) fn function(&self, spelling: &str) -> Result<Option<String>, OptionError> {
        self.read(spelling, |_, text| (!text.is_empty()).then(|| text.to_string()))
    }

    /// The value of `limit=N`.
    pub(super) fn limit(&self) -> Result<Option<usize>, OptionError> {
        let limit = self.read("limit=N", |value, text| {
            let number: u32 = text.parse().ok()?;
            let is_valid = matches!(value, Value::Number(range) if range.contains(&number));
            (is_valid && number.to_string() == text).then_some(number)
        })?;
        Ok(limit.map(|limit| limit as usize))
    }

    /// The LLVM version that `like=N` names. `None` means the host's version.
    fn like(&self) -> Result<Option<&'static Dialect>, OptionError> {
        self.read("like=N", |_, text| Dialect::named(text))
    }

    /// The predictor of `predictor=NAME|FILE`. `None` means LLVM's rules.
    pub(super) fn predictor(&self) -> Result<Option<std::sync::Arc<Predictor>>, OptionError> {
        let named = |_: &Value, name: &str| (!name.is_empty()).then(|| name.to_string());
        self.read("predictor=NAME|FILE", named)?.map_or(Ok(None), |name| predictors::load(&name))
    }

    /// The file of `output=FILE`. With the option `append`, the plugin appends to the file.
    pub(super) fn output(&self) -> Result<Option<Output>, OptionError> {
        let output = self.read("output=FILE", |_, name| Output::named(name))?;
        Ok(if self.gives("append") { output.map(Output::appended) } else { output })
    }

    /// The directory of `output=FILE`.
    pub(super) fn output_directory(&self) -> Result<Option<Output>, OptionError> {
        if !self.gives("output") {
            return Ok(None);
        }
        self.value("output", "the name of a directory", |name| {
            Output::named(name).filter(|directory| !directory.is_stdout())
        })
    }

    /// The options that most passes have. The closure `output` parses the option `output=FILE`, which names a file or a
    /// directory.
    pub(super) fn common(
        &self,
        output: impl FnOnce(&Self) -> Result<Option<Output>, OptionError>,
    ) -> Result<CommonOptions, OptionError> {
        let method = if self.gives("exact") { FrequencyMethod::Exact } else { FrequencyMethod::Llvm };
        Ok(CommonOptions { method, like: self.like()?, predictor: self.predictor()?, output: output(self)? })
    }
}
