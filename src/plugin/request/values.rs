//! Reads the values of options. The table of options defines the valid values.

use std::sync::Arc;

use super::model::{Degree, RequestOptions};
use super::options::{name, number, OptionError, Options};
use super::predictors;
use super::table::{OptionSpec, Value};
use crate::plugin::output::{Output, OutputKind};
use bpa_core::bfi::FrequencyMethod;
use bpa_core::bpi::Probability;
use bpa_core::dialect::Dialect;
use bpa_core::Predictor;

impl Value {
    /// A description of the valid values, for messages.
    pub fn meaning(&self) -> String {
        match self {
            Value::None => "no value".to_string(),
            Value::Percent(range) => {
                format!("a whole percentage from {}% to {}%", range.start(), range.end())
            }
            Value::Number(range) => format!("a number from {} to {}", range.start(), range.end()),
            Value::Word(words) => match words {
                [words @ .., last] if !words.is_empty() => format!("{} or {last}", words.join(", ")),
                words => words.join(", "),
            },
            Value::Version => format!("an LLVM version from {}", Dialect::versions()),
            Value::Predictor => format!("{}, or the name of a file", Predictor::names()),
            Value::File => "the name of a file".to_string(),
            Value::Function => "the name of a function".to_string(),
        }
    }
}

impl Options<'_> {
    /// The values of all options. `limit` is the default of the option with this name. If `writes_pictures` is true,
    /// the output is a directory.
    pub(super) fn values(
        &self,
        limit: Option<usize>,
        writes_pictures: bool,
    ) -> Result<RequestOptions, OptionError> {
        Ok(RequestOptions {
            overwrite: self.gives("overwrite"),
            skip_even: self.gives("skip-even"),
            complete: self.gives("complete"),
            at_least: self.percent("at-least=N%")?.unwrap_or_default(),
            write: self.read("write=KIND", |_, name| Degree::named(name))?.unwrap_or_default(),
            method: if self.gives("exact") { FrequencyMethod::Exact } else { FrequencyMethod::Llvm },
            function: self.read("explain=NAME", |_, name| text(name))?,
            json: self.gives("json"),
            limit: self.limit()?.or(limit),
            like: self.read("like=N", |_, name| Dialect::named(name))?,
            predictor: self.predictor()?,
            profile: self.read("profile=FILE", |_, name| text(name))?,
            instrumented: self.read("instrumented=FILE", |_, name| text(name))?,
            fail_above: self.read("fail-above=N%", percentage)?,
            output: self.output(writes_pictures)?,
        })
    }

    /// Returns the value of an option. `spelling` is the name of the option in the table, for example `like=N`. The
    /// result is `None` if the pass does not have the option, or if the option is not given.
    fn read<T>(
        &self,
        spelling: &str,
        read: impl FnOnce(&Value, &str) -> Option<T>,
    ) -> Result<Option<T>, OptionError> {
        let OptionSpec { value, .. } = OptionSpec::find(spelling);
        if !self.gives(spelling) {
            return Ok(None);
        }
        self.value(name(spelling), &value.meaning(), |text| read(value, text))
    }

    /// Returns the value of an option that takes a percentage. The percentage must be a whole number.
    fn percent(&self, spelling: &str) -> Result<Option<Probability>, OptionError> {
        Ok(self.read(spelling, percentage)?.map(|percent| Probability::ratio(percent, 100)))
    }

    fn limit(&self) -> Result<Option<usize>, OptionError> {
        self.read("limit=N", |value, text| {
            let Value::Number(range) = value else { return None };
            Some(number(text, range)? as usize)
        })
    }

    /// The predictor of `predictor=NAME|FILE`. `None` means LLVM's rules.
    fn predictor(&self) -> Result<Option<Arc<Predictor>>, OptionError> {
        let given = self.read("predictor=NAME|FILE", |_, name| text(name))?;
        given.as_deref().map_or(Ok(None), predictors::load)
    }

    /// The file or directory of `output=FILE`. If `append` is given, the file is opened for appending.
    fn output(&self, is_directory: bool) -> Result<Option<Output>, OptionError> {
        if is_directory && self.gives("output=FILE") {
            let directory = |name: &str| Output::new(name, OutputKind::Directory);
            return self.value("output", "the name of a directory", directory);
        }
        let kind = if self.gives("append") { OutputKind::Appended } else { OutputKind::File };
        self.read("output=FILE", |_, name| Output::new(name, kind))
    }
}

/// Parses a whole percentage.
fn percentage(value: &Value, text: &str) -> Option<u32> {
    let Value::Percent(range) = value else { return None };
    number(text.strip_suffix('%')?, range)
}

/// Copies `text`, unless it is empty.
fn text(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_string())
}
