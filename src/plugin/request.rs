//! What a pipeline element asks for: names, options and their errors.
//!
//! An element is one of our names (`rust-bpi`), possibly with options in angle brackets, separated by
//! semicolons as LLVM's own parameterised passes have them; or one of LLVM's wrappers around an analysis name
//! (`print<rust-bpi>`).

use std::fmt;

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

    /// Whether the result is kept for later passes.
    const fn is_kept(self) -> bool {
        !matches!(self, Analysis::Bias)
    }
}

/// What to do with an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Print the result.
    Print,
    /// Compute the result and keep it.
    Require,
    /// Forget the result.
    Invalidate,
}

impl Action {
    fn of_wrapper(wrapper: &str) -> Option<Self> {
        match wrapper {
            "print" => Some(Action::Print),
            "require" => Some(Action::Require),
            "invalidate" => Some(Action::Invalidate),
            _ => None,
        }
    }
}

/// A pipeline element of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The analysis it is about.
    pub analysis: Analysis,
    /// What is asked of it.
    pub action: Action,
}

/// Why a pipeline element with one of our names cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The angle bracket is not closed, or text follows it.
    #[error("{pass}: options must stand in one pair of angle brackets, as in {pass}<option;option>")]
    Brackets {
        /// The name before the bracket.
        pass: String,
    },
    /// An option that the pass does not have.
    #[error("{pass}: unknown option '{option}'; {valid}")]
    UnknownOption {
        /// The pass as typed, without options.
        pass: String,
        /// The option as typed.
        option: String,
        /// Which options there are.
        valid: ValidOptions,
    },
}

/// The options a pass has, as an error lists them.
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

impl Request {
    /// Reads a pipeline element; nothing if the name is not ours.
    pub fn parse(element: &str) -> Option<Result<Request, RequestError>> {
        let (name, options) = match element.split_once('<') {
            Some((name, rest)) => (name, Some(rest)),
            None => (element, None),
        };
        match Action::of_wrapper(name) {
            Some(action) => Self::parse_wrapped(name, action, options?),
            None => {
                let analysis = Analysis::named(name).filter(|analysis| analysis.is_kept())?;
                Some(check_options(name, options).map(|()| Request { analysis, action: Action::Print }))
            }
        }
    }

    /// Reads what stands after `print<`, `require<` or `invalidate<`.
    fn parse_wrapped(wrapper: &str, action: Action, rest: &str) -> Option<Result<Request, RequestError>> {
        let inner = rest.strip_suffix('>').unwrap_or(rest);
        let (name, options) = match inner.split_once(';') {
            Some((name, options)) => (name, Some(options)),
            None => (inner, None),
        };
        let sensible = |analysis: &Analysis| analysis.is_kept() || action == Action::Print;
        let analysis = Analysis::named(name).filter(sensible)?;
        let pass = format!("{wrapper}<{name}>");
        Some(match options.map(|options| options.split(';').next().unwrap_or_default()) {
            _ if inner.len() == rest.len() => Err(RequestError::Brackets { pass: wrapper.to_string() }),
            Some(option) => Err(unknown(&pass, option)),
            None => Ok(Request { analysis, action }),
        })
    }
}

/// Checks what stands between the angle brackets of a name of ours; nothing is an empty list.
fn check_options(pass: &str, options: Option<&str>) -> Result<(), RequestError> {
    let Some(rest) = options else { return Ok(()) };
    let Some(list) = rest.strip_suffix('>').filter(|list| !list.contains(['<', '>'])) else {
        return Err(RequestError::Brackets { pass: pass.to_string() });
    };
    match list.split(';').next() {
        Some(option) if !list.is_empty() => Err(unknown(pass, option)),
        _ => Ok(()),
    }
}

fn unknown(pass: &str, option: &str) -> RequestError {
    RequestError::UnknownOption {
        pass: pass.to_string(),
        option: option.to_string(),
        valid: ValidOptions(&[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_known_and_no_other() {
        for analysis in [Analysis::Probabilities, Analysis::Frequencies] {
            let request = |action| Some(Ok(Request { analysis, action }));
            let name = analysis.name();
            assert_eq!(Request::parse(name), request(Action::Print));
            assert_eq!(Request::parse(&format!("{name}<>")), request(Action::Print));
            assert_eq!(Request::parse(&format!("print<{name}>")), request(Action::Print));
            assert_eq!(Request::parse(&format!("require<{name}>")), request(Action::Require));
            assert_eq!(Request::parse(&format!("invalidate<{name}>")), request(Action::Invalidate));
        }
        let bias = Request { analysis: Analysis::Bias, action: Action::Print };
        assert_eq!(Request::parse("print<rust-bias>"), Some(Ok(bias)));
        for other in [
            "rust-bpix",
            "rust-bias",
            "require<rust-bias>",
            "print",
            "print<branch-prob>",
            "verify<rust-bpi>",
            "simplifycfg<rust-bpi>",
        ] {
            assert_eq!(Request::parse(other), None, "{other}");
        }
    }

    #[test]
    fn errors_name_what_is_wrong_and_what_would_be_right() {
        let text = |element| Request::parse(element).unwrap().unwrap_err().to_string();
        assert_eq!(text("rust-bpi<hot>"), "rust-bpi: unknown option 'hot'; it has no options");
        assert_eq!(text("print<rust-bpi;hot>"), "print<rust-bpi>: unknown option 'hot'; it has no options");
        assert!(text("rust-bpi<hot").contains("angle brackets"));
    }
}
