//! Options in angle brackets, separated by semicolons as LLVM's own parameterised passes have them.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Why a pipeline element with one of our names cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// The angle bracket is not closed, or there is more of it.
    #[error("{pass}: options must stand in one pair of angle brackets, separated by semicolons")]
    Brackets {
        /// The pass as typed, without options.
        pass: String,
    },
    /// The name of an analysis that has no pass by that name alone.
    #[error("{pass}: it can only be printed; did you mean print<{pass}>?")]
    OnlyPrinted {
        /// The name.
        pass: &'static str,
    },
    /// An option that the pass does not have.
    #[error("{pass}: unknown option '{option}'; {valid}")]
    Unknown {
        /// The pass as typed, without options.
        pass: String,
        /// The option as typed.
        option: String,
        /// Which options there are.
        valid: ValidOptions,
    },
    /// An option by the name that it had before.
    #[error("{pass}: option '{option}' is called '{known}'; {valid}")]
    Renamed {
        /// The pass as typed, without options.
        pass: String,
        /// The option as typed.
        option: String,
        /// What it is called.
        known: &'static str,
        /// Which options there are.
        valid: ValidOptions,
    },
    /// An option that is there already.
    #[error("{pass}: option '{option}' is given twice; {valid}")]
    Doubled {
        /// The pass as typed, without options.
        pass: String,
        /// The option as typed.
        option: String,
        /// Which options there are.
        valid: ValidOptions,
    },
    /// An option with a value that it cannot have.
    #[error("{pass}: option '{option}' needs {wanted}; {valid}")]
    Value {
        /// The pass as typed, without options.
        pass: String,
        /// The option as typed.
        option: String,
        /// What would be right.
        wanted: String,
        /// Which options there are.
        valid: ValidOptions,
    },
    /// A predictor that cannot be had: its file, and which line of it, and what was expected.
    #[error("{problem}")]
    Predictor {
        /// All of that.
        problem: String,
    },
    /// Two options that contradict each other.
    #[error("{pass}: option '{option}' does not go with option '{other}'; {valid}")]
    Apart {
        /// The pass as typed, without options.
        pass: String,
        /// The option as typed.
        option: String,
        /// The option that it does not go with.
        other: &'static str,
        /// Which options there are.
        valid: ValidOptions,
    },
    /// An option that means nothing without another.
    #[error("{pass}: option '{option}' needs option '{needed}'; {valid}")]
    Alone {
        /// The pass as typed, without options.
        pass: String,
        /// The option as typed.
        option: String,
        /// The option that is missing.
        needed: &'static str,
        /// Which options there are.
        valid: ValidOptions,
    },
}

/// What options of bpa's own were called through 0.1, and what they are called.
const RENAMED: [(&str, &str); 3] = [("most", "limit"), ("raise", "sharpen"), ("degree", "write")];

/// The options that a pass has, as an error lists them: names, with `=N` behind those that take a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValidOptions(&'static [&'static str]);

impl fmt::Display for ValidOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => write!(f, "it has no options"),
            options => write!(f, "valid options are: {}", options.join(", ")),
        }
    }
}

/// The options given to one pass in angle brackets, all of them valid and none doubled.
///
/// What is asked of it is the name of an option, without `=` and what stands for the value. Every error is a line
/// that names the pass, the option as typed, and which options there are.
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
/// fn unroll(options: &Options) -> Result<impl Fn(&mut Function) -> Preserved, OptionError> {
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
/// `-passes='unroll<depth=9>'` then says: "unroll: option 'depth=9' needs a number from 1 to 8; valid options are:
/// depth=N, mode=KIND, verbose".
#[derive(Debug)]
pub struct Options<'a> {
    pass: &'a str,
    given: Vec<&'a str>,
    valid: ValidOptions,
}

impl<'a> Options<'a> {
    /// Reads what follows the opening bracket of `pass`, or nothing if there is no bracket.
    pub(in crate::plugin) fn parse(
        pass: &'a str,
        text: Option<&'a str>,
        valid: &'static [&'static str],
    ) -> Result<Self, OptionError> {
        let mut options = Options { pass, given: Vec::new(), valid: ValidOptions(valid) };
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
        let (pass, valid) = (self.pass.to_string(), self.valid);
        let find = |wanted: &str| valid.0.iter().copied().find(|known| name(known) == wanted);
        let Some(known) = find(name(option)) else {
            let option = option.to_string();
            let renamed = RENAMED.iter().find(|(before, _)| *before == name(&option));
            return Err(match renamed.and_then(|(_, now)| find(now)) {
                Some(known) => OptionError::Renamed { pass, option, known, valid },
                None => OptionError::Unknown { pass, option, valid },
            });
        };
        if known.contains('=') != option.contains('=') {
            let wanted =
                if known.contains('=') { format!("a value: {known}") } else { "no value".to_string() };
            return Err(OptionError::Value { pass, option: option.to_string(), wanted, valid });
        }
        if self.has(name(option)) {
            return Err(OptionError::Doubled { pass, option: option.to_string(), valid });
        }
        self.given.push(option);
        Ok(())
    }

    /// Whether the pass has an option called `wanted`, given or not.
    fn knows(&self, wanted: &str) -> bool {
        self.valid.0.iter().any(|known| name(known) == wanted)
    }

    /// Whether the option called `wanted` is given, if the pass has it at all.
    pub(super) fn gives(&self, wanted: &str) -> bool {
        self.knows(wanted) && self.has(wanted)
    }

    /// Whether the option called `wanted` is given.
    ///
    /// # Panics
    ///
    /// If the pass has no option of that name; so do all questions that follow.
    pub fn has(&self, wanted: &str) -> bool {
        self.as_typed(wanted).is_some()
    }

    /// The value of the option called `wanted`, a whole number in `range`, written as Rust writes it: no `+`, no
    /// leading zeros. Nothing if the option is not given.
    ///
    /// # Errors
    ///
    /// If the value is no such number.
    pub fn number<T>(&self, wanted: &str, range: RangeInclusive<T>) -> Result<Option<T>, OptionError>
    where
        T: FromStr + fmt::Display + PartialOrd,
    {
        let meaning = format!("a number from {} to {}", range.start(), range.end());
        let read = |text: &str| {
            let number: T = text.parse().ok()?;
            (range.contains(&number) && number.to_string() == text).then_some(number)
        };
        self.value(wanted, &meaning, read)
    }

    /// The value of the option called `wanted`, as `read` reads it; nothing if the option is not given. `meaning`
    /// says what would be right, as in "the name of a file".
    ///
    /// # Errors
    ///
    /// If `read` makes nothing of the value.
    pub fn value<T>(
        &self,
        wanted: &str,
        meaning: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, OptionError> {
        let Some(option) = self.as_typed(wanted) else { return Ok(None) };
        let value = option.split_once('=').and_then(|(_, value)| read(value));
        value.map(Some).ok_or_else(|| OptionError::Value {
            pass: self.pass.to_string(),
            option: option.to_string(),
            wanted: meaning.to_string(),
            valid: self.valid,
        })
    }

    /// Checks that none of `options` is given without `needed`.
    ///
    /// # Errors
    ///
    /// If one is.
    pub fn require(&self, options: &[&str], needed: &'static str) -> Result<(), OptionError> {
        match options.iter().find_map(|option| self.as_typed(option)) {
            Some(option) if !self.has(needed) => Err(OptionError::Alone {
                pass: self.pass.to_string(),
                option: option.to_string(),
                needed,
                valid: self.valid,
            }),
            _ => Ok(()),
        }
    }

    /// Checks that none of `options` is given together with `other`.
    ///
    /// # Errors
    ///
    /// If one is.
    pub fn keep_apart(&self, options: &[&str], other: &'static str) -> Result<(), OptionError> {
        match options.iter().find_map(|option| self.as_typed(option)) {
            Some(option) if self.has(other) => Err(OptionError::Apart {
                pass: self.pass.to_string(),
                option: option.to_string(),
                other,
                valid: self.valid,
            }),
            _ => Ok(()),
        }
    }

    /// Nothing is ignored silently: who asks for an option that the pass does not have would never get it.
    fn as_typed(&self, wanted: &str) -> Option<&'a str> {
        assert!(self.knows(wanted), "{} has no option called '{wanted}'", self.pass);
        self.given.iter().copied().find(|option| name(option) == wanted)
    }
}

/// What stands before the value.
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
    fn numbers_stand_in_their_range_and_are_written_in_one_way() {
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
    fn a_value_too_few_or_too_many_is_told() {
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
    fn an_old_name_is_told_the_new_one() {
        let error = Options::parse("unroll", Some("most=3>"), &["limit=N"]).map(|_| ()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "unroll: option 'most=3' is called 'limit=N'; valid options are: limit=N"
        );
    }

    #[test]
    #[should_panic(expected = "unroll has no option called 'al'")]
    fn a_misspelt_question_has_no_answer() {
        options("all>").has("al");
    }
}
