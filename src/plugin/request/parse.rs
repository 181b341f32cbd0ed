//! Parses pipeline elements.
//!
//! An element is the name of a bpa pass, with or without options: `rust-bpi`, `rust-bpi<annotate>`. LLVM's wrappers,
//! such as `print<...>`, can enclose the name: `print<rust-bpi>`.

use super::model::Request;
use super::options::{name, OptionError, Options};
use super::table::{Mode, ModeSpec, OptionSpec, PassKind, PassSpec, Wrapper};

/// The passes to use instead of the deleted `rust-optimize`.
pub(in crate::plugin) const INSTEAD_OF_OPTIMIZE: &str = "use 'rust-bpi<annotate;predictor=bpa>' at \
    'optimizer-last', then 'rust-entry-counts<annotate;write=counts;predictor=bpa>'";

/// A pipeline element that names a pass of bpa.
struct Element<'a> {
    pass: &'static PassSpec,
    wrapper: Option<Wrapper>,
    /// The name of the pass without options, as the user typed it.
    name: String,
    /// The text after the opening bracket of the options.
    options: Option<&'a str>,
}

impl<'a> Element<'a> {
    /// Splits `element` into name and options. The result is `None` if the name does not belong to bpa.
    fn split(element: &'a str) -> Option<Self> {
        let (name, rest) = match element.split_once('<') {
            Some((name, rest)) => (name, Some(rest)),
            None => (element, None),
        };
        match Wrapper::ALL.into_iter().find(|wrapper| wrapper.name() == name) {
            Some(wrapper) => Self::split_wrapped(element, wrapper, rest?),
            None => {
                let pass = PassSpec::named(name)?;
                Some(Element { pass, wrapper: None, name: name.to_string(), options: rest })
            }
        }
    }

    /// Splits `wrapper<name>` or `wrapper<name;options>`. `rest` is the text after the first `<`.
    fn split_wrapped(element: &str, wrapper: Wrapper, rest: &'a str) -> Option<Self> {
        let name = rest.split(['>', ';', '<']).next()?;
        let pass = PassSpec::named(name).filter(|pass| pass.wrappers.contains(&wrapper))?;
        let after = &rest[name.len()..];
        let options = match after {
            ">" => None,
            // An empty text after a semicolon is parsed as an option with an empty name, not as an empty list of
            // options.
            ";>" => Some(after),
            _ => Some(after.strip_prefix(';').unwrap_or("<")),
        };
        let name = format!("{}>", element.strip_suffix(after)?);
        Some(Element { pass, wrapper: Some(wrapper), name, options })
    }

    fn request(&self) -> Result<Request, OptionError> {
        let PassSpec { pass, name, is_bare, .. } = *self.pass;
        if self.wrapper.is_none() && !is_bare {
            return Err(OptionError::OnlyPrinted { pass: name });
        }
        let options = &Options::parse(&self.name, self.options, self.pass.options(self.wrapper))?;
        let (mode, limit) = match self.wrapper {
            Some(Wrapper::Invalidate) => (Mode::Invalidate, None),
            Some(Wrapper::Require) => (Mode::Require, None),
            None | Some(Wrapper::Print) => {
                let spec = self.mode(options)?;
                (spec.mode, spec.limit)
            }
        };
        let writes_pictures = mode == Mode::Dot && pass != PassKind::EntryCounts;
        Ok(Request { pass, mode, options: options.values(limit, writes_pictures)? })
    }

    /// The mode that `options` select. Returns an error if options exclude each other.
    fn mode(&self, options: &Options<'_>) -> Result<&'static ModeSpec, OptionError> {
        let plain = &self.pass.modes[0];
        let is_selected = |mode: &&ModeSpec| mode.option_name().is_some_and(|option| options.has(option));
        let chosen = self.pass.modes(self.wrapper).find(is_selected).unwrap_or(plain);
        let all = self.pass.options(self.wrapper);
        if let Some(selecting) = chosen.option_name() {
            let rejected: Vec<&str> =
                all.iter().copied().filter(|option| !self.is_valid_in(chosen, option)).map(name).collect();
            options.keep_apart(&rejected, selecting)?;
        } else {
            for option in all.iter().copied().filter(|option| !chosen.takes.contains(option)) {
                let mut takers = self.pass.modes(self.wrapper).filter(|mode| mode.takes.contains(&option));
                if let Some(needed) = takers.next().and_then(ModeSpec::option_name) {
                    options.require(name(option), &[needed])?;
                }
            }
        }
        if let (Some(option), [_, ..]) = (chosen.option_name(), chosen.needs_one_of) {
            let needed: Vec<&str> = chosen.needs_one_of.iter().map(|needed| name(needed)).collect();
            options.require(option, &needed)?;
        }
        for option in chosen.takes {
            if let Some(needed) = OptionSpec::find(option).needs {
                options.require(name(option), &[name(needed)])?;
            }
        }
        Ok(chosen)
    }

    /// Whether the user may add `option` to the option that selects `mode`. The option may also select another mode
    /// that accepts the option of `mode`: `explain` can be added to `json`.
    fn is_valid_in(&self, mode: &ModeSpec, option: &&'static str) -> bool {
        let takes_both = |other: &ModeSpec| {
            other.option == Some(*option) && mode.option.is_some_and(|own| other.takes.contains(&own))
        };
        mode.option == Some(*option)
            || mode.takes.contains(option)
            || self.pass.modes(self.wrapper).any(takes_both)
    }
}

impl Request {
    /// Parses a pipeline element. The result is `None` if the element does not name a pass of bpa.
    pub fn parse(element: &str) -> Option<Result<Request, OptionError>> {
        if element.split('<').next() == Some("rust-optimize") {
            return Some(Err(OptionError::Deleted { pass: "rust-optimize", instead: INSTEAD_OF_OPTIMIZE }));
        }
        Some(Element::split(element)?.request())
    }
}

#[cfg(test)]
mod properties;

#[cfg(test)]
mod tests;
