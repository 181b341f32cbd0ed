//! Options in angle brackets, separated by semicolons as LLVM's own parameterised passes have them.

use std::fmt;

/// Why a pipeline element with one of our names cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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

/// The options given to one pass, all of them valid and none doubled.
#[derive(Debug)]
pub(super) struct Options<'a> {
    pass: &'a str,
    given: Vec<&'a str>,
    valid: ValidOptions,
}

impl<'a> Options<'a> {
    /// Reads what follows the opening bracket of `pass`, or nothing if there is no bracket.
    pub fn parse(
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
        if !valid
            .0
            .iter()
            .any(|known| name(known) == name(option) && known.contains('=') == option.contains('='))
        {
            return Err(OptionError::Unknown { pass, option: option.to_string(), valid });
        }
        if self.has(name(option)) {
            return Err(OptionError::Doubled { pass, option: option.to_string(), valid });
        }
        self.given.push(option);
        Ok(())
    }

    /// Whether the option called `wanted` is given.
    pub fn has(&self, wanted: &str) -> bool {
        self.as_typed(wanted).is_some()
    }

    /// The value that the option called `wanted` is given, as `read` reads it. `meaning` says what would be right.
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

    fn as_typed(&self, wanted: &str) -> Option<&'a str> {
        self.given.iter().copied().find(|option| name(option) == wanted)
    }
}

/// What stands before the value.
fn name(option: &str) -> &str {
    option.split_once('=').map_or(option, |(name, _)| name)
}
