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

/// The options that a pass has, as an error lists them.
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
        if !valid.0.contains(&option) {
            return Err(OptionError::Unknown { pass, option: option.to_string(), valid });
        }
        if self.has(option) {
            return Err(OptionError::Doubled { pass, option: option.to_string(), valid });
        }
        self.given.push(option);
        Ok(())
    }

    /// Whether `option` is given.
    pub fn has(&self, option: &str) -> bool {
        self.given.contains(&option)
    }

    /// Checks that no option but `needed` is given without it.
    pub fn require(&self, needed: &'static str) -> Result<(), OptionError> {
        match self.given.first() {
            Some(option) if !self.has(needed) => Err(OptionError::Alone {
                pass: self.pass.to_string(),
                option: option.to_string(),
                needed,
                valid: self.valid,
            }),
            _ => Ok(()),
        }
    }
}
