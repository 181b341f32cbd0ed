//! Parses options of passes. The options are in angle brackets and separated by semicolons, as for LLVM's own passes.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// An error in a pipeline element that names a pass of a bpa plugin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// The options are not enclosed in a single pair of angle brackets.
    #[error("{pass}: options must be in one pair of angle brackets, separated by semicolons")]
    Brackets {
        /// The name of the pass without options, as the user typed it.
        pass: String,
    },
    /// A pipeline contains an analysis that can only be printed.
    #[error("{pass}: this analysis can only be printed; did you mean print<{pass}>?")]
    OnlyPrinted {
        /// The name of the analysis.
        pass: &'static str,
    },
    /// The pass was deleted.
    #[error("{pass} no longer exists: {instead}")]
    Deleted {
        /// The name of the pass.
        pass: &'static str,
        /// What to use.
        instead: &'static str,
    },
    /// The predictor cannot be read.
    #[error("{problem}")]
    Predictor {
        /// The file, the line, and the expected text.
        problem: String,
    },
    /// An option is invalid.
    #[error("{pass}: {problem}; {valid}")]
    Option {
        /// The name of the pass without options, as the user typed it.
        pass: String,
        /// The option, and the reason why it is invalid.
        problem: OptionProblem,
        /// The valid options of the pass.
        valid: ValidOptions,
    },
}

/// The reason why an option of a pass is invalid. Messages contain the option as the user typed it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionProblem {
    /// The pass has no option of this name.
    #[error("unknown option '{0}'")]
    Unknown(String),
    /// The option was renamed. The second field is the new name.
    #[error("option '{0}' is now '{1}'")]
    Renamed(String, &'static str),
    /// The option was deleted. The second field is a sentence about what to use.
    #[error("option '{0}' no longer exists: {1}")]
    Deleted(String, &'static str),
    /// The option is given twice.
    #[error("option '{0}' is given twice")]
    Doubled(String),
    /// The option has an invalid value. The second field describes the valid values.
    #[error("option '{0}' needs {1}")]
    Value(String, String),
    /// The two options exclude each other.
    #[error("option '{0}' cannot be used with option '{1}'")]
    Apart(String, &'static str),
    /// The first option has no effect without one of the other options.
    #[error("option '{0}' needs option '{1}'")]
    Alone(String, String),
}

/// Options that were renamed after bpa 0.1: the old name and the new name.
const RENAMED: [(&str, &str); 2] = [("most", "limit"), ("degree", "write")];

/// Options of bpa's own passes that were deleted after bpa 0.1: the pass, the option, and what to use.
const DELETED: [(&str, &str, &str); 3] = [
    ("rust-bpi", "hints", "use the command `bpa hints`, which prints hints and patches"),
    ("rust-bpi", "sharpen", NOT_CHANGED),
    ("rust-bpi", "raise", NOT_CHANGED),
];
const NOT_CHANGED: &str = "use `annotate` without it, which writes the predicted probabilities";

/// The valid options of a pass, for error messages. If an option takes a value, `=N` or another placeholder follows its
/// name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidOptions {
    options: Vec<&'static str>,
    /// If this field names an option, `options` contains only the options that can be used with it.
    with: Option<&'static str>,
}

impl fmt::Display for ValidOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = self.options.join(", ");
        match (self.with, self.options.is_empty()) {
            (None, true) => write!(f, "this pass has no options"),
            (None, false) => write!(f, "valid options are: {list}"),
            (Some(option), true) => write!(f, "with '{option}', no other option is valid"),
            (Some(option), false) => write!(f, "with '{option}', valid options are: {list}"),
        }
    }
}

/// The options of one pass, in angle brackets after the name of the pass. All options are valid, and no option occurs
/// twice.
///
/// The methods expect the name of an option, without `=` and without the value. A method panics if the pass has no
/// option with this name. Every error message is one line with the pass, the option as the user typed it, and the valid
/// options.
///
/// ```
/// use bpa::plugin::{OptionError, Options, Preserved, Registry};
/// use bpa::Function;
///
/// fn register(registry: &mut Registry) {
///     registry.add_pass_with("unroll", &["depth=N", "mode=KIND", "verbose"], unroll);
/// }
///
/// #[derive(Clone, Copy)]
/// enum Mode { Full, Partial }
///
/// fn unroll(options: &Options) -> Result<impl Fn(&mut Function) -> Preserved + use<>, OptionError> {
///     let depth = options.number("depth", 1..=8)?.unwrap_or(2_u32);
///     let mode = options.value("mode", "full or partial", |text| match text {
///         "full" => Some(Mode::Full),
///         "partial" => Some(Mode::Partial),
///         _ => None,
///     })?;
///     let verbose = options.has("verbose");
///     Ok(move |function: &mut Function| {
///         if verbose {
///             eprintln!("{}: {depth} deep", function.name());
///         }
///         match mode.unwrap_or(Mode::Full) {
///             Mode::Full => Preserved::Nothing,
///             Mode::Partial => Preserved::All,
///         }
///     })
/// }
/// ```
///
/// For `-passes='unroll<depth=9>'`, the error is "unroll: option 'depth=9' needs a number from 1 to 8; valid options
/// are: depth=N, mode=KIND, verbose".
#[derive(Debug)]
pub struct Options<'a> {
    pass: &'a str,
    given: Vec<&'a str>,
    valid: &'static [&'static str],
}

impl<'a> Options<'a> {
    /// Parses the text after the opening bracket of `pass`. If `pass` has no bracket, `text` is `None`, and the result
    /// has no options.
    pub(in crate::plugin) fn parse(
        pass: &'a str,
        text: Option<&'a str>,
        valid: &'static [&'static str],
    ) -> Result<Self, OptionError> {
        let mut options = Options { pass, given: Vec::new(), valid };
        let Some(text) = text else { return Ok(options) };
        let Some(list) = text.strip_suffix('>').filter(|list| !list.contains(['<', '>'])) else {
            return Err(OptionError::Brackets { pass: pass.to_string() });
        };
        if !list.is_empty() {
            for option in list.split(';') {
                options.add(option)?;
            }
        }
        Ok(options)
    }

    fn add(&mut self, option: &'a str) -> Result<(), OptionError> {
        let find = |wanted: &str| self.valid.iter().copied().find(|known| name(known) == wanted);
        let Some(known) = find(name(option)) else {
            let renamed = RENAMED.iter().find(|(before, _)| *before == name(option));
            let pass = self.pass.trim_start_matches("print<").trim_end_matches('>');
            let deleted = DELETED.iter().find(|(of, old, _)| (*of, *old) == (pass, name(option)));
            let typed = option.to_string();
            return Err(self.error(match (renamed.and_then(|(_, now)| find(now)), deleted) {
                (Some(known), _) => OptionProblem::Renamed(typed, known),
                (None, Some((_, _, instead))) => OptionProblem::Deleted(typed, instead),
                (None, None) => OptionProblem::Unknown(typed),
            }));
        };
        if known.contains('=') != option.contains('=') {
            let wanted =
                if known.contains('=') { format!("a value: {known}") } else { "no value".to_string() };
            return Err(self.error(OptionProblem::Value(option.to_string(), wanted)));
        }
        if self.has(name(option)) {
            return Err(self.error(OptionProblem::Doubled(option.to_string())));
        }
        self.given.push(option);
        Ok(())
    }

    fn error(&self, problem: OptionProblem) -> OptionError {
        let valid = ValidOptions { options: self.valid.to_vec(), with: None };
        OptionError::Option { pass: self.pass.to_string(), problem, valid }
    }

    /// Whether the pass has an option with the name `wanted`.
    fn accepts(&self, wanted: &str) -> bool {
        self.valid.iter().any(|known| name(known) == wanted)
    }

    /// Whether the option `spelling` is given. The result is false if the pass has no option with this spelling.
    pub(super) fn gives(&self, spelling: &str) -> bool {
        self.valid.contains(&spelling) && self.has(name(spelling))
    }

    /// Whether the option `wanted` is given.
    ///
    /// # Panics
    ///
    /// Panics if the pass has no option `wanted`.
    pub fn has(&self, wanted: &str) -> bool {
        self.as_typed(wanted).is_some()
    }

    /// The value of the option `wanted`, as a whole number in `range`. The number must be in Rust's notation, without
    /// `+` or leading zeros. The result is `None` if the option is not given.
    ///
    /// # Errors
    ///
    /// Returns an error if the value is not a number in `range`, or if the number is not in Rust's notation.
    pub fn number<T>(&self, wanted: &str, range: RangeInclusive<T>) -> Result<Option<T>, OptionError>
    where
        T: FromStr + fmt::Display + PartialOrd,
    {
        let meaning = format!("a number from {} to {}", range.start(), range.end());
        self.value(wanted, &meaning, |text| number(text, &range))
    }

    /// The value of an option. `wanted` is the name of the option, and the function `read` parses the value. The result
    /// is `None` if the option is not given. `meaning` describes valid values, for example "the name of a file".
    ///
    /// # Errors
    ///
    /// Returns an error if `read` returns `None`.
    pub fn value<T>(
        &self,
        wanted: &str,
        meaning: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, OptionError> {
        let Some(option) = self.as_typed(wanted) else { return Ok(None) };
        let value = option.split_once('=').and_then(|(_, value)| read(value));
        let problem = || OptionProblem::Value(option.to_string(), meaning.to_string());
        value.map(Some).ok_or_else(|| self.error(problem()))
    }

    /// Checks that one of the options `needed` is given if `option` is given.
    ///
    /// # Errors
    ///
    /// Returns an error if `option` is given without the options in `needed`.
    pub fn require(&self, option: &str, needed: &[&str]) -> Result<(), OptionError> {
        match self.as_typed(option) {
            Some(option) if !needed.iter().any(|needed| self.has(needed)) => {
                Err(self.error(OptionProblem::Alone(option.to_string(), needed.join("' or '"))))
            }
            _ => Ok(()),
        }
    }

    /// Checks that no option of `options` is given together with `other`.
    ///
    /// # Errors
    ///
    /// Returns an error if any of `options` is given together with `other`. The message lists the options of the pass
    /// without `other` and without `options`.
    pub fn keep_apart(&self, options: &[&str], other: &'static str) -> Result<(), OptionError> {
        match options.iter().find_map(|option| self.as_typed(option)) {
            Some(option) if self.has(other) => {
                let is_valid = |known: &&str| name(known) != other && !options.contains(&name(known));
                let remaining = self.valid.iter().copied().filter(is_valid).collect();
                Err(OptionError::Option {
                    pass: self.pass.to_string(),
                    problem: OptionProblem::Apart(option.to_string(), other),
                    valid: ValidOptions { options: remaining, with: Some(other) },
                })
            }
            _ => Ok(()),
        }
    }

    /// Finds the option with the name `wanted`, as the user typed it. If the pass does not accept an option with this
    /// name, the caller has misspelt the name, and the method panics.
    fn as_typed(&self, wanted: &str) -> Option<&'a str> {
        assert!(self.accepts(wanted), "{} has no option called '{wanted}'", self.pass);
        self.given.iter().copied().find(|option| name(option) == wanted)
    }
}

/// Parses a number in Rust's notation, without `+` or leading zeros. Returns `None` if `text` has another form, or if
/// the number is not in `range`.
pub(super) fn number<T>(text: &str, range: &RangeInclusive<T>) -> Option<T>
where
    T: FromStr + fmt::Display + PartialOrd,
{
    text.parse().ok().filter(|number: &T| range.contains(number) && number.to_string() == text)
}

/// The name of an option, without `=` and the value.
pub(in crate::plugin) fn name(option: &str) -> &str {
    option.split_once('=').map_or(option, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(text: &str) -> Options<'_> {
        Options::parse("unroll", Some(text), &["depth=N", "all"]).expect("good options")
    }

    #[test]
    fn numbers_must_be_in_range_and_in_canonical_notation() {
        assert_eq!(options("depth=8>").number("depth", 1..=8_u32), Ok(Some(8)));
        assert_eq!(options("depth=-3>").number("depth", -3..=8_i64), Ok(Some(-3)));
        assert_eq!(options("all>").number("depth", 1..=8_u32), Ok(None));
        for wrong in ["0", "9", "+8", "08", "-1", "", "x", " 8", "8=8", "1e0", "99999999999999999999"] {
            let text = format!("depth={wrong}>");
            let error = options(&text).number("depth", 1..=8_u8).expect_err("no such number");
            assert_eq!(
                error.to_string(),
                format!(
                    "unroll: option 'depth={wrong}' needs a number from 1 to 8; valid options are: depth=N, all"
                )
            );
        }
    }

    #[test]
    fn a_missing_and_an_unexpected_value_are_errors() {
        let problem =
            |text| Options::parse("unroll", Some(text), &["depth=N", "all"]).map(|_| ()).unwrap_err();
        let begins =
            |text, wanted: &str| assert!(problem(text).to_string().starts_with(wanted), "{}", problem(text));
        begins("depth>", "unroll: option 'depth' needs a value: depth=N; valid");
        begins("all=1>", "unroll: option 'all=1' needs no value; valid");
        begins("al>", "unroll: unknown option 'al'; valid");
        begins("most=3>", "unroll: unknown option 'most=3'; valid");
    }

    #[test]
    fn the_error_for_an_old_name_has_the_new_one() {
        let error = Options::parse("unroll", Some("most=3>"), &["limit=N"]).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), "unroll: option 'most=3' is now 'limit=N'; valid options are: limit=N");
    }

    #[test]
    fn the_error_for_two_options_lists_the_options_that_remain_valid() {
        let parse = |valid| Options::parse("unroll", Some("fast;depth=2>"), valid).expect("valid options");
        let error =
            |options: Options<'_>| options.keep_apart(&["depth", "all"], "fast").unwrap_err().to_string();
        let problem = "unroll: option 'depth=2' cannot be used with option 'fast'";
        assert_eq!(
            error(parse(&["depth=N", "all", "fast", "loud"])),
            format!("{problem}; with 'fast', valid options are: loud")
        );
        assert_eq!(
            error(parse(&["depth=N", "all", "fast"])),
            format!("{problem}; with 'fast', no other option is valid")
        );
    }

    #[test]
    #[should_panic(expected = "unroll has no option called 'al'")]
    fn a_misspelt_name_panics() {
        options("all>").has("al");
    }
}
